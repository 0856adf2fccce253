"""Functions of a list to which the order of its items makes no difference: ``max(new + [last or 0])``."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from migrate.proofs.analysis.facts import Facts
from migrate.syntax.nodes import walk

_OF_ALL = frozenset({"all", "any", "bool", "len"})
"""Builtins that give the same for any items in any order. A set does not: it is gone through in another."""
_OF_ORDERED = _OF_ALL | {"max", "min", "sorted"}
"""So do these for ints and texts, and not for floats: NaN is neither less nor more than others."""
_OF_INTS = _OF_ORDERED | {"sum"}


def takes_any_order(
    node: ast.Lambda | ast.FunctionDef, name: str, facts: Facts, *, of_ints: bool, of_texts: bool
) -> bool:
    """Whether a function gives the same for the items of a list in any order.

    Args:
        node: the function.
        name: its parameter that is the list.
        facts: the names of its module.
        of_ints: whether the items are ints.
        of_texts: whether they are texts.
    """
    called = (_OF_INTS if of_ints else _OF_ORDERED if of_texts else _OF_ALL) - facts.shadowed
    names = [one for one in walk(node) if isinstance(one, ast.Name) and one.id == name]
    return all(isinstance(one.ctx, ast.Load) and _is_of_all(one, called, facts) for one in names)


def _is_of_all(read: ast.Name, called: Sequence[str] | frozenset[str], facts: Facts) -> bool:
    inner: ast.AST = read
    above = facts.above[inner]
    while (isinstance(above, ast.BinOp) and isinstance(above.op, ast.Add)) or isinstance(above, ast.Starred):
        inner, above = above, facts.above[above]  # new + [last]
    match above:
        case ast.If(test=test) | ast.IfExp(test=test) if test is read:
            return True
        case ast.UnaryOp(ast.Not()):
            return inner is read
        case ast.Call(ast.Name("set"), [_]) if "set" not in facts.shadowed:
            return _is_of_all_of_set(above, called, facts)
        case ast.Call(ast.Name(function), args):
            keyed = any(keyword.arg != "default" for keyword in above.keywords)
            return function in called and inner in args and not keyed
    return False


def _is_of_all_of_set(made: ast.Call, called: Sequence[str] | frozenset[str], facts: Facts) -> bool:
    """Whether a function of a set gives the same whatever the order in which that is gone through."""
    match facts.above[made]:
        case ast.Call(ast.Name(function), [given], []):
            return given is made and function in called
    return False
