"""Shapes: what holds for both of two values, and what `show` prints as Python would."""

from __future__ import annotations

import pytest

from migrate.columns.shapes import (
    Bool,
    Float,
    Int,
    List,
    Maybe,
    Nothing,
    Shape,
    Str,
    Tuple,
    Unknown,
    join,
    show_difference,
)


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        (Str(), Str(), Str()),
        (Int(0, 5, 32), Int(3, 9), Int(0, 9)),
        (Float(finite=True), Float(), Float()),
        (List(Str(), 2), List(Str(), 1), List(Str(), 1)),
        (Tuple((Int(0, 1), Str())), Tuple((Int(5, 6), Str())), Tuple((Int(0, 6), Str()))),
        (Str(), Nothing(), Maybe(Str())),
        (Nothing(), Maybe(Str()), Maybe(Str())),
        (Nothing(), Nothing(), Nothing()),
        (Str(), Int(), None),
        (Bool(), Int(), None),
        (Tuple((Str(),)), Tuple((Str(), Str())), None),
        (List(Str()), List(Int()), None),
        (Maybe(Str()), Int(), None),
    ],
)
def test_join(left: Shape, right: Shape, expected: Shape | None) -> None:
    assert join(left, right) == expected
    assert join(right, left) == expected


def test_what_show_prints_as_python_does() -> None:
    assert show_difference(Str()) is None
    assert show_difference(Tuple((Str(), Tuple((Int(),))))) is None
    for shape in (Bool(), Float(), Maybe(Str()), List(Str()), Tuple((Str(), Bool())), Unknown("why")):
        assert show_difference(shape) is not None
        assert show_difference(shape)
