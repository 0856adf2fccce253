"""What the outcome of a condition says of the values that it asks about.

Where ``len(parts) > 2`` holds, the list has three items at least; where ``re.match("^[a-z]+$", word)`` does,
the text is ASCII.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from migrate.columns.element import Element, Scalar, Tells
from migrate.columns.shapes import List, Maybe, Shape, Str, join
from migrate.frozen import replace

NOTHING: Mapping[str, Shape] = MappingProxyType({})


def telling(
    condition: Scalar, about: Scalar, *, holds: Shape | None = None, fails: Shape | None = None
) -> Scalar:
    """A condition that says something of a value.

    Args:
        condition: the condition.
        about: the value.
        holds: the shape of the value where the condition holds.
        fails: its shape where it does not.
    """
    return with_tells(condition, {about.code: holds} if holds else {}, {about.code: fails} if fails else {})


def with_tells(condition: Scalar, holds: Mapping[str, Shape], fails: Mapping[str, Shape]) -> Scalar:
    """A condition with the shapes of values where it holds, and where it fails."""
    return replace(condition, tells=Tells(tuple(holds.items()), tuple(fails.items())))


def opposite(condition: Scalar, of: Scalar) -> Scalar:
    """A condition that holds where `of` does not."""
    return with_tells(condition, dict(of.tells.fails), dict(of.tells.holds))


def joined(condition: Scalar, left: Scalar, right: Scalar, *, stops: bool) -> Scalar:
    """``left or right`` if `stops`, else ``left and right``."""
    if not any((left.tells.holds, left.tells.fails, right.tells.holds, right.tells.fails)):
        return condition
    holds, fails = (_common, also) if stops else (also, _common)
    return with_tells(
        condition,
        holds(dict(left.tells.holds), dict(right.tells.holds)),
        fails(dict(left.tells.fails), dict(right.tells.fails)),
    )


def also(left: Mapping[str, Shape], right: Mapping[str, Shape]) -> dict[str, Shape]:
    """All that is known of values, where two things are."""
    return {**left, **{code: narrowed(shape, left.get(code, shape)) for code, shape in right.items()}}


def _common(left: Mapping[str, Shape], right: Mapping[str, Shape]) -> dict[str, Shape]:
    both = {code: join(left[code], right[code]) for code in left.keys() & right.keys()}
    return {code: shape for code, shape in both.items() if shape is not None}


def narrowed(shape: Shape, told: Shape) -> Shape:
    """The shape of a value of which another one is known, too."""
    match shape, told:
        case Str(), Str():
            return Str(shape.characters & told.characters, max(shape.at_least, told.at_least))
        case List(), List():
            return replace(shape, tested=max(shape.tested, told.tested))
        case Maybe(of), _:
            return Maybe(narrowed(of, told))
    return shape


def under(element: Element, told: Mapping[str, Shape]) -> Element:
    """An element where something is known of its columns."""
    if not told:
        return element
    if isinstance(element, Scalar):
        shape = told.get(element.code)
        return element if shape is None else replace(element, shape=narrowed(element.shape, shape))
    return replace(element, items=tuple(under(item, told) for item in element.items))
