"""Callbacks that are certain to compute all elements of their RDD, whatever these are.

``show`` and ``take`` leave partitions out; a collect reads all of them, and so does a sort before its
first element. Where a handler goes on with the next batch, nothing may fail before that.
"""

from __future__ import annotations

import ast
from collections.abc import Container, Iterable, Sequence

from migrate.knowledge.sessions import CHANGES_VIEWS
from migrate.proofs.analysis.facts import Facts
from migrate.proofs.callbacks.all_elements import ACTIONS, AllElements
from migrate.proofs.callbacks.roles import Callback
from migrate.syntax.nodes import walk
from migrate.syntax.tree import own_nodes

_LEAVES = (ast.Break, ast.Continue, ast.Raise, ast.Return, ast.Yield, ast.YieldFrom)
_HARMLESS = frozenset({"format", "print", "repr", "str"})
"""Functions, and methods of texts, that fail for no batch."""


def computes_all(
    callback: Callback,
    facts: Facts,
    gone: Iterable[ast.AST] = (),
    *,
    only_grow: bool = False,
    at_once: bool = False,
    counted: Container[ast.stmt] = (),
) -> bool:
    """Whether a callback computes all elements each time that it is called, unless an error ends the program.

    Args:
        callback: the function.
        facts: the names of its module.
        gone: nodes for which new code has something that cannot fail, or nothing.
        only_grow: whether the numbers among the elements only grow from batch to batch.
        at_once: whether all of a partition is computed as soon as its first element is.
        counted: the statements above which new code counts all elements.
    """
    inside = {inner for node in gone for inner in walk(node)}
    elements = AllElements(callback.rdd, only_grow=only_grow, at_once=at_once)
    reader = _Reader(facts, inside, elements, counted)
    if isinstance(callback.node, ast.Lambda):
        return reader.acts(callback.node.body)
    return bool(reader.block(callback.node.body))


def times_acted(callback: Callback, facts: Facts) -> int:
    """How often a callback and the functions that it calls may compute its RDD, or what is made of it."""
    found = 0
    for node in callback.walk():
        if isinstance(node, ast.Call) and not _is_action(node):
            own = isinstance(node.func, ast.Name) and bool(facts.bindings.get(node.func.id))
            made = map(callback.made_as, node.args)
            found += own and any(one is not None and not _is_action(one) for one in made)
        found += isinstance(node, ast.Call) and _is_action(node)
    return found


def _is_action(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Attribute) and call.func.attr in ACTIONS


