"""What is found of a project: facts that only grow, and what its names are."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TypeVar

from migrate.knowledge.connectors import STAR
from migrate.model import Module
from migrate.read.modules import Imports
from migrate.trace.scopes import Scope, Scopes
from migrate.trace.uses import Escape, Use, canonical
from migrate.trace.values import (
    NOTHING,
    Bag,
    Class,
    Context,
    External,
    Instance,
    Items,
    Stream,
    Traced,
    Value,
    Values,
)

_K = TypeVar("_K")


class Findings:
    """All that is known so far."""

    def __init__(self, modules: Sequence[Module]) -> None:
        self.imports = Imports(modules)
        self.scopes = Scopes(modules)
        self.tops = self.scopes.tops
        self.bases: dict[ast.ClassDef, list[Values]] = {}
        self.uses: dict[ast.AST, Use] = {}
        self.escapes: dict[ast.AST, Escape] = {}
        self.links: set[tuple[Traced, Traced]] = set()
        self.kinds: dict[ast.AST, Values] = {}
        """What each name, attribute and call can be, wherever that is anything known."""
        self.origins: dict[Traced, set[str]] = {}
        """The modules whose import statements a context came through."""
        self.changed = False
        self.naming_unknown = False
        self.unnamed = False
        """Whether something of which nothing is known is used as a context."""
        self._held: dict[ast.AST, Values] = {}
        self._attributes: dict[tuple[ast.ClassDef, str], Values] = {}
        self._unknown: dict[tuple[str, str], Context] = {}

    # --- facts that only grow -------------------------------------------------------------------------------

    def bind(self, name: str, value: Values, scope: Scope) -> None:
        """`name` is `value` from here on, in the scope that it belongs to."""
        home = scope.declared.get(name, scope)
        home.now[name] = value
        self._grow(home.ever, name, value)

    def give_back(self, scope: Scope, value: Values) -> None:
        """A function returns `value`."""
        if not value <= scope.returns:
            scope.returns |= value
            self.changed = True

    def put(self, bag: Bag, value: Values) -> None:
        """A list, set or dict holds `value`."""
        self._grow(self._held, bag.node, value)

    def set_attribute(self, owner: Instance | Class, name: str, value: Values) -> None:
        """``owner.name = value``."""
        cls = owner.of if isinstance(owner, Instance) else owner
        self._grow(self._attributes, (cls.node, name), value)

    def _grow(self, table: dict[_K, Values], key: _K, value: Values) -> None:
        before = table.get(key, NOTHING)
        if not value <= before:
            table[key] = before | value
            self.changed = True
        elif key not in table:
            table[key] = value

    def _link(self, left: Traced, right: Traced) -> None:
        if (left, right) not in self.links:
            self.links.add((left, right))
            self.changed = True

    def contents(self, values: Values) -> Values:
        """What iterating over any of `values` gives."""
        found: set[Value] = set()
        for value in values:
            if isinstance(value, Items):
                found.update(*(self.item(value, position) for position in range(len(value.node.elts))))
            elif isinstance(value, Bag):
                found |= self._held.get(value.node, NOTHING)
        return frozenset(found)

    def item(self, whole: Items, position: int) -> Values:
        """What stands at a position of a tuple."""
        return self._held.get(whole.node.elts[position], NOTHING)

    def traced(self, values: Values, depth: int = 3) -> frozenset[Traced]:
        """The contexts and streams among `values`, also inside containers."""
        found = {value for value in values if isinstance(value, Context | Stream)}
        if depth and any(isinstance(value, Items | Bag) for value in values):
            found |= self.traced(self.contents(values), depth - 1)
        return frozenset(found)

    # --- names ----------------------------------------------------------------------------------------------

    def lookup(self, name: str, scope: Scope) -> Values:
        """What `name` can be where it is read."""
        home = scope.home(name)
        if home is None:
            return self._from_star(name, scope)
        if home.active and name in home.now:
            return home.now[name]
        return home.ever.get(name, NOTHING)

    def _from_star(self, name: str, scope: Scope) -> Values:
        step: Scope | None = scope
        while step is not None:
            for package in step.stars:
                if name in STAR.get(canonical(package), ()):
                    return frozenset({External(f"{package}.{name}", scope.module)})
            step = step.parent
        return NOTHING

    def attribute_of_module(self, module: Module, name: str) -> Values:
        """``module.name`` for a module that was read."""
        top = self.tops[module.relative]
        return top.ever.get(name) or self._from_star(name, top)
