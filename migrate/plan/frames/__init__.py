"""DataFrames and RDDs in the batch function: their calls, columns and elements."""
