"""Values of a module that Spark makes: what callbacks of batches get, and the results of SQL."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.syntax.nodes import of_kinds

_SESSIONS = ("HiveContext", "SQLContext", "SparkSession", "getOrCreate")


def callbacks(tree: ast.Module) -> Iterator[tuple[ast.Call, ast.FunctionDef | ast.Lambda]]:
    """The calls ``stream.foreachRDD(process)``, each with its function, which nothing else calls."""
    calls = [
        call
        for call in of_kinds(tree, ast.Call)
        if isinstance(call.func, ast.Attribute)
        if call.func.attr == "foreachRDD" and len(call.args) == 1 and not call.keywords
    ]
    given = {call.args[0] for call in calls}
    loads = [node for node in of_kinds(tree, ast.Name) if isinstance(node.ctx, ast.Load)]
    named = {node.id for node in loads} - {node.id for node in loads if node not in given}
    for call in calls:
        match call.args[0]:
            case ast.Lambda() as function:
                yield call, function
            case ast.Name(name) if name in named:
                yield from ((call, one) for one in of_kinds(tree, ast.FunctionDef) if one.name == name)


def given_to_callbacks(tree: ast.Module) -> Iterator[tuple[ast.arg | None, ast.arg]]:
    """The parameters for the time and the RDD of a batch: those of ``process`` in ``foreachRDD(process)``."""
    for _, function in callbacks(tree):
        match function.args.args:
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
