"""The program's statements about sessions, contexts, logs, checkpoints and the Spark that it runs on."""
