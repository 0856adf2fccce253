"""The types of operators: https://docs.python.org/3/library/stdtypes.html."""

from __future__ import annotations

import ast
import itertools

from migrate.typed.signatures import is_data
from migrate.typed.types import (
    FOREIGN,
    NEVER,
    REAL,
    TEXT,
    WHOLE,
    DictOf,
    Foreign,
    Items,
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
    join,
    joined,
    kinds_of,
    one,
)

_SEQUENCES = Text | ListOf | DictOf | Items
"""Kinds of which no two have an operator in common, beside a sum of two of one kind."""
_WRITTEN = ("date", "datetime", "daytime")
"""Objects whose text is known to be a clean one."""
_PLAIN = Text | Whole | Real | Truth | Nothing | ListOf | DictOf | Items | SetOf


def binary(operator: ast.operator, left: Type, right: Type) -> Type | None:
    """The type of ``left + right`` and the like; None where it is not known."""
    found = [_pair(operator, *pair) for pair in itertools.product(kinds_of(left), kinds_of(right))]
    return None if None in found else joined(each for each in found if each is not None)


def _pair(operator: ast.operator, left: Kind, right: Kind) -> Type | None:
    """The type for values of two kinds; what Python has no such operator for raises."""
    numbers = _number(left), _number(right)
    if None not in numbers:
        return _arithmetic(operator, *numbers)  # type: ignore[arg-type]
    match operator, left, right:
        case ast.Mod(), Text(clean), _:
            known = _is_clean_argument(right)
            return None if known is None else one(Text(clean and known))
        case ast.Add(), Text(one_clean), Text(other_clean):
            return one(Text(one_clean and other_clean))
        case ast.Add(), ListOf(of), ListOf(more):
            return one(ListOf(join(of, more)))
        case ast.Add(), Items(types), Items(more):
            return one(Items((*types, *more)))
        case (ast.Mult(), Text(), Whole() | Truth()):
            return one(left)
        case (ast.Mult(), Whole() | Truth(), Text()):
            return one(right)
        case (ast.Mult(), ListOf(of), Whole() | Truth()) | (ast.Mult(), Whole() | Truth(), ListOf(of)):
            return one(ListOf(of))
        case (ast.Mult(), Items(), Whole() | Truth()) | (ast.Mult(), Whole() | Truth(), Items()):
            return None
        case ((ast.Add() | ast.Sub() | ast.Mult() | ast.Div() | ast.FloorDiv()), _, _) if isinstance(
            left, _SEQUENCES
        ) and isinstance(right, _SEQUENCES):
            return NEVER
        case ast.Sub(), Opaque("datetime"), Opaque("datetime"):
            return one(Opaque("timedelta"))
        case ast.Sub(), Opaque("date"), Opaque("date"):
            return one(Opaque("timedelta"))
        case (ast.Sub() | ast.Add(), Opaque("datetime" | "date"), Opaque("timedelta")):
            return one(left)
        case ast.BitOr(), SetOf(of), SetOf(more):
            return one(SetOf(join(of, more)))
        case (ast.BitAnd() | ast.Sub(), SetOf(), SetOf()):
            return one(left)
    if isinstance(left, Foreign) or isinstance(right, Foreign):
        return FOREIGN
    return NEVER if isinstance(left, _PLAIN) and isinstance(right, _PLAIN) and _raises(left, right) else None


def _raises(left: Kind, right: Kind) -> bool:
    """Whether two kinds are certain to have no operator in common: a number and a text, None and anything."""
    number = Whole | Real | Truth
    if isinstance(left, Nothing) or isinstance(right, Nothing):
        return True
    return isinstance(left, number) != isinstance(right, number)


def _is_clean_argument(kind: Kind) -> bool | None:
    """Whether ``text % value`` has no lone surrogates if `text` has none; None where it is not known."""
    match kind:
        case Text(clean):
            return clean
        case Whole() | Real() | Truth() | Nothing() | Opaque("bytes" | "date" | "datetime" | "daytime"):
            return True
        case Items(types):
            parts = [_is_clean_argument(part) for of in types for part in kinds_of(of)]
            return None if None in parts else all(parts)
        case ListOf() | DictOf() if is_data(kind):
            return False
        case Foreign():
            return False
    return None


def _number(kind: Kind) -> Whole | Real | None:
    if isinstance(kind, Truth):
        return Whole(0, 1)
    return kind if isinstance(kind, Whole | Real) else None


def _arithmetic(operator: ast.operator, left: Whole | Real, right: Whole | Real) -> Type | None:
    bitwise = isinstance(operator, ast.BitAnd | ast.BitOr | ast.BitXor | ast.LShift | ast.RShift)
    if isinstance(operator, ast.Pow):
        if isinstance(right, Whole) and right.low >= 0:
            return WHOLE if isinstance(left, Whole) else REAL
        return None  # a negative exponent makes a float, a root of a negative number a complex one
    if isinstance(left, Real) or isinstance(right, Real):
        return NEVER if bitwise else None if isinstance(operator, ast.MatMult) else REAL
    match operator:
        case ast.Div():
            return REAL
        case ast.Add():
            return one(Whole(left.low + right.low, left.high + right.high))
        case ast.Sub():
            return one(Whole(left.low - right.high, left.high - right.low))
        case ast.Mult():
            ends = [_product(a, b) for a in (left.low, left.high) for b in (right.low, right.high)]
            return one(Whole(min(ends), max(ends)))
        case ast.FloorDiv():
            most = max(abs(left.low), abs(left.high))
            return one(Whole(-most, most))
        case ast.Mod():
            most = max(abs(right.low), abs(right.high))
            return one(Whole(0 if right.low > 0 else -most, most))
        case ast.BitAnd() if left.low >= 0 and right.low >= 0:
            return one(Whole(0, min(left.high, right.high)))
        case ast.RShift():
            return one(Whole(min(left.low, 0), max(left.high, 0)))
    return WHOLE if bitwise else None


def _product(left: float, right: float) -> float:
    """A product of bounds; nothing times infinity is nothing."""
    return 0 if 0 in (left, right) else left * right


def unary(operator: ast.unaryop, operand: Type) -> Type | None:
    """The type of ``-n``, ``+n`` and ``~n``; None where it is not known."""
    found: list[Type] = []
    for kind in kinds_of(operand):
        number = _number(kind)
        if isinstance(number, Real):
            found.append(REAL if not isinstance(operator, ast.Invert) else NEVER)
        elif isinstance(number, Whole):
            ends = {ast.USub: (-number.high, -number.low), ast.UAdd: (number.low, number.high)}
            low, high = ends.get(type(operator), (-number.high - 1, -number.low - 1))
            found.append(one(Whole(low, high)))
        elif isinstance(kind, Foreign):
            found.append(FOREIGN)
        elif isinstance(kind, _PLAIN):
            found.append(NEVER)
        else:
            return None
    return joined(found)


def formatted(parts: list[Type]) -> Type | None:
    """The type of an f-string of these values; None where the text of one is not known."""
    clean = True
    for kind in (kind for part in parts for kind in kinds_of(part)):
        if isinstance(kind, Text | Foreign):
            clean &= isinstance(kind, Text) and kind.clean
        elif isinstance(kind, ListOf | DictOf | Items) and is_data(kind):
            clean = False
        elif not isinstance(kind, Whole | Real | Truth | Nothing | Opaque) or (
            isinstance(kind, Opaque) and kind.name not in _WRITTEN
        ):
            return None
    return TEXT if clean else one(Text(False))
