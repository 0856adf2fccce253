"""The modules that others import, directly or through others."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence

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
    for node in importing(module):
        yield from imported_by(node, module, imports)


def importing(module: Module) -> Sequence[ast.stmt | ast.Call]:
    """The statements that import modules, and the calls: ``__import__("rules")``."""
    found: list[ast.stmt | ast.Call] = [*of_kinds(module.tree, ast.Import, ast.ImportFrom)]
    if "import_" in module.source:
        found += (call for call in of_kinds(module.tree, ast.Call) if any(True for _ in imported_names(call)))
    return found


def imported_by(node: ast.AST, module: Module, imports: Imports[Module]) -> Iterator[Module]:
    """The modules of the project that a statement or a call of a module imports, and their packages."""
    for name, level in imported_names(node):
        found = imports.find(name, module, level)
        if found is not None:
            yield found


def imported_names(node: ast.AST) -> Iterator[tuple[str, int]]:
    """The dotted names of what a statement or a call imports and of its packages, with the number of dots.

    The last name of ``from jobs import words`` may be no module.
    """
    match node:
        case ast.Import(names):
            yield from ((name, 0) for alias in names for name in _with_packages(alias.name))
        case ast.ImportFrom(package, names, level):
            if package is None:
                yield "", level
            prefix = f"{package}." if package else ""
            yield from ((name, level) for alias in names for name in _with_packages(f"{prefix}{alias.name}"))
        case ast.Call(ast.Name("__import__" | "import_module"), [ast.Constant(str(given)), *_]) | ast.Call(
            ast.Attribute(attr="import_module"), [ast.Constant(str(given)), *_]
        ):
            name = given.lstrip(".")
            yield from ((one, len(given) - len(name)) for one in _with_packages(name))


def _with_packages(name: str) -> Iterator[str]:
    """``jobs`` and ``jobs.words`` for the latter."""
    parts = name.split(".")
    yield from (".".join(parts[:length]) for length in range(1, len(parts) + 1))
