"""Names that star imports of PySpark's modules bound until Spark 3.5, and do not since Spark 4.0."""

from __future__ import annotations

from collections.abc import Mapping

_TYPES = dict.fromkeys(("DataType", "StringType", "StructType"), "pyspark.sql.types")
LOST: Mapping[str, Mapping[str, str]] = {
    "pyspark.sql.functions": {
        "SparkContext": "pyspark",
        "Column": "pyspark.sql",
        "DataFrame": "pyspark.sql",
        **_TYPES,
        **dict.fromkeys(("functools", "inspect", "sys", "warnings"), ""),
    },
    "pyspark.sql.types": {"SparkContext": "pyspark", "decimal": ""},
}
"""The names by the modules that they were imported from, with their homes; empty for modules of Python."""
