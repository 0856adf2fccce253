"""The directory for checkpoints that a program names, or fails at its start for want of.

DStream asks for one where it keeps something from batch to batch, for a state, and for a window from which it
takes away what has left it; and where a stream is to be saved there, ``words.checkpoint(10)``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.graph.operations import Operation, upstream
from migrate.graph.program import Program
from migrate.knowledge.streaming import CHECKPOINTED, INVERSES
from migrate.syntax.tree import is_none
from migrate.trace import Context

STARTS = (
    "`start` of a DStream fails for {} without a checkpoint directory, and the program names none; the query"
    " starts"
)
_SETTING = "spark.streaming.checkpoint.directory"


def checkpoints_of(program: Program) -> list[ast.Call]:
    """The calls of the context's ``checkpoint``."""
    uses = [use for use in program.graph.uses if use.name == "checkpoint"]
    of_context = [use for use in uses if all(isinstance(owner, Context) for owner in use.owners)]
    return [use.call for use in of_context if use.call is not None]


def missing_directory(program: Program) -> Iterator[str]:
    """The note on a program that never started, as it names no directory."""
    texts = (node.value for node in program.tree.of_kinds(ast.Constant))
    if program.start is None or checkpoints_of(program) or _SETTING in texts:
        return
    needed = set[Operation]().union(*map(upstream, program.outputs))
    calls = dict.fromkeys(f"`{one.operator}`" for one in program.operations if one in needed and _asks(one))
    if any(use.name == "checkpoint" for use in program.graph.uses):
        calls["`checkpoint` of a stream"] = None
    if calls:
        yield STARTS.format(", ".join(calls))


def _asks(operation: Operation) -> bool:
    """Whether DStream needs a directory for an operator; for some with an inverse alone."""
    parameter = INVERSES.get(operation.operator)
    if parameter is None:
        return operation.operator in CHECKPOINTED
    named = {keyword.arg: keyword.value for keyword in operation.call.keywords}
    return not is_none(operation.call.args[1] if len(operation.call.args) > 1 else named.get(parameter))
