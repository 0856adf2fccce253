"""Rows, namedtuples and objects, as columns with the names of their fields."""
