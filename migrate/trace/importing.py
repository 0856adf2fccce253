"""What import statements bind: modules that were read, their names, and names of packages that were not."""

from __future__ import annotations

import ast

from migrate.model import Module
from migrate.syntax.bindings import public_names
from migrate.trace.findings import Findings
from migrate.trace.scopes import Scope
from migrate.trace.values import NOTHING, External, ModuleValue, Values

_HOMES = {"pyspark.conf": "pyspark", "pyspark.context": "pyspark"}
"""Modules in which Spark defines what programs mostly import from its package."""


class Importing:
    """Follows import statements."""

    def __init__(self, findings: Findings) -> None:
        self.findings = findings

    def module(self, node: ast.Import, scope: Scope) -> None:
        """``import pyspark.streaming as st``."""
        for alias in node.names:
            name = alias.name if alias.asname else alias.name.split(".")[0]
            self.findings.bind(alias.asname or name, self._imported(name, scope), scope)

    def by_call(self, node: ast.Call, called: Values, scope: Scope) -> Values:
        """The module that a call imports, if it was read: ``importlib.import_module("jobs.count")``."""
        name = node.args[0].value if node.args and isinstance(node.args[0], ast.Constant) else None
        if not isinstance(name, str):
            return NOTHING
        function = next((value.name for value in called if isinstance(value, External)), None)
        if not called and isinstance(node.func, ast.Name) and node.func.id == "__import__":
            whole = len(node.args) > 3 or any(keyword.arg == "fromlist" for keyword in node.keywords)
            name = name if whole else name.split(".")[0]
        elif function != "importlib.import_module":
            return NOTHING
        found = self.findings.imports.find(name.lstrip("."), scope.module, len(name) - len(name.lstrip(".")))
        return frozenset({ModuleValue(found, name)}) if found else NOTHING

    def _imported(self, name: str, scope: Scope) -> Values:
        found = self.findings.imports.find(name, scope.module)
        return frozenset({ModuleValue(found, name) if found else External(name, scope.module)})

    def names(self, node: ast.ImportFrom, scope: Scope) -> None:
        """``from pyspark.streaming import StreamingContext``."""
        package = node.module or ""
        found = self.findings.imports.find(package, scope.module, node.level)
        for alias in node.names:
            if alias.name == "*":
                self._star("." * node.level + package, found, scope)
                continue
            inner = self.findings.imports.find(
                f"{package}.{alias.name}".lstrip("."), scope.module, node.level
            )
            # what a package binds itself hides a module of that name
            hidden = (
                found and found is not scope.module and alias.name in self.findings.tops[found.relative].names
            )
            value: Values
            if inner is not None and not hidden:
                value = frozenset({ModuleValue(inner, alias.name)})
            elif found is not None:
                value = self.findings.attribute_of_module(found, alias.name)
            else:
                prefix = "." * node.level + _HOMES.get(package, package)
                value = frozenset({External(f"{prefix}.{alias.name}", scope.module)})
            self.findings.bind(alias.asname or alias.name, value, scope)

    def _star(self, package: str, found: Module | None, scope: Scope) -> None:
        if found is None:
            self._add_star(package, scope)
            return
        top = self.findings.tops[found.relative]
        public = public_names(found.tree)
        for name, value in top.ever.ask_all():
            if name in public if public is not None else not name.startswith("_"):
                self.findings.changed |= name not in scope.names
                scope.names.add(name)
                scope.starred.add(name)
                self.findings.bind(name, value, scope)
        for star in top.stars:
            self._add_star(star, scope)

    def _add_star(self, package: str, scope: Scope) -> None:
        if package not in scope.stars:
            scope.stars.append(package)
            self.findings.changed = True
