"""Free names for new code."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Container

from migrate.proofs.facts import Facts
from migrate.syntax.nodes import of_kinds

_BUILTINS = frozenset(dir(builtins))


def free_name(facts: Facts, wanted: str, given: Container[str], *, anywhere: bool = False) -> str:
    """`wanted`, or with a number where that name is taken.

    Args:
        facts: the names of the module.
        wanted: the name.
        given: names that other new code has already.
        anywhere: no function of the module may use it, not only that of the batch function.
    """
    name, number = wanted, 2
    while name in given or _is_taken(facts, name) or (anywhere and name in facts.identifiers):
        name, number = f"{wanted}_{number}", number + 1
    return name


def _is_taken(facts: Facts, name: str) -> bool:
    """Whether a name is used in the graph's function or its module, where new code stands."""
    if name in _BUILTINS or facts.is_declared_elsewhere(name):
        return True
    bindings = facts.bindings.get(name, ())
    if not bindings:
        return name in facts.loads and all(node.arg != name for node in of_kinds(facts.tree, ast.arg))
    return any(
        facts.above[facts.above[node]] is facts.program.scope
        if isinstance(node, ast.arg)
        else facts.visible(node)
        for node in bindings
    )
