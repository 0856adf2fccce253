"""Which function evaluates which operator."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from compat._structured.batches.evaluate import Evaluation
    from compat._structured.batches.frame import Frame
    from compat.graph import Node, Output, Stream

Work = Callable[[], None]
"""What an output does with its batch, once everything of it was read from the program."""
Reads = Iterable[tuple["Stream", int]]
"""Streams, and the batch time of each."""


class Action(NamedTuple):
    """What is left to do for an output of a batch."""

    output: Output
    run: Work


class Operator(NamedTuple):
    """How a stream makes its batches."""

    evaluate: Callable[[Any, Evaluation, int], Frame | None]
    """From node, run and batch time to the batch."""
    reads: Callable[[Any, Evaluation, int], Reads]
    """The batches that `evaluate` asks for."""


OPERATORS: dict[type[Node], Operator] = {}
OUTPUTS: dict[type[Node], Callable[[Any, Evaluation, int, Frame], Work]] = {}


def parents_now(node: Stream, run: Evaluation, time: int) -> Reads:
    """What most operators read: the batches of the parents at the same time."""
    return [(parent, time) for parent in node.parents]


def evaluates(
    kind: type[Node], reads: Callable[[Any, Evaluation, int], Reads] = parents_now
) -> Callable[[Any], Any]:
    """Register the function that evaluates `kind`."""

    def register(function: Any) -> Any:
        OPERATORS[kind] = Operator(function, reads)
        return function

    return register


def puts_out(kind: type[Node]) -> Callable[[Any], Any]:
    """Register the function that prepares the output `kind`."""

    def register(function: Any) -> Any:
        OUTPUTS[kind] = function
        return function

    return register
