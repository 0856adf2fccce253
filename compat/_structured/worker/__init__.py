"""What ships to Spark's Python workers.

Executors do not have `compat`: these modules are pickled by value with each stage (see `batches.frame`), so
they import nothing but the standard library, pyarrow, pyspark and what else ships so, and hold no state."""
