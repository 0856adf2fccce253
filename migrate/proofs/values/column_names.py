"""The names that a function reads, for the compiler of columns."""

from __future__ import annotations

import ast
import sys

from migrate.cached import cached_property
from migrate.columns import Scope as ColumnScope
from migrate.columns.element import Defined, Objects
from migrate.proofs.analysis.called_functions import called_function, repeated
from migrate.proofs.analysis.facts import Facts
from migrate.proofs.values.changed_elsewhere import is_bound_elsewhere, is_changed_elsewhere
from migrate.proofs.values.constants import Constant, constants_of
from migrate.proofs.values.imported_values import imported_from, value_of
from migrate.proofs.values.left_alone import is_changeable
from migrate.proofs.values.namedtuples import has_defaults, namedtuple_fields
from migrate.proofs.values.record_classes import record_class
from migrate.proofs.values.settled import settled, settled_type, variable
from migrate.proofs.values.variable_types import Variable
from migrate.syntax.copies import changed
from migrate.syntax.nodes import code_of


def column_scope(line: int, facts: Facts) -> ColumnScope:
    """The compiler's view of the names that a function on `line` reads: constants, functions, imports."""
    return facts.once(_ColumnNames).scope(line)


class _ColumnNames:
    """The names of one module that are bound once, as the compiler of columns takes them."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._scopes: dict[int, ColumnScope] = {}
        self._classes: dict[ast.expr, Objects | None] = {}

    def scope(self, line: int) -> ColumnScope:
        """See `column_scope`."""
        if line not in self._scopes:
            functions, imports, constants_on = self._bound_once
            facts = self._facts
            constants = {name: value for name, (bound, value) in constants_on.items() if bound < line}
            scope = ColumnScope(constants, functions, imports, facts.shadowed, facts.identifiers)
            with_defaults = frozenset(name for name in self._namedtuples if has_defaults(name, facts))
            scope = changed(scope, namedtuples=self._namedtuples, with_defaults=with_defaults)
            self._scopes[line] = changed(
                scope,
                settled=lambda node: settled(code_of(node), self._variable(node, line, scope)),
                settled_type=lambda node: settled_type(self._variable(node, line, scope)),
                defined=lambda node: self._defined(node, line),
                objects=self._objects,
            )
        return self._scopes[line]

    def _variable(self, name: ast.Name | ast.Attribute, line: int, scope: ColumnScope) -> Variable | None:
        """What is known of a variable that a function on a line reads, of this module or of another."""
        if isinstance(name, ast.Attribute):
            return variable(name, line, scope, self._facts)
        imported = imported_from(name, self._facts)
        if imported is None:
            found = variable(name, line, scope, self._facts)
            changes = found is not None and self._changes_elsewhere(name.id, is_changeable(found.end))
            return None if changes else found
        return value_of(imported, column_scope(sys.maxsize, imported.there), self._facts)

    def _defined(self, node: ast.expr, line: int) -> Defined | None:
        """The function that an expression on a line names, if the name alone does not tell which it is."""
        called = called_function(node, self._facts)
        if called is None:
            return None
        there = self._facts.of(called.node)
        above = there.above.get(called.node)
        of_class = isinstance(above, ast.ClassDef) and there.visible(above) and called.node in above.body
        if not of_class and not there.visible(called.node):
            return None
        # another module has been imported by then
        scope = column_scope(line if there is self._facts else sys.maxsize, there)
        return Defined(called.node, scope, called.bound)

    def _objects(self, node: ast.expr) -> Objects | None:
        """The class that an expression names, if its objects are only asked for attributes in any case."""
        if node not in self._classes:
            made = record_class(node, self._facts)
            plain = made is not None and not made.has_operators
            self._classes[node] = (
                Objects(made.names, made.constructor, made.sets, made.are_tuples) if made and plain else None
            )
        return self._classes[node]

    @cached_property
    def _namedtuples(self) -> dict[str, tuple[str, ...]]:
        """The fields of the classes that the module makes with `namedtuple`, by their names."""
        facts = self._facts
        found = {name: namedtuple_fields(name, facts) for name in facts.bindings}
        return {name: tuple(fields) for name, fields in found.items() if fields}

    @cached_property
    def _bound_once(
        self,
    ) -> tuple[dict[str, ast.Lambda | ast.FunctionDef], dict[str, str], dict[str, tuple[int, Constant]]]:
        """The functions, the imports with their qualified names, and the constants with their lines."""
        facts = self._facts
        functions: dict[str, ast.Lambda | ast.FunctionDef] = {}
        imports: dict[str, str] = {}
        variables: list[str] = []
        for name in facts.bindings:
            node = next(iter(repeated(name, facts)), None) or facts.only_binding(name)
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
        constants = {
            name: found
            for name, found in constants_of(variables, facts).items()
            if not self._changes_elsewhere(name, isinstance(found[1], list | set | dict))
        }
        return functions, imports, constants

    def _changes_elsewhere(self, name: str, has_parts: bool) -> bool:
        """Whether other modules may give a variable another value, or change it if that can be."""
        return is_bound_elsewhere(name, self._facts) or (
            has_parts and is_changed_elsewhere(name, self._facts)
        )
