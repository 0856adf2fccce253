"""Looks up attributes of contexts, streams, objects, classes and modules: ``self.ssc``, ``lines.map``."""

from __future__ import annotations

import ast
from typing import TypeGuard

from migrate.knowledge.models import MODEL, MODELS
from migrate.knowledge.streaming import SOURCES
from migrate.trace.findings import Findings
from migrate.trace.passing import Passing, decorators
from migrate.trace.scopes import Scope
from migrate.trace.unknown import Unknown
from migrate.trace.uses import Use
from migrate.trace.values import (
    NOTHING,
    TRACED,
    Bound,
    Class,
    External,
    Function,
    Instance,
    Made,
    Member,
    ModuleValue,
    Value,
    Values,
)

LONGEST_NAME = 8
"""Dots in a qualified name; ``node = node.next`` would make it longer without end."""
MOST_NAMES = 8
"""Qualified names that a value can have; ``node = node.left`` in one of many branches would multiply them."""
_NAMED = (ast.Name, ast.Attribute)


class Members:
    """Looks members up, and notes each use of one of a context or a stream.

    Args:
        findings: of the trace.
        unknown: what can only be a context, as sources are made of it.
        passing: tells methods which object they are called on.
    """

    def __init__(self, findings: Findings, unknown: Unknown, passing: Passing) -> None:
        self.findings = findings
        self.unknown = unknown
        self.passing = passing

    def attribute(self, node: ast.Attribute, value: Values, call: ast.Call | None, scope: Scope) -> Values:
        """What ``value.attr`` can be.

        Args:
            node: the expression.
            value: what it is an attribute of.
            call: the call of it, or None for a bare reference.
            scope: where it stands.
        """
        if not value and isinstance(node.value, _NAMED):
            if node.attr in SOURCES and call is not None:
                self.unknown.name(node.value, scope)
            value = self.unknown.named(node.value, scope)
        if not value:
            return NOTHING
        owners = [owner for owner in value if isinstance(owner, TRACED)]
        if owners and isinstance(node.ctx, ast.Load):
            self.findings.uses[node] = Use(node, call, node.attr, frozenset(owners), scope.module)
        if len(value) > MOST_NAMES and sum(isinstance(owner, External) for owner in value) > MOST_NAMES:
            value = frozenset(owner for owner in value if not isinstance(owner, External))
        return NOTHING.union(*[self._member(owner, node.attr) for owner in value])

    def _member(self, owner: Value, name: str) -> Values:
        if isinstance(owner, TRACED):
            return frozenset({Member(owner, name)})
        if isinstance(owner, Made):
            known = owner.name in MODELS and name in MODEL
            return frozenset({Member(owner, name)}) if known or owner.finds_itself(name) else NOTHING
        if isinstance(owner, External):
            if owner.name.count(".") >= LONGEST_NAME:
                return NOTHING
            return frozenset({External(f"{owner.name}.{name}", owner.origin)})
        if isinstance(owner, ModuleValue):
            inner = self.findings.imports.find(f"{owner.name}.{name}", owner.module)
            if inner is not None:
                return frozenset({ModuleValue(inner, f"{owner.name}.{name}")})
            return self.findings.attribute_of_module(owner.module, name)
        if isinstance(owner, Instance):
            return self._of_instance(owner, name)
        if isinstance(owner, Class):
            found = self.of_class(owner, name)
            return frozenset(Bound(value, owner) if _is_of_class(value) else value for value in found)
        return NOTHING

    def of_class(self, cls: Class, name: str) -> Values:
        """What ``cls.name`` can be: what methods assign, and what the class or one above it says."""
        found = self.findings.attributes.ask((cls.node, name)) | self.findings.scopes[cls.node].ever.ask(name)
        parents = [p for base in self.findings.bases.get(cls.node, []) for p in base if isinstance(p, Class)]
        for parent in parents:
            if parent != cls:
                found |= self._assigned(parent, name, {cls}) if found else self.of_class(parent, name)
        return found

    def _assigned(self, cls: Class, name: str, seen: set[Class]) -> Values:
        """What methods of a class and of those above it assign to an attribute of their object."""
        found = self.findings.attributes.ask((cls.node, name))
        seen.add(cls)
        for base in self.findings.bases.get(cls.node, []):
            for parent in base:
                if isinstance(parent, Class) and parent not in seen:
                    found |= self._assigned(parent, name, seen)
        return found

    def _of_instance(self, instance: Instance, name: str) -> Values:
        result: set[Value] = set()
        for value in self.of_class(instance.of, name):
            if not isinstance(value, Function) or isinstance(value.node, ast.Lambda):
                result.add(value)
            elif decorators(value.node) & {"property", "cached_property"}:
                self.passing.receive(value.node, instance)
                result |= self.findings.scopes[value.node].results.ask(None)
            elif "staticmethod" in decorators(value.node):
                result.add(value)
            elif _is_of_class(value):
                result.add(Bound(value, instance.of))
            else:
                result.add(Bound(value, instance))
        return frozenset(result)


def _is_of_class(value: Value) -> TypeGuard[Function]:
    """Whether a value is a class method, which gets its class in front of its arguments."""
    return isinstance(value, Function) and "classmethod" in decorators(value.node)
