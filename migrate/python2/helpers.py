"""The modules in Python 2 that a program imports: they go to Python 3 with it, or it does not go."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping

from migrate.imports import Imports
from migrate.model import Module
from migrate.nodes import walk


def python2_helpers(files: Iterable[str], modules: Mapping[str, Module]) -> tuple[str, ...]:
    """The paths of the modules in Python 2 that `files` import, also by way of others, without `files`."""
    if all(module.python == 3 for module in modules.values()):
        return ()
    imports = Imports(modules.values())
    reached = set(files)
    waiting = list(reached)
    while waiting:
        module = modules[waiting.pop()]
        new = {found.relative for found in _imported(module, imports)} - reached
        reached |= new
        waiting += new
    return tuple(sorted(path for path in reached - set(files) if modules[path].python == 2))


def _imported(module: Module, imports: Imports[Module]) -> Iterator[Module]:
    for node in walk(module.tree):
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
