"""A codemod from PySpark DStreams to Structured Streaming: check, rewrite, verify."""
