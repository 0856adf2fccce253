"""Streams of dicts on `compat.streaming` that a function for `foreachRDD` saves to Cassandra."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from migrate.codemod.changes import Changes, Names, New
from migrate.graph.cassandra_dicts import NAME, SavedDicts, library_imports, own_contexts, settings_of
from migrate.knowledge.cassandra import FORMAT
from migrate.syntax.quoting import quoted

SESSION = "from pyspark.sql import SparkSession"
CONTEXT = "from pyspark import SparkContext"


def source_of(settings: str) -> str:
    """The function that writes dicts, with what its settings are called by."""
    return f'''\
def {NAME}(keyspace, table{settings}):
    """The function that writes dicts to a table; fails where a key has values of several types."""

    def write(rdd):
        first = rdd.take(100)  # the columns have the types of these
        if not first:
            return
        spark = SparkSession.builder.getOrCreate()
        rows = spark.createDataFrame(rdd, spark.createDataFrame(first).schema)
        cassandra = rows.write.format("{FORMAT}")
        cassandra.options(keyspace=keyspace, table=table{settings}).mode("append").save()

    return write'''


def save_dicts(changes: Changes, saves: Sequence[SavedDicts]) -> None:
    """Let a function write what the streams of a module save, and take out the library that did."""
    kept: dict[ast.Import | ast.ImportFrom, list[ast.alias]] = {}
    for statement, alias in library_imports(changes.tree):
        kept.setdefault(statement, [*statement.names]).remove(alias)
    for statement, names in kept.items():
        if names:
            changes.imports[statement] = Names(tuple(names))
        else:
            changes.remove(statement)
    for save in saves:
        saving = f"{NAME}({save.given(quoted)})"
        changes.expressions[save.call] = f"{quoted(save.stream)}.foreachRDD({saving})"
    contexts = own_contexts(changes.tree)
    changes.expressions.update(dict.fromkeys(contexts, "SparkContext"))
    if saves:
        imports = [one for one in changes.tree.body if isinstance(one, ast.Import | ast.ImportFrom)]
        bound = {one.asname or one.name for statement in imports for one in statement.names}
        needed = [New(CONTEXT)] if contexts and "SparkContext" not in bound else []
        needed += [New(SESSION)] if "SparkSession" not in bound else []
        function = source_of(settings_of(saves))
        changes.put_after(imports[-1], *needed, New(function, blank=2, gap=2))
