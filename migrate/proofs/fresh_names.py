"""Names for new code that mean nothing else where it stands."""

from __future__ import annotations

import ast
import builtins
from typing import TYPE_CHECKING

from migrate.syntax.nodes import of_kinds

if TYPE_CHECKING:
    from migrate.proofs.facts import Facts

_BUILTINS = frozenset(dir(builtins))


class FreshNames:
    """The names that new code of one graph has been given."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._given: set[str] = set()
        self._parameters = {node.arg for node in of_kinds(facts.tree, ast.arg)}
        self.identifiers = frozenset({*facts.bindings, *facts.loads, *self._parameters})
        """All names of the module, in any scope."""

    def fresh(self, wanted: str, *, anywhere: bool = False) -> str:
        """`wanted`, or with a number where that name is taken; never given out twice.

        Args:
            wanted: the name.
            anywhere: no function of the module may use it, not only that of the batch function.
        """
        name, number = wanted, 2
        while self._is_taken(name) or (anywhere and name in self.identifiers):
            name, number = f"{wanted}_{number}", number + 1
        self._given.add(name)
        return name

    def _is_taken(self, name: str) -> bool:
        """Whether a name means something where new code stands: in the graph's function or its module."""
        facts = self._facts
        if name in self._given or name in _BUILTINS or facts.is_declared_elsewhere(name):
            return True
        bindings = facts.bindings.get(name, ())
        if not bindings:
            return name in facts.loads and name not in self._parameters
        return any(
            facts.above[facts.above[node]] is facts.program.scope
            if isinstance(node, ast.arg)
            else facts.visible(node)
            for node in bindings
        )
