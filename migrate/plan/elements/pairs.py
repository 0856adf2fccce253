"""Pairs: their key and value, and checks of the key."""

from __future__ import annotations

from migrate.columns import Element, Record, Refusal, leaves
from migrate.columns.shapes import Bool, Date, Float, Int, Maybe, Nothing, Str, Timestamp
from migrate.plan.draft.step import Step

FLOATS = "keys that are NaN are one key now, and -0.0 among keys is 0.0; --strict keeps RDD code"
_GROUPED = Str | Int | Float | Bool | Nothing | Date | Timestamp


def pair(element: Element, step: Step) -> tuple[Element, Element]:
    """The key and the value of an element.

    Raises:
        Refusal: the element is not known to be a pair.
    """
    if isinstance(element, Record) and len(element.items) == 2:
        return element.items[0], element.items[1]
    raise Refusal("the elements are not known to be pairs", step.operation.call)


def check_keys(step: Step, key: Element) -> None:
    """Check that Spark groups the keys as Python's dict does, or note which floats it takes otherwise.

    Raises:
        Refusal: lists, or keys of unknown type; floats, if all is to be as it was.
    """
    shapes = [leaf.shape.of if isinstance(leaf.shape, Maybe) else leaf.shape for leaf in leaves(key)]
    if not all(isinstance(shape, _GROUPED) for shape in shapes):
        raise Refusal(
            "the keys are not known to be texts, numbers, truth values or dates", step.operation.call
        )
    if any(isinstance(shape, Float) for shape in shapes):
        if step.options.strict:
            raise Refusal("keys that are NaN, or -0.0, are others for Spark", step.operation.call)
        step.note(FLOATS)
