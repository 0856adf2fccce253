"""Where a list, set or dict is read without being changed or kept: ``len(tags)``, ``for tag in tags``."""

from __future__ import annotations

import ast

from migrate.proofs.analysis.facts import Facts
from migrate.proofs.values.changed_elsewhere import only_looks
from migrate.proofs.values.constants import Handed, is_read_there, only_read
from migrate.typed.types import DictOf, Items, Iterating, Json, ListOf, SetOf, Type

READING_METHODS = frozenset({"copy", "union", "intersection", "difference"})
"""Methods that make a new collection of one, and leave it as it is."""
_OF_SETS = READING_METHODS - {"copy"} | {"isdisjoint", "issubset", "issuperset", "symmetric_difference"}
"""Methods of sets, which only go through what they are given."""
_MAKING = frozenset({"dict", "frozenset", "list", "set", "sorted"})
_LOOKING = frozenset(
    {"all", "any", "dict", "enumerate", "filter", "frozenset", "len", "list", "map", "max", "min", "print"}
    | {"reversed", "set", "sorted", "str", "sum", "tuple", "zip"}
)
"""Builtins that leave what they are given as it is, and keep nothing of it but its items."""


def is_changeable(found: Type) -> bool:
    """Whether a value may be changed in place."""
    return any(isinstance(kind, ListOf | SetOf | DictOf | Items | Iterating | Json) for kind in found)


def makes_new(value: ast.expr, facts: Facts) -> bool:
    """Whether an expression makes a list, set or dict that nothing else holds: ``["a"]``, ``set(words)``."""
    match value:
        case ast.List() | ast.Set() | ast.Dict() | ast.ListComp() | ast.SetComp() | ast.DictComp():
            return True
        case ast.BinOp() | ast.Subscript(slice=ast.Slice()):
            return True
        case ast.Call(ast.Name(function)):
            return function in _MAKING and function not in facts.shadowed
        case ast.Call(ast.Attribute(attr=method)):
            return method in READING_METHODS
    return False


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
        case ast.Starred():
            return isinstance(facts.above[above], ast.List | ast.Set)
        case ast.If() | ast.UnaryOp() | ast.BinOp() | ast.FormattedValue() | ast.Expr():
            return True
        case ast.Call(ast.Name(called)) if called in _LOOKING and called not in facts.shadowed:
            return load in above.args
        case ast.Call(ast.Attribute(attr=method)) if method == "join" or method in _OF_SETS:
            return load in above.args
        case ast.Call() if is_read_there(load, above, facts, inside, _is_left_alone):
            return True
    return only_read(load, facts)


def is_attribute_left_alone(load: ast.Attribute, facts: Facts) -> bool:
    """Whether a list, set or dict stays as it is where an attribute that holds it is read.

    ``word in self.tags``; ``tags = self.tags`` too, if it does wherever that variable is read.
    """
    match facts.above[load]:
        case ast.Assign([ast.Name(name)], value) if value is load:
            return all(is_left_alone(one, facts) for one in facts.loads.get(name, ()))
        case ast.Call(ast.Name("len")):
            return "len" not in facts.shadowed
    return only_looks(load, facts)


def keeps_items(load: ast.Name, facts: Facts) -> bool:
    """Whether the lists that a list holds stay as they are where it is read.

    ``for tags in topics: found = word in tags``. Their own items are taken for immutable.
    """
    match facts.above[load]:
        case ast.For(target=ast.Name() as item, iter=iterated) if iterated is load:
            return _is_left_alone_as(item, facts)
        case ast.comprehension(target=ast.Name() as item, iter=iterated) if iterated is load:
            return _is_left_alone_as(item, facts)
        case ast.Call(ast.Name("len")):
            return "len" not in facts.shadowed
        case ast.Compare(comparators=others, ops=operators):
            return load in others and all(isinstance(one, ast.In | ast.NotIn) for one in operators)
    return False


def _is_left_alone_as(item: ast.Name, facts: Facts) -> bool:
    """Whether what a variable of a loop stands for stays as it is."""
    home = facts.home(item)
    names = [one for one in facts.bindings.get(item.id, ()) if isinstance(one, ast.Name)]
    stores = [one for one in names if facts.home(one) is home]
    reads = [one for one in facts.loads.get(item.id, ()) if facts.home(one) is home]
    grows = any(isinstance(facts.above[one], ast.AugAssign) for one in stores)
    return not grows and all(is_left_alone(one, facts) for one in reads)
