"""Counts of a DataFrame, which compute nothing of what they count, as those of an RDD do."""

from __future__ import annotations

import ast
import re

from migrate.columns import Refusal
from migrate.plan.draft.step import Step
from migrate.plan.elements.caught_errors import is_caught
from migrate.plan.frames.frame import Frame
from migrate.plan.frames.tokens import tokens_of
from migrate.proofs.analysis.call_graph import Reached
from migrate.proofs.callbacks.roles import Callback, is_rdd
from migrate.syntax.nodes import walk

SKIPS = "counting does not compute a value whose computation may raise"
UNCALLED = "what a function fails for whose results are only counted"
_COUNTED = re.compile(r"\bcount\s*\(\s*(?:\*|\d)", re.IGNORECASE)
"""Counts of rows in SQL, which read no column."""
_GROUPED = frozenset({"groupBy", "groupby", "rollup", "cube"})


def check_counted(step: Step, frame: Frame, node: ast.expr) -> None:
    """Have it known that counting skips what a typed function of Python makes of each element.

    Args:
        step: the operator that counts, or whose callback does.
        frame: what is counted.
        node: the call.

    Raises:
        Refusal: it skips what must fail where Python does.
    """
    makes = skips(frame)
    if tokens_of(frame.element) or (makes and step.basis.guards.fail_as_python_does):
        raise Refusal(SKIPS, node)
    if makes:
        own = frozenset({step.operation})
        step.need(gives=(UNCALLED,), looser=own, often=own)


def skips(frame: Frame) -> bool:
    """Whether counting rows skips typed functions of Python that make the elements."""
    return any(getattr(call.func, "attr", "") in ("map", "mapValues") for call in frame.python)


def check_computed(step: Step, callback: Callback, frame: Frame, node: ast.expr) -> None:
    """Check that a callback computes what typed functions make of the elements of its DataFrames, as of RDDs.

    Raises:
        Refusal: it counts rows, which computes nothing of them, and somebody catches errors.
    """
    if skips(frame) and is_caught(step, callback) and any(map(_counts, _nodes(step, callback))):
        raise Refusal(SKIPS, node)


def _nodes(step: Step, callback: Callback) -> list[ast.AST]:
    """The nodes of a callback, without its RDDs, and of the functions that it calls."""
    reached = Reached([callback.node], step.facts, handed=False).of(ast.Call, ast.Constant)
    return [node for node, _ in reached if not is_rdd(_receiver(node), callback.rdds)]


def _receiver(node: ast.AST) -> ast.AST:
    """What a method is called on."""
    match node:
        case ast.Call(ast.Attribute(receiver)):
            return receiver
    return node


def _counts(node: ast.AST) -> bool:
    """Whether code counts the rows of a DataFrame."""
    match node:
        case ast.Constant(str(text)):
            return _COUNTED.search(text) is not None
        case ast.Call(ast.Attribute(receiver, "count" | "isEmpty"), [], []):
            return not any(
                isinstance(part, ast.Attribute) and part.attr in _GROUPED for part in walk(receiver)
            )
    return False
