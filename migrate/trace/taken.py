"""What the modules of a project take from each other: names that they import, attributes that they read."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from migrate.knowledge.builtins import READ_BY_NAME
from migrate.model import Module
from migrate.read.modules import module_parts
from migrate.syntax.bindings import bound_names
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
    read: dict[str, frozenset[str]] = field(default_factory=dict)
    """All names that modules with star imports read, by their paths; not of those that may hand on others."""
    own: dict[str, frozenset[str]] = field(default_factory=dict)
    """What these import themselves: ``from json import loads``, each name by itself."""

    def of_module(self, module: Module, but: Iterable[str] = ()) -> frozenset[str]:
        """The names of a module that others import or read; `but` are paths of modules that do not count.

        Of a star import they are the names that are read beside it; `EVERYTHING` where more may be.
        """
        own = (module_parts(module.relative) or ("",))[-1]
        itself = {module.relative, *but}
        imports = self.imported.items()
        members = self.members.items()
        found = {name for (stem, name), takers in imports if stem in (own, "") and takers - itself}
        found |= {name for (path, name), takers in members if path == module.relative and takers - itself}
        if EVERYTHING in found:
            found.remove(EVERYTHING)
            bound, imported = bound_names(module.tree), dict(_imported(module.tree))
            for taker in self.takers_of(module, EVERYTHING) - itself:
                names = self.read.get(taker, frozenset[str]())
                # what reads none of them stands there for others
                known = taker in self.read and (names & bound or taker.endswith(".ipynb"))
                alike = {imported[one] for one in self.own.get(taker, ()) if one in imported}
                found |= names - alike if known else {EVERYTHING}
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


def find_taken(modules: Sequence[Module], kinds: dict[ast.AST, Values]) -> Taken:
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
    for module in modules:
        if _takes_for_itself(module, found):
            names = of_kinds(module.tree, ast.Name)
            found.read[module.relative] = frozenset(n.id for n in names if not isinstance(n.ctx, ast.Store))
            found.own[module.relative] = frozenset(one for one, _ in _imported(module.tree))
    return found


def _imported(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """The names that a module imports from others, each as an import of its own, and what it binds."""
    for statement in tree.body:
        if isinstance(statement, ast.ImportFrom) and not statement.level:
            for alias in statement.names:
                yield ast.unparse(ast.ImportFrom(statement.module, [alias], 0)), alias.asname or alias.name


def _takes_for_itself(module: Module, taken: Taken) -> bool:
    """Whether a module reads what its star imports bring in by its name alone, and gives it to no other."""
    if not any(alias.name == EVERYTHING for alias in of_kinds(module.tree, ast.alias)) or module.remarks:
        return False
    stem = (module_parts(module.relative) or ("",))[-1]
    given = any(own == stem for own, _ in taken.imported)
    given |= any(path == module.relative for path, _ in taken.members)
    names = {name.id for name in of_kinds(module.tree, ast.Name)}
    return (
        not given
        and names.isdisjoint(READ_BY_NAME | {"__all__"})
        and not module.relative.endswith("__init__.py")
    )
