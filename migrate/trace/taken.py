"""What the modules of a project take from each other: names that they import, attributes that they read."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass, field

from migrate.model import Module
from migrate.read.modules import module_parts
from migrate.syntax.nodes import of_kinds
from migrate.trace.values import ModuleValue, Values

EVERYTHING = "*"


@dataclass
class Taken:
    """Names with the paths of the modules that take them."""

    imported: dict[tuple[str, str], set[str]] = field(default_factory=dict)
    """By the last part of the module's name and the name; of `EVERYTHING` for a star import."""
    members: dict[tuple[str, str], set[str]] = field(default_factory=dict)
    """By the path of a module and the name that is read as its attribute."""
    attributes: dict[str, set[str]] = field(default_factory=dict)
    """Attributes of anything."""

    def of_module(self, module: Module, but: Iterable[str] = ()) -> frozenset[str]:
        """The names of a module that others import or read; `but` are paths of modules that do not count."""
        own = (module_parts(module.relative) or ("",))[-1]
        itself = {module.relative, *but}
        imports = self.imported.items()
        members = self.members.items()
        found = {name for (stem, name), takers in imports if stem in (own, "") and takers - itself}
        found |= {name for (path, name), takers in members if path == module.relative and takers - itself}
        return frozenset(found)

    def takers_of(self, module: Module, name: str) -> frozenset[str]:
        """The paths of other modules that import a name of a module, or read it as its attribute."""
        own = (module_parts(module.relative) or ("",))[-1]
        found = set(self.members.get((module.relative, name), ()))
        for stem in (own, ""):
            found |= self.imported.get((stem, name), set())
        return frozenset(found - {module.relative})

    def attribute_elsewhere(self, name: str, but: Iterable[str]) -> bool:
        """Whether other modules than those with some paths read an attribute of that name."""
        return bool(self.attributes.get(name, set()).difference(but))


def find_taken(modules: Iterable[Module], kinds: dict[ast.AST, Values]) -> Taken:
    """Find what modules take from each other."""
    found = Taken()
    for module in modules:
        for statement in of_kinds(module.tree, ast.ImportFrom):
            stem = (statement.module or "").split(".")[-1]
            for alias in statement.names:
                found.imported.setdefault((stem, alias.name), set()).add(module.relative)
        for node in of_kinds(module.tree, ast.Attribute):
            found.attributes.setdefault(node.attr, set()).add(module.relative)
            for value in kinds.get(node.value, ()):
                if isinstance(value, ModuleValue):
                    key = (value.module.relative, node.attr)
                    found.members.setdefault(key, set()).add(module.relative)
    return found
