"""What tracing has found of a project so far: facts that only grow until a round adds none."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from typing import TypeVar

from migrate.knowledge.connectors import STAR
from migrate.knowledge.lost_names import LOST
from migrate.model import Module
from migrate.read.modules import Imports
from migrate.trace.scopes import Known, Scope, Scopes
from migrate.trace.uses import Escape, Use, canonical
from migrate.trace.values import (
    HOLDING,
    NOTHING,
    TRACED,
    Bag,
    Class,
    External,
    Instance,
    Items,
    Traced,
    Value,
    Values,
)

_K = TypeVar("_K")


class Findings:
    """Keeps the facts of a trace, and tells whether there are new ones."""

    def __init__(self, modules: Sequence[Module]) -> None:
        self.imports = Imports(modules)
        self.scopes = Scopes(modules)
        self.tops = self.scopes.tops
        self.bases: dict[ast.ClassDef, list[Values]] = {}
        self.uses: dict[ast.AST, Use] = {}
        self.escapes: dict[ast.AST, Escape] = {}
        self.links: dict[tuple[Traced, Traced], None] = {}
        """Values that belong to one graph, pair by pair in the order in which they were found."""
        self.kinds: dict[ast.AST, Values] = {}
        """What each name, attribute and call can be, wherever that is anything known."""
        self.origins: dict[Traced, set[str]] = {}
        """The modules whose import statements a context came through."""
        self._links_asked = False
        self.changed = False
        """Whether facts that were asked for have grown since it was last set to False."""
        self.held: Known[ast.AST] = Known()
        """What lists, sets and dicts hold, and what stands at each position of a tuple."""
        self.attributes: Known[tuple[ast.ClassDef, str]] = Known()
        """What is assigned to attributes, by class and name; all objects of a class are one."""

    def bind(self, name: str, value: Values, scope: Scope) -> None:
        """``name = value`` in a scope: it holds until the next one, in the scope that the name belongs to."""
        home = scope.declared.get(name, scope)
        home.now[name] = value
        self.grow(home.ever, name, value)

    def give_back(self, scope: Scope, value: Values) -> None:
        """A function returns `value`."""
        self.grow(scope.results, None, value)

    def put(self, bag: Bag, value: Values) -> None:
        """A list, set or dict holds `value`."""
        self.grow(self.held, bag.node, value)

    def set_attribute(self, owner: Instance | Class, name: str, value: Values) -> None:
        """``owner.name = value``."""
        cls = owner.of if isinstance(owner, Instance) else owner
        self.grow(self.attributes, (cls.node, name), value)

    def set_bases(self, cls: ast.ClassDef, bases: list[Values]) -> None:
        """``class Job(bases)``."""
        self.changed |= bases != self.bases.get(cls, [])
        self.bases[cls] = bases

    def grow(self, table: Known[_K], key: _K, value: Values) -> None:
        """What `table` has at `key` can also be `value`."""
        before = table.get(key)
        if before is None or not value <= before:
            table[key] = value if before is None else before | value
            self.changed |= table.is_asked(key) if value else table.all_asked

    def link(self, left: Traced, right: Traced) -> None:
        """Two values belong to one graph."""
        if (left, right) not in self.links:
            self.links[left, right] = None
            self.changed |= self._links_asked

    def all_links(self) -> Iterable[tuple[Traced, Traced]]:
        """The links that are known so far."""
        self._links_asked = True
        return self.links

    def contents(self, values: Values) -> Values:
        """What iterating over any of `values` gives."""
        found: set[Value] = set()
        for value in values:
            if isinstance(value, Items):
                found.update(*(self.item(value, position) for position in range(len(value.node.elts))))
            elif isinstance(value, Bag):
                found |= self.held.ask(value.node)
        return frozenset(found)

    def item(self, whole: Items, position: int) -> Values:
        """What stands at a position of a tuple."""
        return self.held.ask(whole.node.elts[position])

    def traced(self, values: Values, depth: int = 3) -> frozenset[Traced]:
        """The contexts and streams among `values`, also inside containers."""
        found = {value for value in values if isinstance(value, TRACED)}
        if depth and any(isinstance(value, HOLDING) for value in values):
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
        return home.ever.ask(name)

    def _from_star(self, name: str, scope: Scope) -> Values:
        step: Scope | None = scope
        while step is not None:
            for package in step.stars:
                if name in STAR.get(canonical(package), ()):
                    return frozenset({External(f"{package}.{name}", scope.module)})
                if name in LOST.get(package, ()):
                    home = LOST[package][name]
                    return frozenset({External(f"{home}.{name}" if home else name, scope.module)})
            step = step.parent
        return NOTHING

    def attribute_of_module(self, module: Module, name: str) -> Values:
        """``module.name`` for a module that was read."""
        top = self.tops[module.relative]
        return top.ever.ask(name) or self._from_star(name, top)
