"""Counts of a DataFrame, which compute nothing of what they count, as those of an RDD do."""

from __future__ import annotations

import ast

from migrate.columns import Refusal
from migrate.plan.frame import Frame
from migrate.plan.step import Step
from migrate.plan.tokens import tokens_of

SKIPS = "counting does not compute a value whose computation may raise"
UNCALLED = "what a function fails for whose results are only counted"


def check_counted(step: Step, frame: Frame, node: ast.expr) -> None:
    """Have it known that counting skips what a typed function of Python makes of each element.

    Args:
        step: the operator that counts, or whose callback does.
        frame: what is counted.
        node: the call.

    Raises:
        Refusal: it skips what must fail where Python does.
    """
    makes = any(getattr(call.func, "attr", "") in ("map", "mapValues") for call in frame.python)
    if tokens_of(frame.element) or (makes and step.basis.guards.fail_as_python_does):
        raise Refusal(SKIPS, node)
    if makes:
        step.need(gives=(UNCALLED,), looser=frozenset({step.operation}))
