"""The shape of an element of a stream: a str, an int, a tuple of shapes, a list of a shape, or unknown.

A shape is a promise about *every* element, as strong as it can be proven: `Str` is never None, `Int` fits in
64 bits. Nothing is guessed from sample data.
"""

from __future__ import annotations

from migrate.columns.characters import ANY, Characters
from migrate.facts.learnt import Learnt
from migrate.frozen import dataclass

INT_MIN, INT_MAX = -(2**63), 2**63 - 1
INT32_MIN, INT32_MAX = -(2**31), 2**31 - 1
LENGTH_MAX = INT32_MAX - 15
"""The longest text or array that Spark can hold (`ByteArrayMethods.MAX_ROUNDED_ARRAY_LENGTH`)."""


@dataclass(frozen=True)
class Shape:
    """The type of a value, with its bounds."""


@dataclass(frozen=True)
class Str(Shape):
    """A text of Unicode code points that UTF-8 can hold: what Spark reads from a source.

    It has no other `characters` than these, and `at_least` so many.
    """

    characters: Characters = ANY
    at_least: int = 0


@dataclass(frozen=True)
class Int(Shape):
    """An int between `low` and `high`, both inclusive, in a column of `width` bits (32 or 64).

    An `amount` counts rows, characters or items: no data is so large that a sum of such has not 64 bits.
    """

    low: int = INT_MIN
    high: int = INT_MAX
    width: int = 64
    amount: bool = False


@dataclass(frozen=True)
class Float(Shape):
    """An IEEE double; `finite` promises that it is neither infinite nor NaN.

    A column of `width` 32 has the nearest float of 32 bits.
    """

    finite: bool = False
    width: int = 64


@dataclass(frozen=True)
class Bool(Shape):
    """True or False."""


@dataclass(frozen=True)
class Bytes(Shape):
    """Bytes, in a binary column: those of Kafka, or of a text that the program encodes for a DataFrame."""


@dataclass(frozen=True)
class Date(Shape):
    """A day, a ``datetime.date``, in a date column."""


@dataclass(frozen=True)
class Timestamp(Shape):
    """A ``datetime.datetime`` that has no time zone, in a column of timestamps that have none either."""


@dataclass(frozen=True)
class Nothing(Shape):
    """None and nothing else."""


@dataclass(frozen=True)
class Maybe(Shape):
    """None or a value of the shape `of`; the column is null for None."""

    of: Shape


@dataclass(frozen=True)
class Tuple(Shape):
    """A tuple of exactly these items."""

    items: tuple[Shape, ...]


@dataclass(frozen=True)
class List(Shape):
    """A list of any length from `at_least` on, all of one shape; an array column.

    That it has `tested` items a condition before it says: what reads them must not be moved before that.
    """

    of: Shape
    at_least: int = 0
    tested: int = 0
    is_empty: bool = False
    """Whether it never has an item, so that `of` stands for any shape."""
    at_most: int | None = None
    """How many items it has at most, where that is known: ``line.split(",", 1)`` has two."""


@dataclass(frozen=True)
class Struct(Shape):
    """A dict with these keys, as the user says; a struct column."""

    fields: tuple[tuple[str, Shape], ...]


@dataclass(frozen=True)
class Json(Shape):
    """A value of JSON text of any type but what was learnt of it; a struct of it, its text and its place."""

    learnt: Learnt | None = None
    empty: bool = False
    """Whether an empty dict stands for it where its key is missing."""
    typed: frozenset[str] | None = None
    """The paths that are columns of it; None for a VARIANT with all of it."""
    bare: bool = False
    """Whether it is a VARIANT alone, of which nothing was learnt, so that its uses must say its type."""
    is_item: bool = False
    """Whether it is an item by its number: of a list, where its keys are read, and else perhaps of a text."""


@dataclass(frozen=True)
class Unknown(Shape):
    """A value of which nothing is proven; `reason` says why, for the report."""

    reason: str


@dataclass(frozen=True)
class Ignored(Unknown):
    """A value that nothing reads, so that any other could stand there."""


def text_or_none(shape: Shape) -> bool:
    """Return whether values are texts, or None."""
    return isinstance(shape.of if isinstance(shape, Maybe) else shape, Str)


def join(left: Shape, right: Shape) -> Shape | None:
    """Return the shape that holds for values of both shapes, or None where no column can hold both."""
    if left == right:
        return left
    if isinstance(left, Str) and isinstance(right, Str):
        return Str(left.characters | right.characters, min(left.at_least, right.at_least))
    if isinstance(left, Int) and isinstance(right, Int):
        return Int(min(left.low, right.low), max(left.high, right.high), max(left.width, right.width))
    if isinstance(left, Float) and isinstance(right, Float):
        return Float(left.finite and right.finite)
    if isinstance(left, List) and isinstance(right, List):
        item = join(left.of, right.of)
        tested = min(left.tested, right.tested)
        known = left.at_most is not None and right.at_most is not None
        most = max(left.at_most or 0, right.at_most or 0) if known else None
        least = min(left.at_least, right.at_least)
        return List(item, least, tested, at_most=most) if item is not None else None
    if isinstance(left, Tuple) and isinstance(right, Tuple) and len(left.items) == len(right.items):
        items = [join(one, other) for one, other in zip(left.items, right.items, strict=True)]
        return Tuple(tuple(item for item in items if item is not None)) if None not in items else None
    return _join_none(left, right)


def _join_none(left: Shape, right: Shape) -> Shape | None:
    if not isinstance(left, Nothing | Maybe) and not isinstance(right, Nothing | Maybe):
        return None
    values = [shape.of if isinstance(shape, Maybe) else shape for shape in (left, right)]
    known = [shape for shape in values if not isinstance(shape, Nothing)]
    if not known:
        return Nothing()
    value = known[0] if len(known) == 1 else join(known[0], known[1])
    return Maybe(value) if value is not None and not isinstance(value, Unknown) else None


def show_difference(shape: Shape) -> str | None:
    """Say how `show` prints such values otherwise than Python does, or None where the text is the same.

    Control characters in a text are not counted: `show` prints a tab as ``\\t``.
    """
    match shape:
        case Str() | Int():
            return None
        case Bool():
            return "`show` prints true and false for True and False"
        case Float():
            return "`show` prints some floats otherwise than Python does (1.0E16 for 1e+16)"
        case Bytes() | Maybe(Bytes()):
            return "`show` prints [61 62] for b'ab'"
        case Nothing() | Maybe():
            return "`show` prints NULL for None"
        case Date() | Timestamp():
            return "`show` prints 2024-05-01 for datetime.date(2024, 5, 1)"
        case Tuple(items):
            return next((text for item in items if (text := show_difference(item)) is not None), None)
        case List():
            return "`show` prints [a, b] for ['a', 'b']"
        case _:
            return "it is not known what an element is"
