"""The modules that others import, directly or through others."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping

from migrate.model import Module
from migrate.read.modules import Imports
from migrate.syntax.nodes import of_kinds


def reached(files: Iterable[str], modules: Mapping[str, Module]) -> set[str]:
    """The paths of the modules that `files` import, also by way of others, and of `files`."""
    imports = Imports(modules.values())
    found = set(files)
    waiting = list(found)
    while waiting:
        module = modules[waiting.pop()]
        new = {other.relative for other in _imported(module, imports)} - found
        found |= new
        waiting += new
    return found


def _imported(module: Module, imports: Imports[Module]) -> Iterator[Module]:
    for node in of_kinds(module.tree, ast.Import, ast.ImportFrom):
        yield from imported_by(node, module, imports)


def imported_by(node: ast.AST, module: Module, imports: Imports[Module]) -> Iterator[Module]:
    """The modules of the project that a statement of a module imports, and their packages."""
    names: list[tuple[str, int]] = []
    if isinstance(node, ast.Import):
        names = [(alias.name, 0) for alias in node.names]
    elif isinstance(node, ast.ImportFrom):
        package = node.module or ""
        names = [(package, node.level)]
        names += [(f"{package}.{alias.name}".lstrip("."), node.level) for alias in node.names]
    for name, level in names:
        found = imports.find(name, module, level)
        if found is not None:
            yield found
