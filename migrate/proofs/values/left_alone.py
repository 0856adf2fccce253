"""Where a list, set or dict is read without being changed or kept: ``len(tags)``, ``for tag in tags``."""

from __future__ import annotations

import ast

from migrate.proofs.analysis.facts import Facts
from migrate.proofs.values.constants import Handed, is_read_there, only_read
from migrate.typed.types import DictOf, Items, Iterating, Json, ListOf, SetOf, Type

READING_METHODS = frozenset({"copy", "union", "intersection", "difference"})
"""Methods that make a new collection of one, and leave it as it is."""
_LOOKING = frozenset(
    {"all", "any", "dict", "enumerate", "filter", "frozenset", "len", "list", "map", "max", "min", "print"}
    | {"reversed", "set", "sorted", "str", "sum", "tuple", "zip"}
)
"""Builtins that leave what they are given as it is, and keep nothing of it but its items."""


def is_changeable(found: Type) -> bool:
    """Whether a value may be changed in place."""
    return any(isinstance(kind, ListOf | SetOf | DictOf | Items | Iterating | Json) for kind in found)


def is_left_alone(load: ast.Name, facts: Facts) -> bool:
    """Whether a list, set or dict stays as it is where it is read."""
    return _is_left_alone(load, facts, frozenset())


def _is_left_alone(load: ast.Name, facts: Facts, inside: Handed) -> bool:
    """The same, in functions of the program that hand it on to one another."""
    above = facts.above[load]
    match above:
        case ast.Attribute(attr=method):
            return only_read(load, facts) or method in READING_METHODS
        case ast.For(iter=iterated) | ast.comprehension(iter=iterated):
            return iterated is load
        case ast.If() | ast.UnaryOp() | ast.BinOp() | ast.FormattedValue() | ast.Expr():
            return True
        case ast.Call(ast.Name(called)) if called in _LOOKING and called not in facts.shadowed:
            return load in above.args
        case ast.Call(ast.Attribute(attr="join")):
            return load in above.args
        case ast.Call() if is_read_there(load, above, facts, inside, _is_left_alone):
            return True
    return only_read(load, facts)
