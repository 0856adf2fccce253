"""The program's functions and variables of streams, which get DataFrames of batches now."""
