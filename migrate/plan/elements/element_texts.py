"""The text of an element in Python, ``str(element)``, as a column."""

from __future__ import annotations

import ast
import itertools
from typing import NamedTuple

from migrate.columns import Element, Helper, Scalar, leaves
from migrate.columns.code import argument
from migrate.columns.element import ATOM
from migrate.columns.shapes import (
    Bool,
    Date,
    Float,
    Int,
    List,
    Maybe,
    Nothing,
    Shape,
    Str,
    Timestamp,
    text_or_none,
)
from migrate.knowledge.streaming import SAVES_TEXTS
from migrate.plan.draft.step import Step
from migrate.plan.frames.frame import Frame
from migrate.plan.frames.row_elements import tuple_of
from migrate.plan.new_code.code import Call

_TUPLE = Helper(
    "tuple_text",
    '''\
@F.udf
def tuple_text(*row):
    """The text of a tuple, as Python writes it."""
    return str(row)''',
)


FILES = (
    "how many part files a batch is saved in is left to Spark, unless `repartition(n)` stands before "
    "`write`; DStreams wrote one for each partition of the RDD, empty ones too"
)


class Text(NamedTuple):
    """The text of an element."""

    code: str
    """Code of its column."""
    in_python: bool = False
    """Whether a Python function makes it."""


def text_of(step: Step, frame: Frame) -> Text | None:
    """The text of an element of a frame.

    None where an element is or holds something whose text may be another one as a column's value.
    """
    element = frame.element
    if isinstance(element, Scalar) and isinstance(element.shape, Str):
        return Text(argument(element))
    if isinstance(element, Scalar) and isinstance(element.shape, Int):
        number = element.code if element.precedence == ATOM else f"({element.code})"
        return Text(f'{number}.cast("string")')
    if isinstance(element, Scalar) and text_or_none(element.shape):
        return Text(f'F.coalesce({argument(element)}, F.lit("None"))')
    if not all(_same_in_python(leaf.shape) for leaf in leaves(element)):
        return None
    columns = ", ".join(argument(leaf) for leaf in leaves(element))
    return Text(f"{_to_text(step, element)}({columns})", in_python=True)


def as_texts(step: Step, frame: Frame) -> Frame | None:
    """The frame with each element's text in Python, ``str(element)``, as its only column.

    None where an element is or holds something whose text may be another one as a column's value.
    """
    frame = frame.elements_only()
    if isinstance(frame.element, Scalar) and isinstance(frame.element.shape, Str) and not frame.pending:
        return frame
    text = text_of(step, frame)
    return None if text is None else frame.call(Call("select", text.code), pending=False)


def is_only_saved(step: Step) -> bool:
    """Whether what an operator makes is saved as texts, and nothing else reads it."""
    call = step.operation.call
    if step.callback is None:
        return [one.operator for one in step.operation.consumers] == [SAVES_TEXTS]
    method = step.facts.above.get(call)
    return isinstance(method, ast.Attribute) and method.attr == "saveAsTextFile"


def _to_text(step: Step, element: Element) -> str:
    """A function of columns for the text of an element."""
    if isinstance(element, Scalar):
        return "F.udf(lambda value: str(value))"  # Spark looks for a signature, and `str` has none
    if all(isinstance(item, Scalar) for item in element.items):
        return step.helper(_TUPLE)
    return f"F.udf(lambda *row: str({tuple_of(element, itertools.count())}))"


def _same_in_python(shape: Shape) -> bool:
    """Whether a Python function gets a column's value as the very object that the element holds."""
    while isinstance(shape, Maybe | List):
        shape = shape.of
    return isinstance(shape, Str | Int | Float | Bool | Nothing | Date | Timestamp)
