"""The names that new code may need imported, and the lines that import them."""

from __future__ import annotations

import ast

from migrate.knowledge.data_types import IMPORTED

Import = ast.Import | ast.ImportFrom
WANTED: dict[str, tuple[str, str | None, str | None]] = {
    "SparkSession": ("pyspark.sql", "SparkSession", None),
    "F": ("pyspark.sql", "functions", "F"),
    "datetime": ("datetime", "datetime", None),
    "datetime.datetime": ("datetime", None, None),
    "deque": ("collections", "deque", None),
    "DataFrame": ("pyspark.sql", "DataFrame", None),
    "RDD": ("pyspark", "RDD", None),
    "reduce": ("functools", "reduce", None),
    "FlumeSource": ("compat.sources", "FlumeSource", None),
    "MqttSource": ("compat.sources", "MqttSource", None),
    **{name: ("pyspark.sql.types", name, None) for name in sorted(IMPORTED)},
    "json": ("json", None, None),
    "copy": ("copy", None, None),
    "os": ("os", None, None),
    "time": ("time", None, None),
    "tempfile": ("tempfile", None, None),
    "traceback": ("traceback", None, None),
    "LinearRegressionWithSGD": ("pyspark.mllib.regression", "LinearRegressionWithSGD", None),
    "LogisticRegressionWithSGD": ("pyspark.mllib.classification", "LogisticRegressionWithSGD", None),
}
"""Module, member of it or None for itself, and alias of what new code may need; ``datetime.datetime`` is read
as a member of its module.
"""
HOMES = {"DataFrame": "pyspark.sql.dataframe", "RDD": "pyspark.rdd", "SparkSession": "pyspark.sql.session"}
"""Where members are defined, from which some import them."""
STARRED = frozenset({"DataFrame", "RDD", "SparkSession"})
"""Those that a star import of their module gives, too."""
STDLIB = (
    "copy",
    "json",
    "os",
    "tempfile",
    "time",
    "traceback",
    "deque",
    "datetime",
    "datetime.datetime",
    "reduce",
)


def bound(name: str) -> str:
    """The name that an import binds: that of the module for ``datetime.datetime``."""
    return name.partition(".")[0]


def import_line(*names: str) -> str:
    """The statement that imports names of one module."""
    module, member, alias = WANTED[names[0]]
    if member is None:
        return f"import {module}"
    members = ", ".join(sorted(WANTED[name][1] or "" for name in names))
    return f"from {module} import {members}" + (f" as {alias}" if alias else "")


def module_of(statement: Import) -> str:
    """The module that an import names first; a dot for the package itself."""
    if isinstance(statement, ast.ImportFrom):
        return statement.module or "."
    return statement.names[0].name
