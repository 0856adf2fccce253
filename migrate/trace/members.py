"""What the attributes of contexts, streams, objects and modules are."""

from __future__ import annotations

import ast

from migrate.knowledge.models import MODEL, MODELS
from migrate.knowledge.streaming import SOURCES
from migrate.trace.findings import Findings
from migrate.trace.scopes import Scope, parameters
from migrate.trace.uses import Use
from migrate.trace.values import (
    NOTHING,
    Bound,
    Class,
    Context,
    External,
    Function,
    Instance,
    Made,
    Member,
    ModuleValue,
    Stream,
    Value,
    Values,
)

LONGEST_NAME = 8
"""Dots in a qualified name; ``node = node.next`` would make it longer without end."""
MOST_NAMES = 8
"""Qualified names that a value can have; ``node = node.left`` in one of many branches would multiply them."""


class Members(Findings):
    """Looks members up, and notes the uses of those of contexts and streams."""

    def _known_unknown(self, node: ast.expr, scope: Scope) -> Values:
        found = self._unknown.get((scope.module.relative, ast.unparse(node))) if self._unknown else None
        return frozenset({found}) if found else NOTHING

    def _attribute(self, node: ast.Attribute, value: Values, call: ast.Call | None, scope: Scope) -> Values:
        if not value and isinstance(node.value, ast.Name | ast.Attribute):
            if node.attr in SOURCES and call is not None:
                self._name_unknown(node.value, scope)
            value = self._known_unknown(node.value, scope)
        owners = {owner for owner in value if isinstance(owner, Context | Stream)}
        if owners and isinstance(node.ctx, ast.Load):
            self.uses[node] = Use(node, call, node.attr, frozenset(owners), scope.module)
        if sum(isinstance(owner, External) for owner in value) > MOST_NAMES:
            value = frozenset(owner for owner in value if not isinstance(owner, External))
        result: set[Value] = set()
        for owner in value:
            result |= self._member(owner, node.attr)
        return frozenset(result)

    def _name_unknown(self, node: ast.expr, scope: Scope) -> None:
        if not self.naming_unknown:
            self.unnamed = True
            return
        text = ast.unparse(node)
        key = (scope.module.relative, text)
        if key in self._unknown:
            return
        if not isinstance(node, ast.Name):
            why = f"what `{text}` is cannot be decided from the files that were read"
        elif scope.home(text) is None:
            why = f"`{text}` is never defined in the files that were read"
        else:
            why = f"`{text}` gets its value outside the files that were read"
        self._unknown[key] = Context(node, why)
        self.changed = True

    def _member(self, owner: Value, name: str) -> Values:
        if isinstance(owner, Context | Stream):
            return frozenset({Member(owner, name)})
        if isinstance(owner, Made):
            return frozenset({Member(owner, name)}) if owner.name in MODELS and name in MODEL else NOTHING
        if isinstance(owner, External):
            if owner.name.count(".") >= LONGEST_NAME:
                return NOTHING
            return frozenset({External(f"{owner.name}.{name}", owner.origin)})
        if isinstance(owner, ModuleValue):
            inner = self.imports.find(f"{owner.name}.{name}", owner.module)
            if inner is not None:
                return frozenset({ModuleValue(inner, f"{owner.name}.{name}")})
            return self.attribute_of_module(owner.module, name)
        if isinstance(owner, Instance):
            return self._of_instance(owner, owner.of, name)
        if isinstance(owner, Class):
            return self._of_class(owner, name)
        return NOTHING

    def _of_class(self, cls: Class, name: str) -> Values:
        scope = self.scopes[cls.node]
        found = self._attributes.get((cls.node, name), NOTHING) | scope.ever.get(name, NOTHING)
        for base in self.bases.get(cls.node, []):
            for parent in base:
                if isinstance(parent, Class) and parent != cls and not found:
                    found |= self._of_class(parent, name)
        return found

    def _of_instance(self, instance: Instance, cls: Class, name: str) -> Values:
        result: set[Value] = set()
        for value in self._of_class(cls, name):
            if not isinstance(value, Function) or isinstance(value.node, ast.Lambda):
                result.add(value)
            elif decorators(value.node) & {"property", "cached_property"}:
                self._receive(value.node, instance)
                result |= self.scopes[value.node].returns
            elif "staticmethod" in decorators(value.node):
                result.add(value)
            else:
                result.add(Bound(value, instance))
        return frozenset(result)

    def _receive(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, instance: Instance) -> None:
        first = next(parameters(node.args), None)
        if first is not None:
            self._grow(self.scopes[node].ever, first.arg, frozenset({instance}))


def decorators(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> set[str]:
    """The last parts of the names of a function's decorators."""
    if isinstance(node, ast.Lambda):
        return set()
    return {ast.unparse(decorator).rsplit(".", 1)[-1] for decorator in node.decorator_list}
