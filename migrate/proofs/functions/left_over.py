"""Variables of a loop's body that may be read before it binds them: they have what an element before left.

for row in rows:
    if row:
        last = row
    print(last)
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from migrate.syntax.nodes import walk

_SCOPES = (
    ast.NamedExpr,
    ast.Lambda,
    ast.FunctionDef,
    ast.ListComp,
    ast.SetComp,
    ast.DictComp,
    ast.GeneratorExp,
)
_Bound = frozenset[str] | None
"""The variables that are certainly bound at a place; None for one that is never reached."""


def left_over(loop: ast.For) -> frozenset[str]:
    """The variables that the body of a loop binds, and that it may read before it does so."""
    bound = {name.id for name in _names(loop) if isinstance(name.ctx, ast.Store)}
    body = _Body(frozenset(bound))
    body.block(loop.body, body.stored(loop.target))
    return frozenset(body.found)


class _Body:
    """One turn of a loop."""

    def __init__(self, variables: frozenset[str]) -> None:
        self.variables = variables
        self.found: set[str] = set()

    def block(self, body: Sequence[ast.stmt], bound: _Bound) -> _Bound:
        for statement in body:
            if bound is None:
                return None
            bound = self.statement(statement, bound)
        return bound

    def statement(self, node: ast.stmt, bound: frozenset[str]) -> _Bound:
        match node:
            case ast.If(test, body, orelse):
                bound = self.read(test, bound)
                return _either(self.block(body, bound), self.block(orelse, bound))
            case ast.For(target, iterated, body, orelse):
                bound = self.read(iterated, bound)
                self.block(body, bound | self.stored(target))
                self.block(orelse, bound)
                return bound
            case ast.While(test, body, orelse):
                bound = self.read(test, bound)
                self.block(body, bound)
                self.block(orelse, bound)
                return bound
            case ast.Try(body, handlers, orelse, final):
                ends = [self.block(orelse, self.block(body, bound))]
                ends += [self.block(handler.body, bound | {handler.name or ""}) for handler in handlers]
                done = self.block(final, bound)
                end = _either(*ends)
                return None if end is None or done is None else end | done
            case ast.With(items, body):
                for item in items:
                    bound = self.read(item, bound)
                return self.block(body, bound)
            case ast.Continue() | ast.Break():
                return None
            case ast.Return() | ast.Raise():
                self.read(node, bound)
                return None
            case ast.AugAssign(ast.Name(name)):
                self.found |= {name} & self.variables - bound
        return self.read(node, bound)

    def read(self, node: ast.AST, bound: frozenset[str]) -> frozenset[str]:
        """What is bound behind an expression or a plain statement, which reads before it binds."""
        inner = {
            name.id if isinstance(name, ast.Name) else name.arg
            for scope in walk(node)
            if isinstance(scope, _SCOPES)
            for name in walk(scope)
            if isinstance(name, ast.Name | ast.arg)
        }
        loads = {name.id for name in _names(node) if isinstance(name.ctx, ast.Load)}
        self.found |= (loads & self.variables) - bound - inner
        return bound | self.stored(node)

    def stored(self, node: ast.AST) -> frozenset[str]:
        return frozenset(name.id for name in _names(node) if isinstance(name.ctx, ast.Store))


def _names(node: ast.AST) -> list[ast.Name]:
    return [name for name in walk(node) if isinstance(name, ast.Name)]


def _either(*ends: _Bound) -> _Bound:
    """What is bound on all ways that go on."""
    reached = [end for end in ends if end is not None]
    return frozenset.intersection(*reached) if reached else None
