"""What a program computes by itself that gave something else on Spark 2, for which it may be written."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Container, Iterator, Sequence

from migrate.knowledge.spark_version import SparkVersion
from migrate.read.reach import reached
from migrate.syntax.nodes import code_of, of_kinds, once, parsed
from migrate.trace import Trace

STATISTICS = (
    "a single value gives NULL for {} since Spark 3.1, where it gave NaN:"
    " `spark.sql.legacy.statisticalAggregate` set to true keeps NaN"
)
FIELDS = (
    "the fields of {} have the order in which they are given since Spark 3, where Spark 2 sorted"
    " them by name: columns that are shown, or read by position, may change places, and a schema that Spark 2"
    " matched with them by name must have their order"
)
_STATISTICS = frozenset(
    {"corr", "covar_samp", "kurtosis", "skewness", "stddev", "stddev_samp", "var_samp", "variance"}
)
_NULL_SINCE = (3, 1)
_IN_ORDER_SINCE = (3, 0)
_FUNCTIONS = frozenset({"pyspark.sql.functions"})
_OF_ROWS = frozenset({"pyspark", "pyspark.sql", "pyspark.sql.types"})
"""Modules that have `Row`."""
_IN_SQL = re.compile(rf"(?i)\bselect\b.*?\b({'|'.join(sorted(_STATISTICS))})\s*\(", re.DOTALL)


def older_spark_notes(trace: Trace, spark: SparkVersion, files: Sequence[str]) -> Iterator[str]:
    """The notes on the modules of a program, but for what was so in the version that it is pinned to.

    Args:
        trace: the trace of all modules.
        spark: the version that code is written for.
        files: those of the program, which may import others.
    """
    statistics = {} if _is_since(spark, _NULL_SINCE) else _found(trace, files, _statistics)
    if statistics:
        names = dict.fromkeys(name for found in statistics.values() for name in found)
        yield STATISTICS.format(", ".join(f"`{name}`" for name in names))
    rows = {} if _is_since(spark, _IN_ORDER_SINCE) else _found(trace, files, _rows)
    if rows:
        of_others = {path: f" in {path}" for path in rows if path != files[0]}
        places = {f"`Row({one})`": of_others.get(path, "") for path in rows for one in rows[path]}
        yield FIELDS.format(", ".join(f"{row}{place}" for row, place in places.items()))


def _is_since(spark: SparkVersion, version: tuple[int, int]) -> bool:
    """Whether a program was on a version of Spark already, or on a newer one."""
    return bool(spark.before and spark.before >= version)


def _found(
    trace: Trace, files: Sequence[str], find: Callable[[ast.Module], list[str]]
) -> dict[str, list[str]]:
    """What is found in the modules of a program, by their paths."""
    modules = {module.relative: module for module in trace.modules}
    trees = {
        path: module.tree if module.origin is None else parsed(module.origin)
        for path, module in modules.items()
    }
    found = {path: some for path, tree in trees.items() if (some := once(tree, find))}
    own = reached(files, modules) if found else ()
    return {path: some for path, some in found.items() if path in own}


def _statistics(tree: ast.Module) -> list[str]:
    """The aggregate functions of a module, on columns or in SQL, that were NaN of a single value."""
    names, holders = _imported(tree, _FUNCTIONS)
    found: list[str] = []
    for call in of_kinds(tree, ast.Call):
        match call.func:
            case ast.Name(name) if names.get(name) in _STATISTICS:
                found.append(names[name])
            case ast.Attribute(ast.Name(holder), name) if holder in holders and name in _STATISTICS:
                found.append(name)
    for node in of_kinds(tree, ast.Constant):
        if isinstance(node.value, str) and "select" in node.value.lower():
            found += map(str.lower, _IN_SQL.findall(node.value))
    return found


def _rows(tree: ast.Module) -> list[str]:
    """The fields of each ``Row(name=..., age=...)`` that may not be in the order of the alphabet."""
    names, _ = _imported(tree, _OF_ROWS)
    found: list[str] = []
    for call in of_kinds(tree, ast.Call):
        if isinstance(call.func, ast.Name) and names.get(call.func.id) == "Row":
            fields = [keyword.arg for keyword in call.keywords if keyword.arg is not None]
            unpacked = [f"**{code_of(one.value)}" for one in call.keywords if one.arg is None]
            if fields != sorted(fields) or unpacked:
                found.append(", ".join([*(f"{field}=..." for field in fields), *unpacked]))
    return found


def _imported(tree: ast.Module, modules: Container[str]) -> tuple[dict[str, str], set[str]]:
    """What a module of the program calls the members of some of PySpark's, and those themselves."""
    names: dict[str, str] = {}
    holders: set[str] = set()
    for statement in of_kinds(tree, ast.ImportFrom):
        for alias in statement.names:
            bound = alias.asname or alias.name
            if statement.module in modules:
                all_of_it = alias.name == "*"
                names |= {one: one for one in _STATISTICS | {"Row"}} if all_of_it else {bound: alias.name}
            elif f"{statement.module}.{alias.name}" in modules:
                holders.add(bound)
    for imported in of_kinds(tree, ast.Import):
        holders |= {alias.asname for alias in imported.names if alias.name in modules and alias.asname}
    return names, holders
