"""Functions that a callback hands elements to, and that change something for each element alone.

def keep(words):
    for word in words:
        seen[word] += 1
"""

from __future__ import annotations

import ast

from migrate.knowledge import methods
from migrate.proofs.analysis.aliases import arguments_of
from migrate.proofs.analysis.called_functions import called_function
from migrate.proofs.analysis.facts import Facts
from migrate.proofs.callbacks.guards import only_with_rows
from migrate.proofs.callbacks.roles import Callback
from migrate.proofs.callbacks.rows import Rows
from migrate.proofs.callbacks.side_effects import shared_by, side_effects
from migrate.syntax.nodes import walk
from migrate.syntax.tree import parameter_names


def changes_with_elements_alone(call: ast.AST, callback: Callback, facts: Facts) -> bool:
    """Whether a call in a callback is of a function that changes nothing where it is given no elements."""
    return _changes_nothing(call, callback, facts, frozenset({callback.node}))


def _changes_nothing(call: ast.AST, callback: Callback, facts: Facts, above: frozenset[ast.AST]) -> bool:
    """The same; `above` are the functions whose calls are being looked at."""
    target = called_function(call.func, facts) if isinstance(call, ast.Call) else None
    if target is None or target.node in above or callback.repeated:
        return False
    assert isinstance(call, ast.Call)
    names, rows = parameter_names(target.node)[target.bound :], Rows(callback)
    elements = {name for name, value in arguments_of(call, names) if rows.are_elements(value)}
    inner = Callback(target.node, "", None, elements=elements, bound=target.bound)
    if not elements or any(_may_get_more(name, inner) for name in elements):
        return False
    inner.shared = shared_by(call, names, callback, facts)
    own, inside = facts.of(target.node), Rows(inner)
    return all(
        only_with_rows(change.where, inside, inner.parents)
        or _changes_nothing(change.where, inner, own, above | {target.node})
        for change in side_effects(inner, own)
    )


def _may_get_more(name: str, function: Callback) -> bool:
    """Whether a function gives a parameter another value, or puts something into it."""
    adds = methods.CHANGES - methods.ADDS_NOTHING
    return function.binds(name) or any(
        isinstance(node, ast.Attribute)
        and node.attr in adds
        and isinstance(node.value, ast.Name)
        and node.value.id == name
        for part in function.body
        for node in walk(part)
    )
