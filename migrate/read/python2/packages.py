"""The modules of a project as parts of packages, and the scripts that import them."""

from __future__ import annotations

import ast
from collections.abc import Container, Iterator, Sequence

from migrate.model import Module
from migrate.read.modules import Imports, is_installed, module_parts
from migrate.read.python2.functions import future
from migrate.read.python2.names import for_one_version
from migrate.read.reach import imported_names, importing
from migrate.syntax.bindings import bound_by
from migrate.syntax.nodes import children, of_kinds

_Folder = tuple[str, ...]
_STREAMS = "StreamingContext"
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


class Packages:
    """The modules of a project as parts of packages."""

    def __init__(self, modules: Sequence[Module]) -> None:
        self._imports = Imports(modules)
        self._packages = {_folder(module): module for module in modules if _is_package(module)}
        self._below = {module.relative: list(self._imported(module)) for module in modules}
        self._roots: dict[str, set[_Folder]] = {module.relative: set() for module in modules}
        """The folders from which the name of each module counts: those of the scripts, or above them."""
        importers: dict[str, list[Module]] = {}
        for module in modules:
            for other, _ in self._below[module.relative]:
                importers.setdefault(other.relative, []).append(module)
        for module in modules:
            above = importers.get(module.relative, [])
            if not _is_package(module) and _is_script(module, above, self._packages):
                self._import(module, _folder(module))

    def is_part(self, module: Module) -> bool:
        """Whether a module is part of a package for all scripts that import it."""
        roots = self._roots[module.relative]
        return _folder(module) in self._packages and bool(roots) and _folder(module) not in roots

    def beside(self, name: str, module: Module) -> Module | None:
        """The module of a dotted name, if it counts from the folder of `module`."""
        found = self._imports.find(name, module)
        beside = found is not None and module_parts(found.relative) == (*_folder(module), *name.split("."))
        return found if beside else None

    def only_beside(self, module: Module) -> Iterator[tuple[ast.Import | ast.ImportFrom, Module]]:
        """The imports of a module that no Python but 2 finds: beside it in its package."""
        if not self.is_part(module) or future(module.tree, "absolute_import"):
            return
        guarded = for_one_version(module.tree)
        nodes: Sequence[ast.Import | ast.ImportFrom] = of_kinds(module.tree, ast.Import, ast.ImportFrom)
        for node in nodes:
            if node not in guarded:
                for name in _absolute(node):
                    first = name.split(".")[0]
                    found = self.beside(first, module)
                    if found is not None and not is_installed(first):
                        yield node, found

    def is_hidden(self, found: Module) -> bool:
        """Whether the package of a module may have another value by its name.

        ``from . import log`` gives that value where the package has a logger of this name.
        """
        *folder, name = module_parts(found.relative)
        package = self._packages.get(tuple(folder))
        return package is not None and self._binds(package, name, found, set())

    def _binds(self, module: Module, name: str, meant: Module, seen: set[str]) -> bool:
        """Whether a module, or one whose names it takes over, has a name for something else than `meant`."""
        seen.add(module.relative)
        for node in _at_top(module.tree):
            match node:
                case ast.Import() | ast.ImportFrom():
                    if self._imports_other(node, module, name, meant, seen):
                        return True
                case ast.Name(id=other, ctx=ast.Store()) if other == name:
                    return True
                case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef() if node.name == name:
                    return True
        return False

    def _imports_other(
        self, node: ast.Import | ast.ImportFrom, module: Module, name: str, meant: Module, seen: set[str]
    ) -> bool:
        """Whether a statement gives a name to something else than `meant`."""
        level, package = (node.level, node.module or "") if isinstance(node, ast.ImportFrom) else (0, "")
        for alias in node.names:
            if bound_by(alias) == name:
                whole = f"{package}.{alias.name}".lstrip(".")
                if alias.asname is None and isinstance(node, ast.Import):
                    whole = name
                if self._imports.find(whole, module, level) is not meant:
                    return True
        found = self._imports.find(package, module, level) if node.names[0].name == "*" else None
        return found is not None and found.relative not in seen and self._binds(found, name, meant, seen)

    def _import(self, module: Module, root: _Folder) -> None:
        """Note the folder from which the name of a module counts, and those of what it imports then."""
        waiting = [(module, root)]
        while waiting:
            module, root = waiting.pop()
            if root in self._roots[module.relative]:
                continue
            self._roots[module.relative].add(root)
            inside = _folder(module) if _folder(module) in self._packages else None
            below = self._below[module.relative]
            waiting += ((other, root if above in (None, inside) else above) for other, above in below)

    def _imported(self, module: Module) -> Iterator[tuple[Module, _Folder | None]]:
        """The modules that one imports, and where their names count from: None where it is the same package.

        A package runs, too, when a module of it is imported.
        """
        for node in importing(module):
            for name, level in imported_names(node):
                found = self._imports.find(name, module, level)
                if found is not None:
                    folder = module_parts(found.relative)[: -len(name.split("."))]
                    yield found, None if level else folder


def _absolute(node: ast.Import | ast.ImportFrom) -> Iterator[str]:
    """The dotted names of modules that a statement imports without a dot before them."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif not node.level:
        yield node.module or ""


def _is_script(module: Module, importers: Sequence[Module], packages: Container[_Folder]) -> bool:
    """Whether a module is run by itself: nothing but tests imports it, or it says so and knows of streams."""
    runs, streams = "__main__" in module.source, _STREAMS in module.source
    if all(map(_is_test, importers)):
        return runs or streams or _folder(module) not in packages
    return runs and streams


def _is_test(module: Module) -> bool:
    return any(part.startswith("test") for part in module.relative.split("/"))


def _folder(module: Module) -> _Folder:
    return tuple(module.relative.split("/")[:-1])


def _is_package(module: Module) -> bool:
    return module.relative.endswith("/__init__.py")


def _at_top(tree: ast.Module) -> Iterator[ast.AST]:
    """The nodes of a module outside of functions and classes, and these without what is in them."""
    waiting: list[ast.AST] = [*tree.body]
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, _SCOPES):
            waiting += children(node)
