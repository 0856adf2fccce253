"""What an expression evaluates to, and which members of contexts and streams it uses."""

from __future__ import annotations

import ast

from migrate.syntax.nodes import children
from migrate.trace.calls import Calls
from migrate.trace.scopes import COMPREHENSIONS, Scope
from migrate.trace.values import (
    NOTHING,
    Bag,
    Function,
    Items,
    Value,
    Values,
)

_LEFT = {ast.Attribute: "value", ast.Call: "func", ast.Subscript: "value", ast.BinOp: "left"}


class Expressions(Calls):
    """Evaluates expressions; the statements are `Interpreter`'s."""

    def evaluate(self, node: ast.expr, scope: Scope) -> Values:
        """What `node` can be. Long chains lean to the left, so they are walked, not recursed into."""
        spine: list[ast.expr] = []
        while type(node) in _LEFT:
            spine.append(node)
            node = getattr(node, _LEFT[type(node)])
        value = self._leaf(node, scope)
        for position in range(len(spine) - 1, -1, -1):
            step = spine[position]
            if isinstance(step, ast.Attribute):
                above = spine[position - 1] if position else None
                value = self._attribute(step, value, above if isinstance(above, ast.Call) else None, scope)
            elif isinstance(step, ast.Call):
                value = self._call(step, value, scope)
            elif isinstance(step, ast.Subscript):
                value = self._subscript(step, value, scope)
            elif isinstance(step, ast.BinOp):
                value = self._binary(step, value, scope)
            if value:
                self.kinds[step] = self.kinds.get(step, NOTHING) | value
        return value

    def _leaf(self, node: ast.expr, scope: Scope) -> Values:
        if isinstance(node, ast.Name):
            value = self.lookup(node.id, scope) or self._known_unknown(node, scope)
            if value:
                self.kinds[node] = self.kinds.get(node, NOTHING) | value
            return value
        if isinstance(node, ast.Constant):
            return NOTHING
        if isinstance(node, ast.Lambda):
            self.defaults(node, scope)
            return frozenset({Function(node)})
        if isinstance(node, ast.Tuple):
            for item in node.elts:
                value = self.evaluate(item, scope)
                self._grow(self._held, item, self.contents(value) if isinstance(item, ast.Starred) else value)
            return frozenset({Items(node)})
        if isinstance(node, ast.List | ast.Set | ast.Dict):
            return self._display(node, scope)
        if isinstance(node, COMPREHENSIONS):
            return self._comprehension(node, scope)
        if isinstance(node, ast.IfExp):
            self.evaluate(node.test, scope)
            return self.evaluate(node.body, scope) | self.evaluate(node.orelse, scope)
        if isinstance(node, ast.BoolOp):
            return frozenset().union(*(self.evaluate(value, scope) for value in node.values))
        if isinstance(node, ast.NamedExpr):
            value = self.evaluate(node.value, scope)
            self.bind(node.target.id, value, scope.owner)
            return value
        if isinstance(node, ast.Starred | ast.Await):
            return self.evaluate(node.value, scope)
        for child in children(node):
            if isinstance(child, ast.expr):
                self.evaluate(child, scope)
        return NOTHING

    def defaults(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, scope: Scope) -> None:
        """Parameters can be what their defaults are."""
        inner = self.scopes[node]
        positional = [*node.args.posonlyargs, *node.args.args]
        for argument, default in zip(reversed(positional), reversed(node.args.defaults), strict=False):
            self._grow(inner.ever, argument.arg, self.evaluate(default, scope))
        for argument, optional in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True):
            if optional is not None:
                self._grow(inner.ever, argument.arg, self.evaluate(optional, scope))

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
            self.put(bag, self.contents(value) if spread else value)
        return frozenset({bag})

    def _comprehension(
        self, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp, scope: Scope
    ) -> Values:
        inner = self.scopes[node]
        inner.active = True
        for position, generator in enumerate(node.generators):
            item = self.contents(self.evaluate(generator.iter, inner if position else scope))
            self.assign(generator.target, item, inner)
            for condition in generator.ifs:
                self.evaluate(condition, inner)
        if isinstance(node, ast.DictComp):
            self.evaluate(node.key, inner)
        result = self.evaluate(node.value if isinstance(node, ast.DictComp) else node.elt, inner)
        inner.active = False
        bag = Bag(node)
        self.put(bag, result)
        return frozenset({bag})

    def assign(self, target: ast.expr, value: Values, scope: Scope) -> None:
        """Give `value` to a target; the statements' part fills this in."""
        raise NotImplementedError

    def _subscript(self, node: ast.Subscript, value: Values, scope: Scope) -> Values:
        self.evaluate(node.slice, scope)
        index = node.slice.value if isinstance(node.slice, ast.Constant) else None
        found: set[Value] = set()
        for whole in value:
            size = len(whole.node.elts) if isinstance(whole, Items) else 0
            if isinstance(whole, Items) and isinstance(index, int) and -size <= index < size:
                found |= self.item(whole, index)
            else:
                found |= self.contents(frozenset({whole}))
        return frozenset(found)

    def _binary(self, node: ast.BinOp, left: Values, scope: Scope) -> Values:
        right = self.evaluate(node.right, scope)
        return frozenset(value for value in left | right if isinstance(value, Items | Bag))


def _spread(node: ast.Dict) -> list[ast.expr]:
    return [value for key, value in zip(node.keys, node.values, strict=True) if key is None]
