"""Letters beyond ASCII that a later filter leaves out: ``words.map(str.lower).filter(str.isalpha)``.

For which of them Python and Spark agree on ``lower`` decides nothing then.
"""

from __future__ import annotations

import ast

from migrate.columns import Element, Record, Refusal, Scalar, compile_filter
from migrate.columns.functions import FunctionNode
from migrate.columns.only_ascii import cased
from migrate.columns.shapes import Maybe, Str
from migrate.frozen import replace
from migrate.graph.program import Operation
from migrate.plan.draft.step import Step


def letters_left_out(
    step: Step, function: FunctionNode, made: Element, *, in_pieces: bool = False
) -> frozenset[ast.AST]:
    """The calls of ``lower`` and ``upper`` whose texts no output gets unless they are ASCII.

    Args:
        step: the operator.
        function: its function.
        made: an element that it makes.
        in_pieces: whether elements are made of the items of a list that the function gives.
    """
    if not isinstance(function, ast.Lambda):
        return frozenset()
    parts, record = [function.body], Record((made,))
    if isinstance(function.body, ast.Tuple) and isinstance(made, Record) and not in_pieces:
        parts, record = function.body.elts, made
    calls = {number: call for number, part in enumerate(parts) if (call := cased(part, in_pieces=in_pieces))}
    if not calls:
        return frozenset()
    named = _named(record)
    given = named if record is made else named.items[0]
    return frozenset(
        call for number, call in calls.items() if _are_left_out(step, step.operation, given, _column(number))
    )


def _named(made: Record) -> Record:
    """An element whose items are columns with names of their own, by which filters tell of them."""
    items = tuple(
        Scalar(_column(number), item.shape) if isinstance(item, Scalar) else item
        for number, item in enumerate(made.items)
    )
    return replace(made, items=items)


def _column(number: int) -> str:
    return f'F.col("part{number}")'


def _are_left_out(step: Step, operation: Operation, element: Element, column: str) -> bool:
    """Whether all that reads a stream first leaves out each element whose text in a column is not ASCII."""
    readers = [reader for reader in operation.consumers if reader in step.basis.live]
    return bool(readers) and all(_leaves_out(step, reader, element, column) for reader in readers)


def _leaves_out(step: Step, reader: Operation, element: Element, column: str) -> bool:
    if reader.operator != "filter" or len(reader.call.args) != 1 or reader.call.keywords:
        return False
    try:
        condition = compile_filter(reader.call.args[0], [element], step.scope).element
    except Refusal:
        return False
    if not isinstance(condition, Scalar) or condition.partial:
        return False
    shape = dict(condition.tells.holds).get(column)
    shape = shape.of if isinstance(shape, Maybe) else shape
    told = isinstance(shape, Str) and shape.characters.is_ascii
    return told or _are_left_out(step, reader, element, column)
