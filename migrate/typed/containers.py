"""Methods of lists, dicts, sets and tuples, and builtins that go through values, by their items' types."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from migrate.typed.types import (
    FOREIGN,
    NEVER,
    NOTHING,
    REAL,
    SIZE,
    TEXT,
    TRUTH,
    WHOLE,
    DictOf,
    Foreign,
    Items,
    Iterating,
    Kind,
    ListOf,
    Nothing,
    Opaque,
    Real,
    SetOf,
    Text,
    Truth,
    Type,
    Whole,
    items_of,
    join,
    joined,
    kinds_of,
    one,
)

CHANGING = frozenset(
    {"append", "extend", "insert", "remove", "reverse", "sort", "clear", "add", "discard", "update"}
    | {"pop", "setdefault", "popitem"}
)
"""Methods that change a list, dict or set."""


def changed(kind: Kind, name: str, arguments: Sequence[Type]) -> tuple[Kind, Type] | None:
    """A container after a call of one of its methods, and the result of the call; None if it is not known."""
    match kind, name, arguments:
        case (ListOf(of), "append", [item]) | (ListOf(of), "insert", [_, item]):
            return ListOf(join(of, item)), NOTHING
        case ListOf(of), "extend", [more]:
            inner = gone_through(more)
            return None if inner is None else (ListOf(join(of, inner)), NOTHING)
        case (ListOf(of), "reverse" | "clear" | "sort", []) | (ListOf(of), "remove", [_]):
            return ListOf(of), NOTHING
        case ListOf(of), "pop", [] | [_]:
            return ListOf(of), of
        case SetOf(of), "add", [item]:
            return SetOf(join(of, item)), NOTHING
        case SetOf(), "discard" | "remove", [_]:
            return kind, NOTHING
        case SetOf(of), "update", [more]:
            inner = gone_through(more)
            return None if inner is None else (SetOf(join(of, inner)), NOTHING)
        case DictOf(keys, values), "update", [more] if all(isinstance(k, DictOf) for k in more):
            found = [k for k in more if isinstance(k, DictOf)]
            return DictOf(
                join(keys, *(k.keys for k in found)), join(values, *(k.values for k in found))
            ), NOTHING
        case DictOf(keys, values), "setdefault", [key, value]:
            return DictOf(join(keys, key), join(values, value)), join(values, value)
        case DictOf(keys, values), "pop", [_]:
            return DictOf(keys, values), values
        case DictOf(keys, values), "pop", [_, default]:
            return DictOf(keys, values), join(values, default)
    return None


def with_item(kind: ListOf, place: int | None, value: Type) -> ListOf:
    """A list after ``row[place] = value``, at a place that is not known if it is None."""
    of = join(kind.of, value)
    if place is None or place < 0:
        return ListOf(of)
    at = {**dict(kind.at), place: value}
    return ListOf(of, at=tuple(sorted(at.items())), others=kind.others if kind.at else kind.of)


def asked(kind: Kind, name: str, arguments: Sequence[Type]) -> Type | None:
    """The result of a method that changes nothing; None where it is not known."""
    match kind, name, arguments:
        case DictOf(keys), "keys", []:
            return one(ListOf(keys, is_view=True))
        case DictOf(_, values), "values", []:
            return one(ListOf(values, is_view=True))
        case DictOf(keys, values), "items", []:
            return one(ListOf(one(Items((keys, values))), is_view=True))
        case DictOf(_, values), "get", [_]:
            return join(values, NOTHING)
        case DictOf(_, values), "get", [_, default]:
            return join(values, default)
        case DictOf(keys, values), "most_common", [] | [_]:  # of a Counter; a dict has no such method
            return one(ListOf(one(Items((keys, values)))))
        case ((DictOf() | ListOf() | SetOf()), "copy", []):
            return one(kind)
        case SetOf(of), "union" | "intersection" | "difference" | "symmetric_difference", [more]:
            inner = gone_through(more)
            return None if inner is None else one(SetOf(join(of, inner) if name[1] == "n" else of))
        case SetOf(), "issubset" | "issuperset" | "isdisjoint", [_]:
            return TRUTH
        case Text(), "format", _:
            return one(Text(False)) if not kind.clean else one(Text())  # checked by the caller
    return None


def gone_through(argument: Type) -> Type | None:
    """The type of what going through a value gives; None where it is not known.

    What cannot be gone through raises.
    """
    if any(not isinstance(kind, _KNOWN) and kind not in _GIVING for kind in kinds_of(argument)):
        return None
    return joined(items_of(kind) or NEVER for kind in kinds_of(argument))


_KNOWN = (Text, Whole, Real, Truth, Nothing, Items, ListOf, SetOf, DictOf, Iterating, Foreign)
_GIVING = (Opaque("bytes"), Opaque("file"))


def called(name: str, arguments: Sequence[Type]) -> Type | None:
    """The result of a builtin that goes through its arguments; None where it is not known."""
    rule = _BUILTINS.get(name)
    return rule(arguments) if rule is not None else None


def _collected(kind: type[ListOf] | type[SetOf]) -> Callable[[Sequence[Type]], Type | None]:
    def rule(arguments: Sequence[Type]) -> Type | None:
        if not arguments:
            return one(kind(NEVER))
        inner = gone_through(arguments[0]) if len(arguments) == 1 else None
        return None if inner is None else one(kind(inner))

    return rule


def _tuple(arguments: Sequence[Type]) -> Type | None:
    (kind,) = arguments[0] if len(arguments) == 1 and len(arguments[0]) == 1 else (None,)
    if isinstance(kind, Items):
        return one(Items(kind.types))
    inner = gone_through(arguments[0]) if len(arguments) == 1 else None
    return None if inner is None else FOREIGN  # of any length


def _dict(arguments: Sequence[Type]) -> Type | None:
    if not arguments:
        return one(DictOf(NEVER, NEVER))
    inner = gone_through(arguments[0]) if len(arguments) == 1 else None
    if arguments and len(arguments[0]) == 1 and isinstance(next(iter(arguments[0])), DictOf):
        return arguments[0]
    match list(inner or ()):
        case [Items((key, value))] | [ListOf(known=(key, value))]:
            return one(DictOf(key, value))
        case [ListOf(of)]:  # text.split("="), which raises where it has more items, or less
            return one(DictOf(of, of))
    return None


def _counter(arguments: Sequence[Type]) -> Type | None:
    """``Counter(words)``: a dict of ints."""
    if not arguments:
        return one(DictOf(NEVER, WHOLE))
    if len(arguments) == 1 and all(isinstance(kind, DictOf) for kind in arguments[0]):
        return arguments[0]
    inner = gone_through(arguments[0]) if len(arguments) == 1 else None
    return None if inner is None else one(DictOf(inner, SIZE))


def _lines(arguments: Sequence[Type]) -> Type | None:
    """``io.StringIO(text)``: its lines, of which None has none."""
    kinds = list(kinds_of(arguments[0])) if len(arguments) == 1 else []
    texts = frozenset(kind for kind in kinds if isinstance(kind, Text))
    is_known = bool(kinds) and all(isinstance(kind, Text | Nothing) for kind in kinds)
    return one(Iterating(texts)) if is_known else None


def _sum(arguments: Sequence[Type]) -> Type | None:
    if arguments and all(isinstance(kind, _SUMMED) for kind in kinds_of(arguments[0])):
        return NEVER  # it goes through no number
    inner = gone_through(arguments[0]) if len(arguments) in (1, 2) else None
    start = arguments[1] if len(arguments) > 1 else one(Whole(0, 0))
    kinds = list(kinds_of(inner or NEVER))
    if inner is None or any(not isinstance(kind, _SUMMED) for kind in (*kinds, *kinds_of(start))):
        return None
    # a sum of floats is one, if there are any: it begins with an int else
    found: Type = NEVER if _is_filled(arguments[0]) and {*map(type, kinds)} == {Real} else start
    if any(isinstance(kind, Whole | Truth) for kind in kinds):
        found = join(found, WHOLE)
    return join(found, REAL) if any(isinstance(kind, Real) for kind in kinds) else found


def _is_filled(found: Type) -> bool:
    """Whether a value is a list that has an item for certain."""
    return all(isinstance(kind, ListOf) and kind.filled for kind in found)


_SUMMED = Whole | Real | Truth | Nothing
"""What a sum may go through: it raises for None, which it gives back where that is all it starts with."""


def _extreme(arguments: Sequence[Type]) -> Type | None:
    return gone_through(arguments[0]) if len(arguments) == 1 else joined(arguments)


def _enumerate(arguments: Sequence[Type]) -> Type | None:
    inner = gone_through(arguments[0]) if len(arguments) == 1 else None
    return None if inner is None else one(Iterating(one(Items((SIZE, inner)))))


def _zip(arguments: Sequence[Type]) -> Type | None:
    inner = [gone_through(argument) for argument in arguments]
    known = tuple(item for item in inner if item is not None)
    return one(Iterating(one(Items(known)))) if len(known) == len(inner) else None


def _range(arguments: Sequence[Type]) -> Type | None:
    kinds = [kind for argument in arguments for kind in kinds_of(argument)]
    bounds = [kind for kind in kinds if isinstance(kind, Whole)]
    if not kinds or len(bounds) != len(kinds):
        return None
    low, high = min(0, *(b.low for b in bounds), 0), max(0, *(b.high for b in bounds), 0)
    return one(ListOf(one(Whole(low, high))))


def _reversed(arguments: Sequence[Type]) -> Type | None:
    inner = gone_through(arguments[0]) if len(arguments) == 1 else None
    return None if inner is None else one(Iterating(inner))


def _any(arguments: Sequence[Type]) -> Type | None:
    return TRUTH if len(arguments) == 1 and gone_through(arguments[0]) is not None else None


def _chained(arguments: Sequence[Type]) -> Type | None:
    inner = [gone_through(argument) for argument in arguments]
    return None if None in inner else one(Iterating(joined(each for each in inner if each is not None)))


def _combined(arguments: Sequence[Type]) -> Type | None:
    """``itertools.combinations(words, 2)``: tuples of as many as a number says that is known."""
    inner = gone_through(arguments[0]) if len(arguments) == 2 else None
    number = list(kinds_of(arguments[1])) if inner is not None else []
    match number:
        case [Whole(low, high)] if inner is not None and 0 < low == high <= _MOST_COMBINED:
            return one(Iterating(one(Items((inner,) * int(low)))))
    return None


_MOST_COMBINED = 20


def _next(arguments: Sequence[Type]) -> Type | None:
    """``next(reader)``, ``next(reader, None)``."""
    if not arguments or not all(isinstance(kind, Iterating) for kind in kinds_of(arguments[0])):
        return None
    inner = gone_through(arguments[0])
    return None if inner is None or len(arguments) > 2 else join(inner, *arguments[1:])


def _read(arguments: Sequence[Type]) -> Type | None:
    """``csv.reader([line])``: lists of texts."""
    inner = gone_through(arguments[0]) if len(arguments) == 1 else None
    if inner is None or not all(isinstance(kind, Text) for kind in kinds_of(inner)):
        return None
    return one(Iterating(one(ListOf(inner))))


def _words(arguments: Sequence[Type]) -> Type | None:
    """``shlex.shlex(line)``: its words."""
    is_clean = bool(arguments) and all(
        isinstance(kind, Text) and kind.clean for kind in kinds_of(arguments[0])
    )
    return one(Iterating(TEXT)) if len(arguments) == 1 and is_clean else None


def _float_sum(arguments: Sequence[Type]) -> Type | None:
    """``math.fsum(numbers)``."""
    inner = gone_through(arguments[0]) if len(arguments) == 1 else None
    return None if inner is None or not all(isinstance(kind, _SUMMED) for kind in inner) else REAL


_BUILTINS: dict[str, Callable[[Sequence[Type]], Type | None]] = {
    "list": _collected(ListOf),
    "sorted": _collected(ListOf),
    "set": _collected(SetOf),
    "frozenset": _collected(SetOf),
    "tuple": _tuple,
    "dict": _dict,
    "sum": _sum,
    "max": _extreme,
    "min": _extreme,
    "enumerate": _enumerate,
    "zip": _zip,
    "range": _range,
    "reversed": _reversed,
    "any": _any,
    "all": _any,
    "next": _next,
    "csv.reader": _read,
    "collections.Counter": _counter,
    "io.StringIO": _lines,
    "itertools.chain": _chained,
    "itertools.combinations": _combined,
    "itertools.permutations": _combined,
    "math.fsum": _float_sum,
    "shlex.shlex": _words,
}