class _Reader:
    """Reads the statements of a callback in their order."""

    def __init__(
        self,
        facts: Facts,
        gone: Container[ast.AST],
        elements: AllElements,
        counted: Container[ast.stmt],
    ) -> None:
        self._facts, self._gone, self._all, self._counted = facts, gone, elements, counted
        self._caught = False
        """Whether a handler may catch what fails."""

    def block(self, statements: Sequence[ast.stmt]) -> bool | None:
        """Whether statements compute all elements; None if they do not, and always go on with the next."""
        for statement in statements:
            found = self._statement(statement)
            if found is None and self._caught and not self._is_quiet(statement):
                found = False
            if found is not None:
                return found
        return None

    def _statement(self, node: ast.stmt) -> bool | None:
        if node in self._counted:
            return True
        match node:
            case (
                ast.Expr(value)
                | ast.Assign(value=value)
                | ast.AugAssign(value=value)
                | ast.Return(ast.expr() as value)
            ):
                if self.acts(value):
                    return True
                self._bind(node)
                return False if isinstance(node, ast.Return) else None
            case ast.If(test, body, orelse):
                if self.acts(test):
                    return True
                empty, filled = self._tells_empty(test)
                computed = [empty or self._inside(body), filled or self._inside(orelse)]
                more = [*(() if empty else body), *(() if filled else orelse)]
                return all(computed) or self._passed(node, more)
            case ast.Try(body, handlers):
                before, self._caught = self._caught, self._caught or bool(handlers)
                found = self.block(body)
                self._caught = before
                return found or self._passed(node, [node])
            case ast.With(items, body) if not self._caught and all(map(self._opens, items)):
                return self.block(body) or self._passed(node, [node])
            case ast.For(iter=first) | ast.While(test=first):
                return self.acts(first) or self._passed(node, [node])
            case ast.Pass() | ast.FunctionDef() | ast.Import() | ast.ImportFrom() | ast.Global():
                return None
        return False

    def _opens(self, item: ast.withitem) -> bool:
        """Whether it is ``open(path)``, which lets errors through."""
        match item.context_expr:
            case ast.Call(ast.Name("open")):
                return not self._facts.bindings.get("open")
        return False

    def _inside(self, statements: Sequence[ast.stmt]) -> bool:
        """Whether a branch computes all elements; what it binds is not known elsewhere."""
        before = dict(self._all.made), dict(self._all.views)
        found = self.block(statements)
        self._all.made, self._all.views = before
        return bool(found)

    def _passed(self, node: ast.stmt, parts: Sequence[ast.stmt]) -> bool | None:
        """None where the parts of a compound statement always go on with the next one."""
        if any(isinstance(one, _LEAVES) for part in parts for one in own_nodes(part)):
            return False
        for one in walk(node):
            if isinstance(one, ast.Name) and not isinstance(one.ctx, ast.Load):
                self._all.made.pop(one.id, None)
            if isinstance(one, ast.Attribute) and one.attr in CHANGES_VIEWS:
                self._all.views.clear()
        return None

    def _bind(self, node: ast.stmt) -> None:
        """Note the variables and the temp view that a statement makes."""
        if isinstance(node, ast.Expr):
            view = self._all.view(node.value)
            self._all.views.update([view] if view is not None else ())
        if isinstance(node, ast.Assign | ast.AugAssign):
            made = self._all.of(node.value) if isinstance(node, ast.Assign) else None
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for one in (inner for target in targets for inner in walk(target)):
                if isinstance(one, ast.Name):
                    self._all.made.pop(one.id, None)
                    if made is not None and targets == [one]:
                        self._all.made[one.id] = made

    def _is_quiet(self, node: ast.stmt) -> bool:
        """Whether a statement does not fail, or only where all elements have been computed."""
        if isinstance(node, ast.Import | ast.ImportFrom):
            return False
        if isinstance(node, ast.If) and self._tells_empty(node.test)[0]:
            return all(map(self._is_quiet, node.orelse))
        calls = [one for one in own_nodes(node) if isinstance(one, ast.Call)]
        return node in self._gone or all(map(self._is_harmless, calls))

    def _is_harmless(self, call: ast.Call) -> bool:
        if call in self._gone or self._all.of(call) is not None or self._all.view(call) is not None:
            return True
        match call.func:
            case ast.Name(name):
                return name in _HARMLESS and not self._facts.bindings.get(name)
            case ast.Attribute(ast.Constant(), name):
                return name in _HARMLESS
        return self._tells_empty(call)[0]

    def acts(self, node: ast.expr) -> bool:
        """Whether an expression, each time that it is evaluated, computes all elements."""
        if not self._caught:
            return self._computes(node)
        for one in own_nodes(node):  # what is evaluated before must not fail
            if self._all.computed_by(one, caught=True):
                return self._computes(node)
            if isinstance(one, ast.Call) and not self._is_harmless(one):
                return False
        return False

    def _computes(self, node: ast.expr) -> bool:
        match node:
            case ast.Lambda():
                return False
            case ast.IfExp(test, body, orelse):
                return self._computes(test) or (self._computes(body) and self._computes(orelse))
            case ast.BoolOp(values=[first, *_]):
                return self._computes(first)
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                return self._computes(node.generators[0].iter)
        if self._all.computed_by(node, caught=self._caught):
            return True
        parts = [one.value if isinstance(one, ast.keyword) else one for one in ast.iter_child_nodes(node)]
        return any(self._computes(part) for part in parts if isinstance(part, ast.expr))

    def _tells_empty(self, test: ast.expr) -> tuple[bool, bool]:
        """Whether a test holds only where all was computed and there are no elements; or fails only then."""
        match test:
            case ast.UnaryOp(ast.Not(), operand):
                return self._tells_empty(operand)[::-1]
            case ast.Call(ast.Attribute(rows, "isEmpty"), []):
                return self._all.of(rows) is not None, False
        return False, False
