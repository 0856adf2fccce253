"""Evaluates expressions: which contexts, streams, functions and objects they can be."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from migrate.syntax.nodes import children
from migrate.trace.arguments import Arguments
from migrate.trace.calls import Calls
from migrate.trace.findings import Findings
from migrate.trace.members import Members
from migrate.trace.scopes import COMPREHENSIONS, ComprehensionNode, FunctionNode, Scope
from migrate.trace.targets import Targets
from migrate.trace.values import NOTHING, Bag, Function, Globals, Items, Value, Values

_LEFT: dict[type[ast.expr], str] = {
    ast.Attribute: "value",
    ast.Call: "func",
    ast.Subscript: "value",
    ast.BinOp: "left",
}


class Expressions:
    """Evaluates expressions, and notes what each name, attribute and call can be."""

    def __init__(self, findings: Findings, members: Members, calls: Calls) -> None:
        self.findings = findings
        self._kinds = findings.kinds
        self.members = members
        self.calls = calls
        self.targets = Targets(findings, self.evaluate)
        self._leaves: dict[type[ast.expr], Callable[[Any, Scope], Values]] = {
            ast.Name: self._name,
            ast.Lambda: self._lambda,
            ast.Tuple: self._tuple,
            ast.IfExp: self._either,
            ast.BoolOp: self._any,
            ast.NamedExpr: self._walrus,
            **dict.fromkeys((ast.List, ast.Set, ast.Dict), self._display),
            **dict.fromkeys(COMPREHENSIONS, self._comprehension),
            **dict.fromkeys((ast.Starred, ast.Await), self._inner),
        }
        """What evaluates each kind of expression; of the others only what is inside matters."""

    def evaluate(self, node: ast.expr, scope: Scope) -> Values:
        """What `node` can be. Long chains lean to the left, so they are walked, not recursed into."""
        if type(node) is ast.Constant:
            return NOTHING
        if type(node) not in _LEFT:
            return self._leaf(node, scope)
        spine: list[ast.expr] = []
        while (left := _LEFT.get(type(node))) is not None:
            spine.append(node)
            node = getattr(node, left)
        value = self._leaf(node, scope)
        for position in range(len(spine) - 1, -1, -1):
            step = spine[position]
            if type(step) is ast.Attribute:
                above = spine[position - 1] if position else None
                value = self.members.attribute(
                    step, value, above if isinstance(above, ast.Call) else None, scope
                )
            elif type(step) is ast.Call:
                value = self.calls.call(step, value, self._arguments(step, scope), scope)
            elif type(step) is ast.Subscript:
                value = self._subscript(step, value, scope)
            elif type(step) is ast.BinOp:
                value = self._binary(step, value, scope)
            if value:
                self._note(step, value)
        return value

    def _note(self, node: ast.expr, value: Values) -> None:
        before = self._kinds.get(node)
        self._kinds[node] = value if before is None else before | value

    def _arguments(self, node: ast.Call, scope: Scope) -> Arguments:
        positional = [self.evaluate(argument, scope) for argument in node.args]
        return Arguments(positional, [(word.arg, self.evaluate(word.value, scope)) for word in node.keywords])

    def _leaf(self, node: ast.expr, scope: Scope) -> Values:
        """Evaluate an expression that is no attribute, call, subscript or binary operation."""
        follow = self._leaves.get(type(node))
        if follow is not None:
            return follow(node, scope)
        for child in children(node):
            if isinstance(child, ast.expr):
                self.evaluate(child, scope)
        return NOTHING

    def _name(self, node: ast.Name, scope: Scope) -> Values:
        value = self.findings.lookup(node.id, scope) or self.members.unknown.named(node, scope)
        if value:
            self._note(node, value)
        return value

    def _lambda(self, node: ast.Lambda, scope: Scope) -> Values:
        self.defaults(node, scope)
        return frozenset({Function(node)})

    def _tuple(self, node: ast.Tuple, scope: Scope) -> Values:
        for item in node.elts:
            value = self.evaluate(item, scope)
            spread = isinstance(item, ast.Starred)
            self.findings.grow(self.findings.held, item, self.findings.contents(value) if spread else value)
        return frozenset({Items(node)})

    def _either(self, node: ast.IfExp, scope: Scope) -> Values:
        self.evaluate(node.test, scope)
        return self.evaluate(node.body, scope) | self.evaluate(node.orelse, scope)

    def _any(self, node: ast.BoolOp, scope: Scope) -> Values:
        return frozenset().union(*(self.evaluate(value, scope) for value in node.values))

    def _walrus(self, node: ast.NamedExpr, scope: Scope) -> Values:
        value = self.evaluate(node.value, scope)
        self.findings.bind(node.target.id, value, scope.owner)
        return value

    def _inner(self, node: ast.Starred | ast.Await, scope: Scope) -> Values:
        return self.evaluate(node.value, scope)

    def defaults(self, node: FunctionNode, scope: Scope) -> None:
        """Parameters can be what their defaults are."""
        if not (node.args.defaults or node.args.kw_defaults):
            return
        inner = self.findings.scopes[node]
        positional = [*node.args.posonlyargs, *node.args.args]
        for argument, default in zip(reversed(positional), reversed(node.args.defaults), strict=False):
            self.findings.grow(inner.ever, argument.arg, self.evaluate(default, scope))
        for argument, optional in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True):
            if optional is not None:
                self.findings.grow(inner.ever, argument.arg, self.evaluate(optional, scope))

    def _display(self, node: ast.List | ast.Set | ast.Dict, scope: Scope) -> Values:
        items = node.values if isinstance(node, ast.Dict) else node.elts
        if isinstance(node, ast.Dict):
            for key in node.keys:
                if key is not None:
                    self.evaluate(key, scope)
        bag = Bag(node)
        for item in items:
            value = self.evaluate(item, scope)
            spread = isinstance(item, ast.Starred) or (isinstance(node, ast.Dict) and item in _spread(node))
            self.findings.put(bag, self.findings.contents(value) if spread else value)
        return frozenset({bag})

    def _comprehension(self, node: ComprehensionNode, scope: Scope) -> Values:
        inner = self.findings.scopes[node]
        inner.active = True
        for position, generator in enumerate(node.generators):
            item = self.findings.contents(self.evaluate(generator.iter, inner if position else scope))
            self.targets.assign(generator.target, item, inner)
            for condition in generator.ifs:
                self.evaluate(condition, inner)
        if isinstance(node, ast.DictComp):
            self.evaluate(node.key, inner)
        result = self.evaluate(node.value if isinstance(node, ast.DictComp) else node.elt, inner)
        inner.active = False
        bag = Bag(node)
        self.findings.put(bag, result)
        return frozenset({bag})

    def _subscript(self, node: ast.Subscript, value: Values, scope: Scope) -> Values:
        self.evaluate(node.slice, scope)
        index = node.slice.value if isinstance(node.slice, ast.Constant) else None
        found: set[Value] = set()
        for whole in value:
            size = len(whole.node.elts) if isinstance(whole, Items) else 0
            if isinstance(whole, Items) and isinstance(index, int) and -size <= index < size:
                found |= self.findings.item(whole, index)
            elif isinstance(whole, Globals):
                found |= self.findings.attribute_of_module(whole.module, str(index))
            else:
                found |= self.findings.contents(frozenset({whole}))
        return frozenset(found)

    def _binary(self, node: ast.BinOp, left: Values, scope: Scope) -> Values:
        right = self.evaluate(node.right, scope)
        return frozenset(value for value in left | right if isinstance(value, Items | Bag))


def _spread(node: ast.Dict) -> list[ast.expr]:
    return [value for key, value in zip(node.keys, node.values, strict=True) if key is None]
