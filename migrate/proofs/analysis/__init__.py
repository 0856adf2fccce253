"""The one analysis of names and functions: bindings, calls, what a function's own code does."""
