"""Follows what values flow where through whole modules, without running them.

Statements are followed in order; a branch joins both its ways, a loop its repetitions, and a function is seen
with all the arguments that any call gives it. Rounds repeat until nothing new turns up, so that what is found
does not
depend on the order of definitions.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Sequence

from migrate.model import Module
from migrate.syntax.nodes import children
from migrate.trace.expressions import Expressions
from migrate.trace.scopes import FUNCTIONS, Scope, parameters
from migrate.trace.values import (
    NOTHING,
    Bag,
    Class,
    External,
    Function,
    Instance,
    Items,
    ModuleValue,
    Value,
    Values,
)

ROUNDS = 30
"""Rounds after which the facts are taken as they are.

Chains of calls deeper than this are not met in practice.
"""


_STATEMENTS: dict[type[ast.stmt], str] = {
    ast.Assign: "_assign",
    ast.AnnAssign: "_ann_assign",
    ast.AugAssign: "_aug_assign",
    ast.Return: "_return",
    ast.Raise: "_raise",
    ast.If: "_if",
    ast.For: "_for",
    ast.While: "_while",
    ast.Try: "_try",
    ast.With: "_with",
    ast.Match: "_match",
    ast.FunctionDef: "_function_def",
    ast.ClassDef: "_class_def",
    ast.Import: "_import",
    ast.ImportFrom: "_import_from",
    ast.AsyncFor: "_for",
    ast.AsyncWith: "_with",
    ast.AsyncFunctionDef: "_function_def",
}
"""The method that follows each kind of statement; the others only hold expressions."""
if sys.version_info >= (3, 11):
    _STATEMENTS[ast.TryStar] = "_try"


class Interpreter(Expressions):
    """One pass over a project; `run` it, then read `uses`, `links`, `escapes` and `kinds`."""

    def __init__(self, modules: Sequence[Module]) -> None:
        super().__init__(modules)
        self._loops: dict[ast.stmt, dict[str, Values]] = {}

    def run(self) -> None:
        """Find all facts, first those that follow from the code alone, then what can only be a context."""
        self._settle()
        if self.unnamed:
            self.naming_unknown = True
            self._settle()

    def _settle(self) -> None:
        """Go round until nothing new turns up; what is used where is that of the last round."""
        for _ in range(ROUNDS):
            self.changed = self.unnamed = False
            self.uses.clear()
            self.escapes.clear()
            self.kinds.clear()
            self._round()
            if not self.changed:
                return

    def _round(self) -> None:
        for top in self.tops.values():
            top.now = {}
            top.active = True
            self.block(top.module.tree.body, top)
            top.active = False
        for node, scope in list(self.scopes.items()):
            if isinstance(node, FUNCTIONS):
                self._function(node, scope)

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, scope: Scope) -> None:
        names = [argument.arg for argument in parameters(node.args)]
        scope.now = {name: scope.ever.get(name, NOTHING) for name in names}
        scope.active = True
        if isinstance(node, ast.Lambda):
            self.give_back(scope, self.evaluate(node.body, scope))
        else:
            self.block(node.body, scope)
        scope.active = False

    # --- statements -----------------------------------------------------------------------------------------

    def block(self, statements: Iterable[ast.stmt], scope: Scope) -> bool:
        """Follow statements; whether the end is not reached (return, raise)."""
        return any(self._statement(statement, scope) for statement in statements)

    def _statement(self, node: ast.stmt, scope: Scope) -> bool:
        name = _STATEMENTS.get(type(node))
        if name is not None:
            return bool(getattr(self, name)(node, scope))
        for child in children(node):
            if isinstance(child, ast.expr):
                self.evaluate(child, scope)
        return False

    def _assign(self, node: ast.Assign, scope: Scope) -> None:
        value = self.evaluate(node.value, scope)
        for target in node.targets:
            self.assign(target, value, scope)

    def _ann_assign(self, node: ast.AnnAssign, scope: Scope) -> None:
        self.evaluate(node.annotation, scope)
        if node.value is not None:
            self.assign(node.target, self.evaluate(node.value, scope), scope)

    def _aug_assign(self, node: ast.AugAssign, scope: Scope) -> None:
        value = self.evaluate(node.value, scope)
        if isinstance(node.target, ast.Name):
            before = self.lookup(node.target.id, scope)
            for bag in before:
                if isinstance(bag, Bag):
                    self.put(bag, self.contents(value))
            self.assign(node.target, before | value, scope)
        else:
            self.evaluate(node.target, scope)

    def _return(self, node: ast.Return, scope: Scope) -> bool:
        if node.value is not None:
            self.give_back(scope, self.evaluate(node.value, scope))
        return True

    def _raise(self, node: ast.Raise, scope: Scope) -> bool:
        for child in (node.exc, node.cause):
            if child is not None:
                self.evaluate(child, scope)
        return True

    def _if(self, node: ast.If, scope: Scope) -> bool:
        self.evaluate(node.test, scope)
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
        item = self.contents(self.evaluate(node.iter, scope))
        before = self._enter_loop(node, scope)
        self.assign(node.target, item, scope)
        self.block(node.body, scope)
        self._leave_loop(node, before, scope)
        self.block(node.orelse, scope)

    def _while(self, node: ast.While, scope: Scope) -> None:
        before = self._enter_loop(node, scope)
        self.evaluate(node.test, scope)
        self.block(node.body, scope)
        self._leave_loop(node, before, scope)
        self.block(node.orelse, scope)

    def _enter_loop(self, node: ast.stmt, scope: Scope) -> dict[str, Values]:
        """The body also starts with what it ended with in the round before."""
        before = _join(scope.now, self._loops.get(node, {}))
        scope.now = dict(before)
        return before

    def _leave_loop(self, node: ast.stmt, before: dict[str, Values], scope: Scope) -> None:
        after = _join(before, scope.now)
        if after != self._loops.get(node):
            self._loops[node] = after
            self.changed = True
        scope.now = dict(after)

    def _try(self, node: ast.Try, scope: Scope) -> bool:
        before = dict(scope.now)
        ended = self.block(node.body, scope) or self.block(node.orelse, scope)
        ways = [] if ended else [scope.now]
        start = _join(before, scope.now)
        for handler in node.handlers:
            scope.now = dict(start)
            if handler.type is not None:
                self.evaluate(handler.type, scope)
            if not self.block(handler.body, scope):
                ways.append(scope.now)
        scope.now = ways[0] if ways else start
        for way in ways[1:]:
            scope.now = _join(scope.now, way)
        return self.block(node.finalbody, scope) or not ways

    def _with(self, node: ast.With | ast.AsyncWith, scope: Scope) -> bool:
        for item in node.items:
            value = self.evaluate(item.context_expr, scope)
            if item.optional_vars is not None:
                self.assign(item.optional_vars, value, scope)
        return self.block(node.body, scope)

    def _match(self, node: ast.Match, scope: Scope) -> None:
        self.evaluate(node.subject, scope)
        before = dict(scope.now)
        joined = dict(before)
        for case in node.cases:
            scope.now = dict(before)
            if case.guard is not None:
                self.evaluate(case.guard, scope)
            self.block(case.body, scope)
            joined = _join(joined, scope.now)
        scope.now = joined

    def _function_def(self, node: ast.FunctionDef | ast.AsyncFunctionDef, scope: Scope) -> None:
        for decorator in node.decorator_list:
            self.evaluate(decorator, scope)
        self.defaults(node, scope)
        self.bind(node.name, frozenset({Function(node)}), scope)

    def _class_def(self, node: ast.ClassDef, scope: Scope) -> None:
        inner = self.scopes[node]
        self.bases[node] = [self.evaluate(base, scope) for base in node.bases]
        inner.now = {}
        inner.active = True
        self.block(node.body, inner)
        inner.active = False
        self.receive_in_methods(Class(node))
        self.bind(node.name, frozenset({Class(node)}), scope)

    def _import(self, node: ast.Import, scope: Scope) -> None:
        for alias in node.names:
            name = alias.name if alias.asname else alias.name.split(".")[0]
            self.bind(alias.asname or name, self._imported(name, scope), scope)

    def _imported(self, name: str, scope: Scope) -> Values:
        found = self.imports.find(name, scope.module)
        return frozenset({ModuleValue(found, name) if found else External(name, scope.module)})

    def _import_from(self, node: ast.ImportFrom, scope: Scope) -> None:
        package = node.module or ""
        found = self.imports.find(package, scope.module, node.level)
        for alias in node.names:
            if alias.name == "*":
                self._star(package, found, scope)
                continue
            inner = self.imports.find(f"{package}.{alias.name}".lstrip("."), scope.module, node.level)
            # what a package binds itself hides a module of that name
            hidden = found and found is not scope.module and alias.name in self.tops[found.relative].names
            value: Values
            if inner is not None and not hidden:
                value = frozenset({ModuleValue(inner, alias.name)})
            elif found is not None:
                value = self.attribute_of_module(found, alias.name)
            else:
                prefix = "." * node.level + package
                value = frozenset({External(f"{prefix}.{alias.name}", scope.module)})
            self.bind(alias.asname or alias.name, value, scope)

    def _star(self, package: str, found: Module | None, scope: Scope) -> None:
        if found is None:
            if package not in scope.stars:
                scope.stars.append(package)
            return
        top = self.tops[found.relative]
        for name, value in list(top.ever.items()):
            if not name.startswith("_"):
                scope.names.add(name)
                scope.starred.add(name)
                self.bind(name, value, scope)
        for star in top.stars:
            if star not in scope.stars:
                scope.stars.append(star)

    # --- targets --------------------------------------------------------------------------------------------

    def assign(self, target: ast.expr, value: Values, scope: Scope) -> None:
        """Give `value` to whatever stands left of an assignment."""
        if isinstance(target, ast.Name):
            self.bind(target.id, value, scope)
        elif isinstance(target, ast.Starred):
            self.assign(target.value, value, scope)
        elif isinstance(target, ast.Tuple | ast.List):
            self._unpack(target.elts, value, scope)
        elif isinstance(target, ast.Attribute):
            for owner in self.evaluate(target.value, scope):
                if isinstance(owner, Instance | Class):
                    self.set_attribute(owner, target.attr, value)
                elif isinstance(owner, ModuleValue):
                    self.bind(target.attr, value, self.tops[owner.module.relative])
        elif isinstance(target, ast.Subscript):
            self.evaluate(target.slice, scope)
            for owner in self.evaluate(target.value, scope):
                if isinstance(owner, Bag):
                    self.put(owner, value)

    def _unpack(self, targets: Sequence[ast.expr], value: Values, scope: Scope) -> None:
        starred = any(isinstance(target, ast.Starred) for target in targets)
        for position, target in enumerate(targets):
            part: set[Value] = set()
            for whole in value:
                if isinstance(whole, Items) and not starred and len(whole.node.elts) == len(targets):
                    part |= self.item(whole, position)
                else:
                    part |= self.contents(frozenset({whole}))
            self.assign(target, frozenset(part), scope)


def _join(left: dict[str, Values], right: dict[str, Values]) -> dict[str, Values]:
    return {name: left.get(name, NOTHING) | right.get(name, NOTHING) for name in left.keys() | right.keys()}
