"""Functions that get the RDD of each batch: what they do with it, and without rows."""
