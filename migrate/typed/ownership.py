"""Lists, sets and dicts that a function made itself and that nothing else sees: it may fill them."""

from __future__ import annotations

import ast

from migrate.syntax.nodes import walk
from migrate.typed.moves import with_second_names

MAKING = frozenset({"Counter", "defaultdict", "dict", "list", "set", "sorted"})
"""Functions that make a list, set or dict at each call."""
NEW_METHODS = frozenset(
    {"Counter", "copy", "defaultdict", "findall", "loads", "rsplit", "split", "splitlines"}
)
"""Methods that make a list or dict at each call."""


def containers_of_its_own(function: ast.FunctionDef) -> frozenset[str]:
    """The variables that only ever hold a new list, set or dict, which has no second name."""
    assigned: dict[str, list[ast.expr]] = {}
    others: set[str] = {argument.arg for argument in walk(function.args) if isinstance(argument, ast.arg)}
    plain = _plain_targets(function)
    for node in walk(function):
        match node:
            case ast.Assign([ast.Name(name)], value) | ast.AnnAssign(ast.Name(name), _, ast.expr() as value):
                assigned.setdefault(name, []).append(value)
            case ast.Name(name, ast.Store()) if node not in plain:
                others.add(name)
    new = {name for name, values in assigned.items() if all(map(_is_new, values))} - others
    return frozenset(new - with_second_names(function) if new else ())


def arguments_of_its_own(function: ast.FunctionDef) -> frozenset[str]:
    """The parameters, all of which are given, that hold nothing else than that or a new list, set or dict.

    None of them has a second name.
    """
    given = function.args
    names = {argument.arg for argument in walk(given) if isinstance(argument, ast.arg)}
    others: set[str] = set()
    plain = _plain_targets(function)
    for node in walk(function):
        match node:
            case ast.Assign([ast.Name(name)], value) | ast.AnnAssign(ast.Name(name), _, ast.expr() as value):
                others |= set() if _is_new(value) else {name}
            case ast.Name(name, ast.Store()) if node not in plain:
                others.add(name)
    if given.vararg or given.kwarg or given.defaults or given.kw_defaults:
        return frozenset()
    return frozenset(names - others - with_second_names(function))


def _plain_targets(function: ast.FunctionDef) -> set[ast.expr]:
    """What is the one target of an assignment, or what an augmented one changes."""
    found: set[ast.expr] = set()
    for node in walk(function):
        match node:
            case ast.Assign([target]) | ast.AnnAssign(target) | ast.AugAssign(target):
                found.add(target)
    return found


def _is_new(value: ast.expr) -> bool:
    match value:
        case ast.List() | ast.Set() | ast.Dict() | ast.ListComp() | ast.SetComp() | ast.DictComp():
            return True
        case ast.Call(ast.Name(name)):
            return name in MAKING
        case ast.Call(ast.Attribute(_, name)):
            return name in NEW_METHODS
    return False
