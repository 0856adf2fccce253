"""Pairs: their key and value, and checks of the key."""

from __future__ import annotations

from migrate.columns import Element, Record, Refusal, leaves
from migrate.columns.shapes import Bool, Int, Maybe, Nothing, Str
from migrate.plan.draft.step import Step


def pair(element: Element, step: Step) -> tuple[Element, Element]:
    """The key and the value of an element.

    Raises:
        Refusal: the element is not known to be a pair.
    """
    if isinstance(element, Record) and len(element.items) == 2:
        return element.items[0], element.items[1]
    raise Refusal("the elements are not known to be pairs", step.operation.call)


def check_keys(step: Step, key: Element) -> None:
    """Check that Spark groups the keys as Python's dict does.

    Raises:
        Refusal: floats, whose NaN and -0.0 differ, lists, or keys of unknown type.
    """
    for leaf in leaves(key):
        shape = leaf.shape.of if isinstance(leaf.shape, Maybe) else leaf.shape
        if not isinstance(shape, Str | Int | Bool | Nothing):
            raise Refusal("the keys are not known to be texts, ints or truth values", step.operation.call)
