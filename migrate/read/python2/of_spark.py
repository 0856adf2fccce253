"""Values of a module that Spark makes: what callbacks of batches get, and the results of SQL."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.syntax.nodes import of_kinds, walk

_SESSIONS = ("HiveContext", "SQLContext", "SparkSession", "getOrCreate")


def given_to_callbacks(tree: ast.Module) -> Iterator[tuple[ast.arg | None, ast.arg]]:
    """The parameters for the time and the RDD of a batch: those of ``process`` in ``foreachRDD(process)``.

    Nothing else may call them.
    """
    given = {
        call.args[0]
        for call in of_kinds(tree, ast.Call)
        if isinstance(call.func, ast.Attribute)
        if call.func.attr == "foreachRDD" and len(call.args) == 1 and not call.keywords
    }
    loads = [node for node in of_kinds(tree, ast.Name) if isinstance(node.ctx, ast.Load)]
    named = {node.id for node in loads} - {node.id for node in loads if node not in given}
    for node in walk(tree):
        if isinstance(node, ast.FunctionDef):
            is_callback = node.name in named
        else:
            is_callback = isinstance(node, ast.Lambda) and node in given
        if is_callback and isinstance(node, ast.FunctionDef | ast.Lambda):
            match node.args.args:
                case [time, rdd]:
                    yield time, rdd
                case [rdd]:
                    yield None, rdd


def results_of_sql(tree: ast.Module) -> Iterator[ast.Call]:
    """The calls that give a DataFrame: ``sqlContext.sql(...)``, where every such name is a session's."""
    made: dict[str, list[bool]] = {}
    for node in of_kinds(tree, ast.Assign):
        for target in node.targets:
            if isinstance(target, ast.Name):
                made.setdefault(target.id, []).append(_makes_session(node.value))
    for call in of_kinds(tree, ast.Call):
        match call.func:
            case ast.Attribute(ast.Name(name), "sql") if made.get(name) and all(made[name]):
                yield call


def _makes_session(value: ast.expr) -> bool:
    """``SQLContext(sc)``, ``SparkSession.builder.getOrCreate()``."""
    match value:
        case ast.Call(ast.Name(name) | ast.Attribute(_, name)):
            return name in _SESSIONS
    return False
