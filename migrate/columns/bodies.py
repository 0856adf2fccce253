"""Run the statements of a pure function on elements: assignments, ``if``, ``return``, loops."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from migrate.columns import code
from migrate.columns.booleans import choose
from migrate.columns.compiler import Compiler, Names
from migrate.columns.element import Refusal, Value
from migrate.columns.inner_imports import is_followed
from migrate.columns.loops import made_by
from migrate.columns.messages import refusal
from migrate.columns.tuples import unpack
from migrate.syntax.nodes import walk
from migrate.syntax.tree import yields_among

LONGEST_BODY = 200
"""The number of statements to run at most; those after an ``if`` count once for each branch."""


def run_body(compiler: Compiler, function: ast.FunctionDef, names: Names) -> Value:
    """Return the value that a function returns.

    Raises:
        Refusal: it does more than compute: ``while``, ``try``, ``global``, a bare call.
    """
    if any(ast.unparse(decorator) != "staticmethod" for decorator in function.decorator_list):
        raise Refusal(f"`{function.name}` is decorated", function)
    body = function.body[1:] if ast.get_docstring(function, clean=False) is not None else function.body
    yields = yields_among(walk(function))
    if yields and not (len(yields) == 1 and isinstance(body[-1], ast.For)):
        raise Refusal(f"`{function.name}` is a generator of more than one loop", function)
    return _Body(compiler, function).run(body, names)


class _Body:
    def __init__(self, compiler: Compiler, function: ast.FunctionDef) -> None:
        self.compiler = compiler
        self.function = function
        self.statements = 0
        self._nothing = code.FALSE if function in compiler.assumed.tested else code.known(None)

    def run(self, body: Sequence[ast.stmt], names: Names) -> Value:
        for position, statement in enumerate(body):
            self.statements += 1
            if self.statements > LONGEST_BODY:
                raise Refusal(f"`{self.function.name}` has too many branches", self.function)
            match statement:
                case ast.Return(value):
                    return self._nothing if value is None else self.compiler.value(value, names)
                case ast.If():
                    return self._branch(statement, body[position + 1 :], names)
                case ast.For():
                    made = made_by(statement, self.function)
                    if made.name is None and position + 1 < len(body):
                        raise refusal(statement, "a generator goes on behind this loop")
                    if made.name is None:
                        return self.compiler.value(made.items, names)
                    self.compiler.assumed.forget([made.name])
                    names = {**names, made.name: self.compiler.value(made.items, names)}
                case ast.Pass():
                    continue
                case ast.Import() | ast.ImportFrom() if is_followed(statement, self.compiler.scope):
                    continue
                case ast.Global(declared) | ast.Nonlocal(declared) if not self._stores(declared):
                    continue
                case _:
                    assigned = self._assign(statement, names)
                    self.compiler.assumed.forget(assigned)
                    names = {**names, **assigned}
        return self._nothing

    def _stores(self, names: Sequence[str]) -> bool:
        """Whether the function binds some of the names that it declares, or a function inside of it."""
        nodes = (node for node in walk(self.function) if isinstance(node, ast.Name))
        return any(node.id in names and not isinstance(node.ctx, ast.Load) for node in nodes)

    def _branch(self, statement: ast.If, rest: Sequence[ast.stmt], names: Names) -> Value:
        return choose(
            self.compiler,
            statement.test,
            names,
            lambda: self.run([*statement.body, *rest], names),
            lambda: self.run([*statement.orelse, *rest], names),
        )

    def _assign(self, statement: ast.stmt, names: Names) -> dict[str, Value]:
        match statement:
            case ast.Assign(targets=[target], value=value):
                return unpack(self.compiler, target, self.compiler.value(value, names))
            case ast.AnnAssign(target=ast.Name() as target, value=ast.expr() as value):
                return unpack(self.compiler, target, self.compiler.value(value, names))
            case ast.AugAssign(target=ast.Name(id) as target, op=operator, value=value):
                current = ast.copy_location(ast.Name(id, ast.Load()), target)
                return {
                    id: self.compiler.value(
                        ast.copy_location(ast.BinOp(current, operator, value), statement), names
                    )
                }
        raise refusal(statement, f"this statement in `{self.function.name}` has no Column form")
