"""The functions that outputs are given, on DataFrames where these do the same, else on RDDs."""
