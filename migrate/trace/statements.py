"""Follows statements in order: a branch joins both its ways, a loop its repetitions."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterable
from typing import Any

from migrate.syntax.nodes import children
from migrate.trace.expressions import Expressions
from migrate.trace.findings import Findings
from migrate.trace.importing import Importing
from migrate.trace.passing import Passing
from migrate.trace.scopes import FunctionNode, Scope, parameters
from migrate.trace.values import NOTHING, Bag, Class, Function, Values


class Statements:
    """Follows the statements of modules, classes and functions."""

    def __init__(self, findings: Findings, expressions: Expressions, passing: Passing) -> None:
        self.findings = findings
        self.expressions = expressions
        self.passing = passing
        self._loops: dict[ast.stmt, dict[str, Values]] = {}
        """What the names can be at the end of each loop's body."""
        importing = Importing(findings)
        self._kinds: dict[type[ast.stmt], Callable[[Any, Scope], bool | None]] = {
            ast.Assign: self._assign,
            ast.AnnAssign: self._ann_assign,
            ast.AugAssign: self._aug_assign,
            ast.Return: self._return,
            ast.Raise: self._raise,
            ast.If: self._if,
            ast.For: self._for,
            ast.While: self._while,
            ast.Try: self._try,
            ast.With: self._with,
            ast.Match: self._match,
            ast.FunctionDef: self._function_def,
            ast.ClassDef: self._class_def,
            ast.Import: importing.module,
            ast.ImportFrom: importing.names,
            ast.AsyncFor: self._for,
            ast.AsyncWith: self._with,
            ast.AsyncFunctionDef: self._function_def,
        }
        """What follows each kind of statement; the others only hold expressions."""
        if sys.version_info >= (3, 11):
            self._kinds[ast.TryStar] = self._try

    def module(self, top: Scope) -> None:
        """Follow a module."""
        assert isinstance(top.node, ast.Module)
        self._body(top.node.body, top)

    def _body(self, statements: list[ast.stmt], scope: Scope) -> None:
        scope.now = {}
        scope.active = True
        self.block(statements, scope)
        scope.active = False

    def function(self, node: FunctionNode, scope: Scope) -> None:
        """Follow a function with all the arguments that any call gives it."""
        names = [argument.arg for argument in parameters(node.args)]
        scope.now = {name: scope.ever.ask(name) for name in names}
        scope.active = True
        if isinstance(node, ast.Lambda):
            self.findings.give_back(scope, self.expressions.evaluate(node.body, scope))
        else:
            self.block(node.body, scope)
        scope.active = False

    def block(self, statements: Iterable[ast.stmt], scope: Scope) -> bool:
        """Follow statements.

        Returns:
            Whether one of them leaves the block for good: ``return``, ``raise``.
        """
        for statement in statements:  # noqa: SIM110 - a generator takes longer
            if self._statement(statement, scope):
                return True
        return False

    def _statement(self, node: ast.stmt, scope: Scope) -> bool:
        follow = self._kinds.get(type(node))
        if follow is not None:
            return bool(follow(node, scope))
        for child in children(node):
            if isinstance(child, ast.expr):
                self.expressions.evaluate(child, scope)
        return False

    def _assign(self, node: ast.Assign, scope: Scope) -> None:
        value = self.expressions.evaluate(node.value, scope)
        for target in node.targets:
            self.expressions.targets.assign(target, value, scope)

    def _ann_assign(self, node: ast.AnnAssign, scope: Scope) -> None:
        self.expressions.evaluate(node.annotation, scope)
        if node.value is not None:
            self.expressions.targets.assign(node.target, self.expressions.evaluate(node.value, scope), scope)

    def _aug_assign(self, node: ast.AugAssign, scope: Scope) -> None:
        value = self.expressions.evaluate(node.value, scope)
        if isinstance(node.target, ast.Name):
            before = self.findings.lookup(node.target.id, scope)
            for bag in before:
                if isinstance(bag, Bag):
                    self.findings.put(bag, self.findings.contents(value))
            self.expressions.targets.assign(node.target, before | value, scope)
        else:
            self.expressions.evaluate(node.target, scope)

    def _return(self, node: ast.Return, scope: Scope) -> bool:
        if node.value is not None:
            self.findings.give_back(scope, self.expressions.evaluate(node.value, scope))
        return True

    def _raise(self, node: ast.Raise, scope: Scope) -> bool:
        for child in (node.exc, node.cause):
            if child is not None:
                self.expressions.evaluate(child, scope)
        return True

    def _if(self, node: ast.If, scope: Scope) -> bool:
        self.expressions.evaluate(node.test, scope)
        before = dict(scope.now)
        left = self.block(node.body, scope)
        after = scope.now
        scope.now = before
        right = self.block(node.orelse, scope)
        if right:
            scope.now = after
        elif not left:
            scope.now = _join(after, scope.now)
        return left and right

    def _for(self, node: ast.For | ast.AsyncFor, scope: Scope) -> None:
        item = self.findings.contents(self.expressions.evaluate(node.iter, scope))
        before = self._enter_loop(node, scope)
        self.expressions.targets.assign(node.target, item, scope)
        self.block(node.body, scope)
        self._leave_loop(node, before, scope)
        self.block(node.orelse, scope)

    def _while(self, node: ast.While, scope: Scope) -> None:
        before = self._enter_loop(node, scope)
        self.expressions.evaluate(node.test, scope)
        self.block(node.body, scope)
        self._leave_loop(node, before, scope)
        self.block(node.orelse, scope)

    def _enter_loop(self, node: ast.stmt, scope: Scope) -> dict[str, Values]:
        """Begin a loop with what its body ended with in the round before, too."""
        before = _join(scope.now, self._loops.get(node, {}))
        scope.now = dict(before)
        return before

    def _leave_loop(self, node: ast.stmt, before: dict[str, Values], scope: Scope) -> None:
        after = self._loops[node] = _join(before, scope.now)
        # before the body binds a name for the first time, it was read as all that it ever is
        unbound = {name: scope.ever.get(name, NOTHING) for name in after.keys() - before.keys()}
        self.findings.changed |= after != before | unbound
        scope.now = dict(after)

    def _try(self, node: ast.Try, scope: Scope) -> bool:
        before = dict(scope.now)
        ended = self.block(node.body, scope) or self.block(node.orelse, scope)
        ways = [] if ended else [scope.now]
        start = _join(before, scope.now)
        for handler in node.handlers:
            scope.now = dict(start)
            if handler.type is not None:
                self.expressions.evaluate(handler.type, scope)
            if not self.block(handler.body, scope):
                ways.append(scope.now)
        scope.now = ways[0] if ways else start
        for way in ways[1:]:
            scope.now = _join(scope.now, way)
        return self.block(node.finalbody, scope) or not ways

    def _with(self, node: ast.With | ast.AsyncWith, scope: Scope) -> bool:
        for item in node.items:
            value = self.expressions.evaluate(item.context_expr, scope)
            if item.optional_vars is not None:
                self.expressions.targets.assign(item.optional_vars, value, scope)
        return self.block(node.body, scope)

    def _match(self, node: ast.Match, scope: Scope) -> None:
        self.expressions.evaluate(node.subject, scope)
        before = dict(scope.now)
        joined = dict(before)
        for case in node.cases:
            scope.now = dict(before)
            if case.guard is not None:
                self.expressions.evaluate(case.guard, scope)
            self.block(case.body, scope)
            joined = _join(joined, scope.now)
        scope.now = joined

    def _function_def(self, node: ast.FunctionDef | ast.AsyncFunctionDef, scope: Scope) -> None:
        for decorator in node.decorator_list:
            self.expressions.evaluate(decorator, scope)
        self.expressions.defaults(node, scope)
        self.findings.bind(node.name, frozenset({Function(node)}), scope)

    def _class_def(self, node: ast.ClassDef, scope: Scope) -> None:
        inner = self.findings.scopes[node]
        self.findings.set_bases(node, [self.expressions.evaluate(base, scope) for base in node.bases])
        self._body(node.body, inner)
        self.passing.receive_in_methods(Class(node))
        self.findings.bind(node.name, frozenset({Class(node)}), scope)


def _join(left: dict[str, Values], right: dict[str, Values]) -> dict[str, Values]:
    return {name: left.get(name, NOTHING) | right.get(name, NOTHING) for name in left.keys() | right.keys()}
