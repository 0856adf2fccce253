"""``getOrCreate``: decides whether a graph that is built anew does what one from a checkpoint did.

A receiver's data is gone after a restart: for every batch before it, `ReceiverInputDStream.compute` gives an
RDD without partitions. Without state nothing else is left of the batches before.
"""

from __future__ import annotations

import ast

from migrate.graph.blocked import Blocked
from migrate.graph.call_graph import CallGraph
from migrate.graph.reading import Reading
from migrate.knowledge.sessions import QUIET
from migrate.knowledge.streaming import OF_SEVERAL_BATCHES, RECEIVERS
from migrate.syntax.nodes import walk
from migrate.trace import Use

_MAKES_CONTEXTS = frozenset(
    {"SparkContext", "SparkConf", "StreamingContext", "getOrCreate", "appName", "master", "config"}
)


def check_recovery(use: Use, reading: Reading, calls: CallGraph) -> None:
    """Check that a program does the same after a restart if it builds its graph anew.

    Raises:
        Blocked: sources or state go on where they were, or the function that builds does more than that.
    """
    operations = reading.operations.values()
    lasting = [op for op in operations if op.is_source and op.operator not in RECEIVERS]
    if lasting:
        raise Blocked(
            "`getOrCreate` goes on in the source where the program stopped; a new query would begin again",
            lasting[0].use,
        )
    states = [op for op in operations if op.operator in OF_SEVERAL_BATCHES]
    if states:
        raise Blocked(
            "`getOrCreate` goes on with the state of the checkpoint; a new query would begin without",
            states[0].use,
        )
    assert use.call is not None
    inside = calls.reach(calls.targets[use.call])
    ours = {*reading.aliases, *reading.removed, *(line.statement for line in reading.lines)}
    for function in inside:
        for statement in getattr(function, "body", []):
            if statement in ours or _builds(statement, calls):
                continue
            if not _says(statement):
                raise Blocked(
                    "after a restart `getOrCreate` would not run this again: "
                    "move it out of the function that builds the graph",
                    use,
                    at=statement,
                )
            reading.said.append(statement)


def _says(statement: ast.stmt) -> bool:
    """Whether a statement only prints a text."""
    match statement:
        case ast.Expr(value=ast.Call(func=ast.Name(id="print"), args=args, keywords=[])):
            return all(isinstance(argument, ast.Constant) for argument in args)
    return False


def _builds(statement: ast.stmt, calls: CallGraph) -> bool:
    """Whether a statement only makes what the graph needs."""
    if isinstance(statement, ast.FunctionDef | ast.Pass | ast.Global | ast.Import | ast.ImportFrom):
        return True
    value = getattr(statement, "value", None)
    if isinstance(statement, ast.Return):
        return True
    if isinstance(statement, ast.Expr) and isinstance(value, ast.Constant):
        return True
    if not isinstance(value, ast.Call):
        return isinstance(statement, ast.Assign) and isinstance(
            value, ast.Constant | ast.Name | ast.Attribute
        )
    names = {
        part.func.attr if isinstance(part.func, ast.Attribute) else getattr(part.func, "id", "")
        for part in walk(value)
        if isinstance(part, ast.Call)
    }
    return names <= _MAKES_CONTEXTS | QUIET or value in calls.targets
