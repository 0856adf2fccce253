"""What the compiler of columns is told of the names that a function reads."""

from __future__ import annotations

import ast
from functools import cached_property
from typing import TYPE_CHECKING

from migrate.columns import Scope as ColumnScope

if TYPE_CHECKING:
    from migrate.proofs.facts import Facts


class ColumnNames:
    """The names of one module that are bound once, as the compiler of columns takes them."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._scopes: dict[int, ColumnScope] = {}

    def scope(self, line: int) -> ColumnScope:
        """What is proven of the names that a function on `line` reads."""
        if line not in self._scopes:
            functions, imports, variables = self._bound_once
            found = ((name, *self._facts.constant(name, line)) for name in variables)
            constants = {name: value for name, known, value in found if known}
            facts = self._facts
            scope = ColumnScope(constants, functions, imports, facts.shadowed, facts.identifiers)
            self._scopes[line] = scope
        return self._scopes[line]

    @cached_property
    def _bound_once(self) -> tuple[dict[str, ast.Lambda | ast.FunctionDef], dict[str, str], list[str]]:
        """The functions, the imports with their qualified names, and the variables."""
        facts = self._facts
        functions: dict[str, ast.Lambda | ast.FunctionDef] = {}
        imports: dict[str, str] = {}
        variables: list[str] = []
        for name in facts.bindings:
            node = next(iter(facts.repeated(name)), None) or facts.only_binding(name)
            if isinstance(node, ast.FunctionDef) and not node.decorator_list and facts.visible(node):
                functions[name] = node
            elif isinstance(node, ast.alias):
                qualified = facts.imported(node)
                if qualified is not None:
                    imports[name] = qualified
            elif isinstance(node, ast.Name):
                variables.append(name)
                value = facts.value_of(node)
                if isinstance(value, ast.Lambda) and facts.visible(node):
                    functions[name] = value
        return functions, imports, variables
