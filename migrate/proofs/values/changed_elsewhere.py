"""Variables of a module that other modules bind anew, or whose lists, sets and dicts they may change.

import settings
settings.RATE = 0.5
settings.TAGS.append("new")
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.knowledge.builtins import SETS_ATTRIBUTES
from migrate.proofs.analysis.facts import Facts
from migrate.proofs.values.constants import only_read
from migrate.syntax.nodes import of_kinds
from migrate.trace.values import ModuleValue

_ANY = "*"


def is_bound_elsewhere(name: str, facts: Facts) -> bool:
    """Whether another module may give a variable of this one another value."""
    return not facts.once(_bound_elsewhere).isdisjoint({name, _ANY})


def is_changed_elsewhere(name: str, facts: Facts) -> bool:
    """Whether another module may change the list, set or dict that a variable of this one is."""
    return any(_may_change(name, facts, other) for other in _others(facts))


def _others(facts: Facts) -> Iterator[Facts]:
    modules = (module.tree for module in facts.trace.modules if module.tree is not facts.tree)
    return (facts.of(tree.body[0]) for tree in modules if tree.body)


def _bound_elsewhere(facts: Facts) -> frozenset[str]:
    """The variables of a module that others bind as its attributes; `_ANY` where these are not named."""
    found = set()
    for other in _others(facts):
        for node in of_kinds(other.tree, ast.Attribute):
            if not isinstance(node.ctx, ast.Load) and _is_module(node.value, facts):
                found.add(node.attr)
        for call in of_kinds(other.tree, ast.Call):
            match call:
                case ast.Call(ast.Name(function), [owner, name, *_]) if function in SETS_ATTRIBUTES:
                    if _is_module(owner, facts):
                        found.add(str(name.value) if isinstance(name, ast.Constant) else _ANY)
    return frozenset(found)


def _may_change(name: str, facts: Facts, other: Facts) -> bool:
    for node in of_kinds(other.tree, ast.Attribute):
        if node.attr == name and _is_module(node.value, facts) and not only_looks(node, other):
            return True
    names = {alias.asname or name for alias in of_kinds(other.tree, ast.alias) if alias.name == name}
    if other.stars or name in other.starred:
        names.add(name)
    return any(not only_read(load, other) for one in names for load in other.loads.get(one, ()))


def only_looks(node: ast.Attribute, facts: Facts) -> bool:
    """Return whether an item is read there, or asked for: ``settings.TAGS[0]``, ``word in settings.TAGS``."""
    match facts.above[node]:
        case ast.Subscript(value, ctx=ast.Load()):
            return value is node
        case ast.Compare(comparators=others):
            return node in others
        case ast.For(iter=iterated) | ast.comprehension(iter=iterated):
            return iterated is node
    return False


def _is_module(node: ast.expr, facts: Facts) -> bool:
    """Whether an expression may be the module of some facts."""
    kinds = facts.trace.kinds.get(node, ())
    return any(isinstance(kind, ModuleValue) and kind.module.tree is facts.tree for kind in kinds)
