"""Types of Python values: a type is a set of kinds, of which a value has one.

``{Text(), Nothing()}`` is a str or None; the empty set is the type of what always raises.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Iterable, Iterator

from migrate.columns.element import Refusal
from migrate.columns.shapes import (
    INT_MAX,
    INT_MIN,
    Bool,
    Bytes,
    Date,
    Float,
    Ignored,
    Int,
    List,
    Maybe,
    Shape,
    Str,
    Timestamp,
)
from migrate.columns.shapes import Nothing as NothingShape
from migrate.frozen import dataclass


@dataclass(frozen=True)
class Kind:
    """One kind of values."""


Type = frozenset[Kind]


@dataclass(frozen=True)
class Text(Kind):
    """A str; a `clean` one has no lone surrogates, which UTF-8, and so a column, cannot hold."""

    clean: bool = True


@dataclass(frozen=True)
class Whole(Kind):
    """An int between `low` and `high`, both inclusive."""

    low: float = -math.inf
    high: float = math.inf

    @property
    def fits(self) -> bool:
        """Whether a column of 64 bits holds it."""
        return self.low >= INT_MIN and self.high <= INT_MAX


@dataclass(frozen=True)
class Real(Kind):
    """A float."""


@dataclass(frozen=True)
class Truth(Kind):
    """A bool."""


@dataclass(frozen=True)
class Nothing(Kind):
    """None."""


@dataclass(frozen=True)
class Opaque(Kind):
    """An object of a known class on the way to a value: bytes, a hash, a date."""

    name: str


@dataclass(frozen=True)
class Naive(Opaque):
    """A datetime that has no time zone for certain."""


@dataclass(frozen=True)
class Dataset(Opaque):
    """An RDD, with the type of its elements."""

    of: Type


@dataclass(frozen=True)
class Pattern(Opaque):
    """A compiled regular expression, of which it is known how many groups it has."""

    groups: int
    text: str
    flags: int


@dataclass(frozen=True)
class Match(Opaque):
    """What a regular expression found.

    Attributes:
        groups: how many groups that has, if it is known.
        clean: whether the text that it was found in is a clean one.
    """

    groups: int | None
    clean: bool


@dataclass(frozen=True)
class Foreign(Kind):
    """What a library outside of Python's own gives: a value of any type.

    `made` is the qualified name of what gave it, if that is known: ``textblob.TextBlob.sentiment``.
    """

    made: str = ""


@dataclass(frozen=True)
class Items(Kind):
    """A tuple of known length.

    Attributes:
        types: those of its items.
        names: those of the fields of a namedtuple or of Spark's Row.
        is_row: whether it is Spark's Row.
        mixed: whether it may be one of several with other names each, of which columns show one alone.
    """

    types: tuple[Type, ...]
    names: tuple[str, ...] = ()
    is_row: bool = False
    mixed: bool = False


@dataclass(frozen=True)
class Instance(Kind):
    """An object of a class of the project that only holds values, by the names of its attributes."""

    names: tuple[str, ...]
    types: tuple[Type, ...]


@dataclass(frozen=True)
class Unset(Kind):
    """The object that a constructor is given: the types of its attributes stand beside those of variables."""


@dataclass(frozen=True)
class ListOf(Kind):
    """A list of any length.

    Attributes:
        of: the type of its items.
        known: the types of its items one by one, if that is how many it has.
        is_view: whether it may be a view of a dict, ``counts.keys()``, which no column takes for a list.
        filled: whether it has an item for certain.
        at: the types of items at certain places, counted from the first, if they are there.
        others: the type of those at all other places, if there are such.
        at_most: how many items it has at most, where that is known: ``line.split(",", 1)`` has two.
    """

    of: Type
    known: tuple[Type, ...] = ()
    is_view: bool = False
    filled: bool = False
    at: tuple[tuple[int, Type], ...] = ()
    others: Type = frozenset()
    at_most: int | None = None

    def item(self, place: int) -> Type:
        """The type of the item at a place, counted from the first."""
        return dict(self.at).get(place, self.others if self.at else self.of)


@dataclass(frozen=True)
class SetOf(Kind):
    """A set of any size."""

    of: Type


@dataclass(frozen=True)
class DictOf(Kind):
    """A dict; `known` are the types of constant keys that are certain to be there."""

    keys: Type
    values: Type
    known: tuple[tuple[str, Type], ...] = ()


@dataclass(frozen=True)
class Iterating(Kind):
    """A generator, a ``map`` or the like: it gives values of one type, once."""

    of: Type


@dataclass(frozen=True)
class Own(Kind):
    """A function that is defined inside of another one and called there."""

    node: ast.FunctionDef


@dataclass(frozen=True)
class Json(Kind):
    """What ``json.loads`` returns: a dict, list, str, int, float, bool or None."""


NEVER: Type = frozenset()
TEXT: Type = frozenset({Text()})
ANY_TEXT: Type = frozenset({Text(clean=False)})
WHOLE: Type = frozenset({Whole()})
SIZE: Type = frozenset({Whole(0, 2**62)})
REAL: Type = frozenset({Real()})
TRUTH: Type = frozenset({Truth()})
NOTHING: Type = frozenset({Nothing()})
JSON: Type = frozenset({Json()})
FOREIGN: Type = frozenset({Foreign()})
DATE: Type = frozenset({Opaque("date")})
NAIVE: Type = frozenset({Naive("datetime")})
PARTS_OF_JSON: Type = frozenset(
    {Text(clean=False), Whole(), Real(), Truth(), Nothing(), ListOf(JSON), DictOf(ANY_TEXT, JSON)}
)


def is_foreign(found: Type) -> bool:
    """Whether all values of a type are what libraries give."""
    return bool(found) and all(isinstance(kind, Foreign) for kind in found)


def one(kind: Kind) -> Type:
    """The type of one kind."""
    return frozenset({kind})


def own_function(found: Type) -> ast.FunctionDef | None:
    """The function that a type is the only one of."""
    kinds = [kind.node for kind in found if isinstance(kind, Own)]
    return kinds[0] if len(kinds) == len(found) == 1 else None


def kinds_of(kind: Type) -> Iterator[Kind]:
    """The kinds of a type, in a fixed order; JSON by its parts."""
    parts = {part for each in kind for part in (PARTS_OF_JSON if isinstance(each, Json) else (each,))}
    return iter(sorted(parts, key=repr) if len(parts) > 1 else parts)


def join(*types: Type) -> Type:
    """The type of a value that has one of these types."""
    found: dict[object, Kind] = {}
    for kind in (kind for each in types for kind in each):
        key = _key(kind)
        found[key] = _both(found[key], kind) if key in found else kind
    if Json in found:
        return frozenset(kind for kind in found.values() if not isinstance(kind, _PLAIN))
    return frozenset(found.values())


_PLAIN = Text | Whole | Real | Truth | Nothing
"""Kinds that JSON has, too."""


def joined(types: Iterable[Type]) -> Type:
    """`join` of any number of types."""
    return join(*types)


def _key(kind: Kind) -> object:
    match kind:
        case Items(types):
            return Items, len(types)
        case Instance(names):
            return Instance, names
    return kind if type(kind) in _DISTINCT else type(kind)


_DISTINCT = frozenset({Opaque, Own})
"""Kinds of which a type can have several."""


def _both(left: Kind, right: Kind) -> Kind:
    match left, right:
        case Text(), Text():
            return Text(left.clean and right.clean)
        case Whole(), Whole():
            return Whole(min(left.low, right.low), max(left.high, right.high))
        case ListOf(of), ListOf(more):
            alike = len(left.known) == len(right.known)
            items = zip(left.known, right.known, strict=True) if alike else ()
            known = tuple(join(*pair) for pair in items)
            is_view, filled = left.is_view or right.is_view, left.filled and right.filled
            places = sorted({*dict(left.at), *dict(right.at)})
            at = tuple((place, join(left.item(place), right.item(place))) for place in places)
            others = join(left.others if left.at else of, right.others if right.at else more)
            return ListOf(join(of, more), known, is_view, filled, at, others if at else NEVER)
        case SetOf(of), SetOf(more):
            return SetOf(join(of, more))
        case Foreign(), Foreign() if left != right:
            return Foreign()
        case Match(), Match():
            groups = left.groups if left.groups == right.groups else None
            return Match(left.name, groups, left.clean and right.clean)
        case Pattern(), _ if left != right:
            return Opaque(left.name)
        case Iterating(of), Iterating(more):
            return Iterating(join(of, more))
        case DictOf(), DictOf():
            other = dict(right.known)
            certain = tuple((name, join(of, other[name])) for name, of in left.known if name in other)
            return DictOf(join(left.keys, right.keys), join(left.values, right.values), certain)
        case Items(), Items():
            types = tuple(join(*pair) for pair in zip(left.types, right.types, strict=True))
            alike = (left.names, left.is_row) == (right.names, right.is_row)
            mixed = left.mixed or right.mixed or not alike
            return Items(types, mixed=True) if mixed else Items(types, left.names, left.is_row)
        case Instance(), Instance():
            pairs = zip(left.types, right.types, strict=True)
            return Instance(left.names, tuple(join(*pair) for pair in pairs))
    return left


def widened(before: Type, after: Type) -> Type:
    """`after` without bounds of ints that have grown since `before`, so that a loop comes to an end."""
    if before == after:
        return after
    return frozenset(_unbounded(kind) for kind in after)


def _unbounded(kind: Kind) -> Kind:
    match kind:
        case Whole():
            return Whole()
        case ListOf(of):
            return ListOf(frozenset(map(_unbounded, of)), is_view=kind.is_view, filled=kind.filled)
        case SetOf(of) | Iterating(of):
            return type(kind)(frozenset(map(_unbounded, of)))
        case DictOf(keys, values, known):
            inner = tuple((name, frozenset(map(_unbounded, of))) for name, of in known)
            return DictOf(frozenset(map(_unbounded, keys)), frozenset(map(_unbounded, values)), inner)
        case Items(types, names, is_row, mixed):
            return Items(tuple(frozenset(map(_unbounded, of)) for of in types), names, is_row, mixed)
        case Instance(names, types):
            return Instance(names, tuple(frozenset(map(_unbounded, of)) for of in types))
    return kind


def of_shape(shape: Shape) -> Type:
    """The type of the values in a column.

    Raises:
        Refusal: it is not known.
    """
    match shape:
        case Str():
            return TEXT
        case Int(low, high):
            return one(Whole(low, high))
        case Float():
            return REAL
        case Bool():
            return TRUTH
        case Bytes():
            return one(Opaque("bytes"))
        case Date():
            return DATE
        case Timestamp():
            return NAIVE
        case NothingShape():
            return NOTHING
        case Maybe(of):
            return join(of_shape(of), NOTHING)
        case List(of):
            return one(ListOf(of_shape(of)))
        case Ignored():
            return FOREIGN
    raise Refusal("an element is of no known type", ast.Constant(None))


def of_constant(value: object) -> Type | None:
    """The type of a constant; None for one of a kind that is not known."""
    match value:
        case None:
            return NOTHING
        case bool():
            return TRUTH
        case int():
            return one(Whole(value, value))
        case float():
            return REAL
        case str():
            return one(Text(not any(0xD800 <= ord(char) < 0xE000 for char in value)))
        case bytes():
            return one(Opaque("bytes"))
        case tuple():
            items = [of_constant(item) for item in value]
            return None if None in items else one(Items(tuple(item for item in items if item is not None)))
        case list() | set() | frozenset():
            items = [of_constant(item) for item in value]
            of = joined(item for item in items if item is not None)
            return None if None in items else one(ListOf(of) if isinstance(value, list) else SetOf(of))
        case dict():
            keys, values = [of_constant(key) for key in value], [of_constant(item) for item in value.values()]
            if None in keys or None in values:
                return None
            found = [item for item in values if item is not None]
            known = [(key, of) for key, of in zip(value, found, strict=True) if isinstance(key, str)]
            return one(DictOf(joined(key for key in keys if key is not None), joined(found), tuple(known)))
    return None


def items_of(kind: Kind) -> Type | None:
    """The type of the items of a value; None where a loop over it raises."""
    match kind:
        case Text():
            return one(kind)
        case Items(types):
            return joined(types)
        case ListOf(of) | SetOf(of) | Iterating(of):
            return of
        case DictOf(keys):
            return keys
        case Opaque("bytes"):
            return one(Whole(0, 255))
        case Opaque("file"):
            return TEXT
        case Foreign():
            return FOREIGN
    return None
