"""Spark's data types by their names in SQL, and the classes that new code imports for them."""

from __future__ import annotations

CLASSES = {
    "bigint": "LongType",
    "binary": "BinaryType",
    "boolean": "BooleanType",
    "double": "DoubleType",
    "string": "StringType",
}
ARRAY = "ArrayType"
IMPORTED = (ARRAY, *CLASSES.values())
"""All of these classes."""
