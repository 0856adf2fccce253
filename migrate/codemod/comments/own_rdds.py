"""The variables of RDDs that a program makes itself, and has still: comments may call their methods."""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from collections.abc import Iterator

from migrate.codemod.changes import Changes
from migrate.knowledge.sessions import MAKES_RDDS
from migrate.syntax.nodes import of_kinds

_MAKES = MAKES_RDDS - {"range"}


def own_rdds(changes: Changes) -> Iterator[str]:
    """The variables that nothing but such an RDD is bound to: ``lines = sc.parallelize(found)``.

    They may be bound again, to what is made of themselves.
    """
    values: dict[str, list[list[ast.expr]]] = defaultdict(list)
    for statement in of_kinds(changes.tree, ast.Assign):
        match statement:
            case ast.Assign([ast.Name(name)], value) if statement not in changes.statements:
                values[name].append([*_chain(value)])
    bound = Counter(one.id for one in of_kinds(changes.tree, ast.Name) if isinstance(one.ctx, ast.Store))
    changed = changes.expressions.keys() - changes.contexts
    for name, chains in values.items():
        made = [any(isinstance(one, ast.Attribute) and one.attr in _MAKES for one in own) for own in chains]
        again = [isinstance(own[-1], ast.Name) and own[-1].id == name for own in chains]
        alike = all(map(any, zip(made, again, strict=True)))
        same = len(chains) == bound[name] and all(changed.isdisjoint(own) for own in chains)
        if same and alike and any(made):
            yield name


def _chain(node: ast.expr) -> Iterator[ast.expr]:
    """A chain of calls, from its end to the variable that it begins with, without their arguments."""
    yield node
    while isinstance(node, ast.Call | ast.Attribute):
        node = node.func if isinstance(node, ast.Call) else node.value
        yield node
