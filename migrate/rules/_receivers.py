"""Receivers of one group, as many as a comprehension or a loop makes: together they read each record once.

    streams = [KafkaUtils.createStream(ssc, zookeeper, "counters", {"pages": 1}) for _ in range(n)]

One source takes the place of all of them.
"""

from __future__ import annotations

import ast
from collections.abc import Container, Iterable

from migrate.graph.operations import Repeated
from migrate.plan.draft.step import Step
from migrate.plan.sources.repeated_sources import comprehended
from migrate.proofs.values.constants import literal
from migrate.syntax.nodes import walk
from migrate.syntax.quoting import quoted

NOTE = (
    "one source reads what all receivers of `{}` shared, as they were of one group; `union` failed where the "
    "program made none"
)
RATE = (
    "`{}` limited each receiver: the option maxOffsetsPerTrigger limits a whole batch, and would be that "
    "number times the receivers times the interval in seconds"
)
OTHERS = "a comprehension or a loop makes receivers of it, which may not be alike"
MORE = (
    "a comprehension or a loop makes receivers of it, and one source for all of them leaves out what else it "
    "does"
)
_HARMLESS = frozenset(
    {"range", "len", "int", "enumerate", "zip", "list", "sorted", "items", "keys", "values"}
)
"""Functions and methods that give values to make receivers with, and do nothing else."""


def check_alike(step: Step, place: Repeated, arguments: Iterable[ast.expr]) -> None:
    """Check that all receivers of a loop are alike, and that the loop does nothing else.

    Args:
        step: the call.
        place: the comprehension or loop.
        arguments: what must be the same for all of them.

    Raises:
        Blocked: it may not be so.
    """
    if place.values is None or any(_does_more(node) for node in walk(place.values)):
        raise step.blocked(MORE)
    if not all(is_same(argument, place) for argument in arguments):
        raise step.blocked(OTHERS)
    step.note(NOTE.format(step.shown(place.streams)))


def is_same(node: ast.expr, place: Repeated) -> bool:
    """Whether an argument is the same for all receivers."""
    nodes = walk(node)
    return not any(
        isinstance(part, ast.Call | ast.NamedExpr) or (isinstance(part, ast.Name) and part.id in place.bound)
        for part in nodes
    )


def joined(step: Step, each: ast.expr, place: Repeated) -> str:
    """The code of the texts that an expression has for all receivers, with commas between them.

    Raises:
        Blocked: it cannot be told.
    """
    if isinstance(each, ast.Name) and isinstance(place.target, ast.Name) and each.id == place.target.id:
        assert place.values is not None
        return f'",".join({quoted(place.values)})'
    texts = comprehended(quoted(each), place)
    if texts is None:
        raise step.blocked(OTHERS)
    return f'",".join({texts})'


def number_of(step: Step, place: Repeated) -> int | None:
    """How many receivers there are, where that is written out: ``range(3)``, or a variable for 3."""
    match place.values:
        case ast.Call(ast.Name("range"), [end], []):
            number = literal(end, step.facts)
            return number if isinstance(number, int) else None
        case ast.List(items) | ast.Tuple(items):
            return len(items)
    return None


def note_rate(step: Step, setting: str, mapped: Container[str]) -> None:
    """Tell of a limit of each receiver that no option has."""
    if setting not in mapped and any(setting in module.source for module in step.program.modules):
        step.note(RATE.format(setting))


def _does_more(node: ast.AST) -> bool:
    """Whether a part of an expression may do more than give a value."""
    if isinstance(node, ast.NamedExpr | ast.Await | ast.Yield | ast.YieldFrom):
        return True
    if not isinstance(node, ast.Call):
        return False
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    return name not in _HARMLESS
