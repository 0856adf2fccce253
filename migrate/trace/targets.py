"""Assigns to targets: what stands left of ``=``, behind ``for`` and behind ``as``."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from migrate.trace.findings import Findings
from migrate.trace.scopes import Scope
from migrate.trace.values import Bag, Class, Globals, Instance, Items, ModuleValue, Value, Values


class Targets:
    """Gives values to names, attributes, and what lists and tuples hold.

    Args:
        findings: of the trace.
        evaluate: tells what an expression in a target is, the `x` of ``x.y = value``.
    """

    def __init__(self, findings: Findings, evaluate: Callable[[ast.expr, Scope], Values]) -> None:
        self.findings = findings
        self.evaluate = evaluate

    def assign(self, target: ast.expr, value: Values, scope: Scope) -> None:
        """Give `value` to whatever stands left of an assignment."""
        if isinstance(target, ast.Name):
            self.findings.bind(target.id, value, scope)
        elif isinstance(target, ast.Starred):
            self.assign(target.value, value, scope)
        elif isinstance(target, ast.Tuple | ast.List):
            self._unpack(target.elts, value, scope)
        elif isinstance(target, ast.Attribute):
            for owner in self.evaluate(target.value, scope):
                if isinstance(owner, Instance | Class):
                    self.findings.set_attribute(owner, target.attr, value)
                elif isinstance(owner, ModuleValue):
                    self.findings.bind(target.attr, value, self.findings.tops[owner.module.relative])
        elif isinstance(target, ast.Subscript):
            self.evaluate(target.slice, scope)
            for owner in self.evaluate(target.value, scope):
                if isinstance(owner, Bag):
                    self.findings.put(owner, value)
                elif isinstance(owner, Globals) and isinstance(target.slice, ast.Constant):
                    self.findings.bind(str(target.slice.value), value, self.findings.tops[owner.path])

    def _unpack(self, targets: Sequence[ast.expr], value: Values, scope: Scope) -> None:
        starred = any(isinstance(target, ast.Starred) for target in targets)
        for position, target in enumerate(targets):
            part: set[Value] = set()
            for whole in value:
                if isinstance(whole, Items) and not starred and len(whole.node.elts) == len(targets):
                    part |= self.findings.item(whole, position)
                else:
                    part |= self.findings.contents(frozenset({whole}))
            self.assign(target, frozenset(part), scope)
