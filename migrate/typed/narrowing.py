"""What a condition tells of the types of variables."""

from __future__ import annotations

import ast
from collections.abc import Callable

from migrate.columns.element import Scope
from migrate.syntax.type_tests import AskedType, asked_type
from migrate.typed.asking import Names, Typing
from migrate.typed.qualified import qualified
from migrate.typed.types import (
    DictOf,
    Foreign,
    Instance,
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
    Whole,
    kinds_of,
)

_CLASSES: dict[str, type[Kind]] = {
    "str": Text,
    "int": Whole,
    "float": Real,
    "bool": Truth,
    "list": ListOf,
    "dict": DictOf,
    "tuple": Items,
    "set": SetOf,
}


def narrowed(typing: Typing, test: ast.expr, names: Names, holds: bool) -> Names:
    """The types of variables where a condition holds, or where it does not."""
    match test:
        case ast.UnaryOp(ast.Not(), operand):
            return narrowed(typing, operand, names, not holds)
        case ast.BoolOp(op, values) if isinstance(op, ast.And) is holds:
            for value in values:
                names = narrowed(typing, value, names, holds)
            return names
        case ast.IfExp(asked, ast.Constant(then), ast.Constant(otherwise)) if bool(then) != bool(otherwise):
            return narrowed(typing, asked, names, bool(then) is holds)
        case ast.Compare(left, [ast.Is() | ast.Eq() | ast.IsNot() | ast.NotEq() as op], [ast.Constant(None)]):
            is_none = isinstance(op, ast.Is | ast.Eq) is holds
            return _kept(typing, left, names, lambda kind: isinstance(kind, Nothing) is is_none)
        case ast.Call(ast.Name("isinstance"), [value, classes]) if qualified(test.func, names, typing.scope):
            wanted = _classes(classes, typing.scope)
            if wanted is None:
                return names
            known = wanted
            return _kept(typing, value, names, lambda kind: _is_instance(kind, known) is holds)
        case ast.Compare() if (of_type := type_asked(typing, test, names)) is not None:
            exact = _classes(ast.Tuple([*of_type.classes], ast.Load()), typing.scope)
            if exact is None:
                return names
            of, is_one = exact, of_type.holds is holds
            return _kept(typing, of_type.value, names, lambda kind: _may_be_exactly(kind, of, is_one))
        case ast.Name() | ast.Subscript() | ast.Attribute():
            return _kept(typing, test, names, lambda kind: may_be(kind, holds))
    return names


def type_asked(typing: Typing, test: ast.Compare, names: Names) -> AskedType | None:
    """What a comparison asks of the type of a value; None where it compares something else.

    Only plain classes are asked for: a tuple of several columns comes as a Row.
    """
    asked = asked_type(test)
    if asked is None or qualified(asked.function, names, typing.scope) != "type":
        return None
    return asked if {getattr(one, "id", "") for one in asked.classes} <= _PLAIN else None


def is_reached(before: Names, after: Names) -> bool:
    """Whether a branch is taken: a variable of which its condition leaves no type keeps it from that."""
    return all(found or not before.get(name, found) for name, found in after.items())


def _classes(node: ast.expr, scope: Scope) -> tuple[type[Kind], ...] | None:
    parts = node.elts if isinstance(node, ast.Tuple) else [node]
    found = [_CLASSES.get(part.id) for part in parts if isinstance(part, ast.Name)]
    known = tuple(kind for kind in found if kind is not None)
    shadowed = any(isinstance(part, ast.Name) and part.id in scope.shadowed for part in parts)
    return known if len(known) == len(parts) and not shadowed else None


def _kept(typing: Typing, node: ast.expr, names: Names, keeps: Callable[[Kind], bool]) -> Names:
    key = node.id if isinstance(node, ast.Name) else ast.dump(node)
    if not isinstance(node, ast.Name | ast.Subscript | ast.Attribute):
        return names
    if isinstance(node, ast.Name) and node.id not in names:
        return names
    found = typing.type_of(node, names)
    kept = (kind for kind in kinds_of(found) if isinstance(kind, Foreign) or keeps(kind))
    return {**names, key: frozenset(kept)}


def may_be(kind: Kind, truth: bool) -> bool:
    """Whether a value of a kind may be true, or may be false."""
    if isinstance(kind, Nothing):
        return not truth
    if isinstance(kind, Items):
        return bool(kind.types) is truth
    if isinstance(kind, Instance) or (isinstance(kind, ListOf) and kind.filled):
        return truth
    if isinstance(kind, Iterating | Opaque) and kind != Opaque("bytes") and kind != Opaque("timedelta"):
        return truth
    if isinstance(kind, Whole) and truth:
        return kind != Whole(0, 0)
    return True


def _is_instance(kind: Kind, classes: tuple[type[Kind], ...]) -> bool:
    return isinstance(kind, classes) or (isinstance(kind, Truth) and Whole in classes)


_PLAIN = frozenset({"bool", "float", "int", "str"})
_EXACT = (Text, Whole, Real, Truth)
"""Kinds whose values are of one class itself; a tuple may be a Row, a dict a Counter."""


def _may_be_exactly(kind: Kind, classes: tuple[type[Kind], ...], holds: bool) -> bool:
    """Whether the type of a value of a kind may be one of some classes, or may be none of them."""
    if isinstance(kind, classes):
        return holds or not isinstance(kind, _EXACT)
    return not holds
