"""The values of a callback's variables, where they are certain."""

from __future__ import annotations

import ast

from migrate.cached import cached_property
from migrate.knowledge import methods
from migrate.proofs.callbacks.roles import Callback
from migrate.syntax.nodes import LEAVES, children, position, walk

_REPEATING = (
    *(ast.For, ast.AsyncFor, ast.While),
    *(ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef),
)


class LocalValues:
    """The values of one callback's variables; of those whose objects change nothing is known."""

    def __init__(self, callback: Callback, changes: frozenset[str] = methods.CHANGES) -> None:
        """The values of a callback's variables.

        Args:
            callback: the callback.
            changes: methods after which the object of a variable is another one.
        """
        self._callback = callback
        self._changes = changes

    @cached_property
    def _stores(self) -> dict[str, list[tuple[ast.AST, ast.expr | None]]]:
        """Where variables are bound, each with its value if that is written out."""
        stores: dict[str, list[tuple[ast.AST, ast.expr | None]]] = {}
        for node in self._callback.walk():
            if isinstance(node, ast.Assign):
                target = node.targets[0]
                if len(node.targets) == 1 and isinstance(target, ast.Name):
                    stores.setdefault(target.id, []).append((target, node.value))
            elif type(node) not in LEAVES:
                for inner in children(node):
                    if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store):
                        stores.setdefault(inner.id, []).append((inner, None))
        changed = {
            node.value.id
            for node in self._callback.walk()
            if isinstance(node, ast.Attribute)
            and node.attr in self._changes
            and isinstance(node.value, ast.Name)
        }
        return {name: bound for name, bound in stores.items() if name not in changed}

    @cached_property
    def _only(self) -> dict[str, ast.expr]:
        """The values of variables that are bound once."""
        return {
            name: bound[0][1]
            for name, bound in self._stores.items()
            if len(bound) == 1 and bound[0][1] is not None
        }

    def at(self, read: ast.Name) -> ast.expr | None:
        """What a variable has been given where it is read, as ``rows`` above ``rows = rows[0]``."""
        bound = self._stores.get(read.id, [])
        if len(bound) < 2:
            return self._only.get(read.id)
        names = [target for target, _ in bound]
        if read.id in self._of_others or any(map(self._may_repeat, [read, *names])):
            return None
        first, *others = sorted(bound, key=lambda one: position(one[0]))
        here = position(read)
        is_first = position(first[0]) < here and all(position(target) > here for target, _ in others)
        return first[1] if is_first else None

    def all_of(self, read: ast.Name) -> list[ast.expr]:
        """The values of which a local variable has one, as it gets another one in each branch.

        There are none where one of them is not known.
        """
        values = [value for _, value in self._stores.get(read.id, [])]
        known = [value for value in values if value is not None]
        return known if len(known) == len(values) > 1 and read.id not in self._of_others else []

    @cached_property
    def _of_others(self) -> set[str]:
        """The names that are parameters, or of an outer scope."""
        names = {node.arg for node in walk(self._callback.node) if isinstance(node, ast.arg)}
        for node in self._callback.walk():
            if isinstance(node, ast.Global | ast.Nonlocal):
                names |= set(node.names)
        return names

    def _may_repeat(self, node: ast.AST) -> bool:
        """Whether code stands in a loop, or in a function inside of the callback."""
        above = self._callback.parents.get(node)
        while above is not None and not isinstance(above, _REPEATING):
            above = self._callback.parents.get(above)
        return above is not None
