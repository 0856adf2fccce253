"""Contexts that are made by code outside of the files: ``ssc`` of a notebook, ``app.ssc`` of a library."""

from __future__ import annotations

import ast
import builtins
import re
import sys

from migrate.model import Module
from migrate.syntax.nodes import of_kinds
from migrate.syntax.tree import parameter_names
from migrate.trace.findings import Findings
from migrate.trace.scopes import Scope
from migrate.trace.values import NOTHING, Context, Values

_NO_CONTEXTS = sys.stdlib_module_names | {"pyspark", "compat"}
"""Packages whose star imports define no context."""
_DEFINES = re.compile(r"%run\b|\bexec(file)?\(|\bglobals\(|\bget_ipython\(|\bbuiltins\b|__builtins__")
"""Code that may define names which no statement shows."""


class Unknown:
    """Takes an unknown expression for a context if a source is made of it: ``ssc.socketTextStream(...)``.

    It waits until everything else is known: a name may turn out to be something else in a later round.
    """

    def __init__(self, findings: Findings) -> None:
        self.findings = findings
        self.naming = False
        """Whether everything else is known."""
        self.waiting = False
        """Whether there is an expression to be named."""
        self._contexts: dict[tuple[str, str], Context] = {}

    def named(self, node: ast.expr, scope: Scope) -> Values:
        """The context that an expression was taken for, in the same module."""
        found = self._contexts.get((scope.module.relative, ast.unparse(node))) if self._contexts else None
        return frozenset({found}) if found else NOTHING

    def name(self, node: ast.expr, scope: Scope) -> None:
        """Take an expression for a context, wherever the module spells it like that."""
        if not self.naming:
            self.waiting = True
            return
        text = ast.unparse(node)
        key = (scope.module.relative, text)
        if key in self._contexts:
            return
        home = scope.home(text) if isinstance(node, ast.Name) else None
        function = home.node if home is not None else None
        if not isinstance(node, ast.Name):
            why = f"what `{text}` is cannot be decided from the files that were read"
        elif home is None:
            why = f"`{text}` is never defined in the files that were read"
        else:
            why = f"`{text}` gets its value outside the files that were read"
        given = isinstance(function, ast.FunctionDef) and text in parameter_names(function)
        undefined = isinstance(node, ast.Name) and home is None and shows_all_names(scope.module)
        self._contexts[key] = Context(node, why, function if given else None, text if undefined else "")  # type: ignore[arg-type]
        self.findings.changed = True


def shows_all_names(module: Module) -> bool:
    """Whether a module gets no names by a star import of other code, or by code made at run time."""
    stars = [node for node in of_kinds(module.tree, ast.ImportFrom) if node.names[0].name == "*"]
    known = all(not star.level and (star.module or "").split(".")[0] in _NO_CONTEXTS for star in stars)
    return known and not _DEFINES.search(module.text)


def undefined(called: ast.expr, scope: Scope) -> str:
    """The name that an expression begins with, if nothing defines it; empty for others."""
    while isinstance(called, ast.Attribute):
        called = called.value
    if not isinstance(called, ast.Name) or scope.home(called.id) is not None or hasattr(builtins, called.id):
        return ""
    known = shows_all_names(scope.module) and not scope.module.form.has_cells
    return called.id if known else ""
