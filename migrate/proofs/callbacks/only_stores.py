"""Code that hands Kafka's offsets to a store, or reads them there, and does nothing else.

It is followed through the functions and classes of the project. A store is a library of a database or the
like, or the file system. What it is given is made of offsets, of variables and of constants.
"""

from __future__ import annotations

import ast
from collections.abc import Container, Iterable, Iterator

from migrate.proofs.analysis.called_functions import called_function
from migrate.proofs.analysis.facts import Facts
from migrate.proofs.callbacks.store_origins import NOTHING, OBJECT, RDD, Found, Origins, refuse
from migrate.proofs.callbacks.store_values import StoreValues
from migrate.syntax.nodes import walk
from migrate.syntax.tree import parameter_names

_IDLE = (ast.Pass, ast.Global, ast.Nonlocal, ast.Import, ast.ImportFrom, ast.Break, ast.Continue)


class StoreCode(Found):
    """Functions and expressions that only store offsets or read them, with all that they call."""

    def __init__(self) -> None:
        super().__init__()
        self._results: dict[tuple[ast.AST, frozenset[tuple[str, Origins]]], Origins] = {}

    def follow(self, function: ast.expr, facts: Facts) -> None:
        """Follow the function that an operator is given, the RDD last among its arguments.

        Raises:
            DoesMore: it does more than to store offsets.
        """
        node, given = function, NOTHING
        if not isinstance(function, ast.Lambda):
            called = called_function(function, facts)
            if called is None:
                refuse()
            if called.bound and isinstance(function, ast.Attribute):
                given = StoreValues(self, facts, {}).value(function.value) or Origins({OBJECT})
            node, facts = called.node, facts.of(called.node)  # type: ignore[assignment]
        names = parameter_names(node)  # type: ignore[arg-type]
        if not names:
            refuse()
        for _ in range(2):  # a variable may be read above the function that gives it its value
            self._results.clear()
            values = {**dict.fromkeys(names, NOTHING), names[-1]: Origins({RDD})}
            if given:
                values[names[0]] = given
            self.function(node, values, facts)  # type: ignore[arg-type]

    def read_by(self, node: ast.expr, facts: Facts) -> None:
        """Follow an expression that reads offsets.

        Raises:
            DoesMore: it does something else.
        """
        for _ in range(2):
            self._results.clear()
            StoreValues(self, facts, {}).value(node)

    def function(
        self, node: ast.FunctionDef | ast.Lambda, values: dict[str, Origins], facts: Facts
    ) -> Origins:
        """The origins of what a function returns, given those of its arguments."""
        if node in self.open:
            return NOTHING
        key = (node, frozenset(values.items()))
        if key in self._results:
            return self._results[key]
        self.functions.add(node)
        self.open.add(node)
        code = StoreValues(self, facts, values, node)
        try:
            if isinstance(node, ast.Lambda):
                found = code.value(node.body)
            else:
                statements = _Statements(code)
                statements.block(node.body)
                found = statements.returned
        finally:
            self.open.remove(node)
        self._results[key] = found
        return found


class _Statements:
    """The statements of one function."""

    def __init__(self, values: StoreValues) -> None:
        self.values = values
        self.returned = NOTHING

    def block(self, statements: Iterable[ast.stmt]) -> None:
        """Follow statements.

        Raises:
            DoesMore: one does something else.
        """
        for statement in statements:
            self._statement(statement)

    def _statement(self, statement: ast.stmt) -> None:
        match statement:
            case ast.Expr(value):
                self.values.value(value)
            case ast.Assign(targets, value):
                given = self.values.value(value)
                for target in targets:
                    self.values.bind(target, given)
            case ast.AugAssign(target, _, value) | ast.AnnAssign(target, _, ast.expr() as value):
                self.values.bind(target, self.values.value(value))
            case ast.Return(value):
                self.returned |= self.values.value(value) if value is not None else NOTHING
            case ast.If(test, body, orelse) | ast.While(test, body, orelse):
                self.values.value(test)
                self.block([*body, *orelse])
            case ast.For(target, items, body, orelse):
                self.values.bind(target, self.values.value(items))
                self.block([*body, *orelse])
            case ast.With(items, body):
                for item in items:
                    given = self.values.value(item.context_expr)
                    if item.optional_vars is not None:
                        self.values.bind(item.optional_vars, given)
                self.block(body)
            case ast.Try():
                self._try(statement)
            case ast.Raise(error) if self.values.in_handler:
                if error is not None:
                    self.values.value(error)
            case _ if not isinstance(statement, _IDLE):
                refuse()

    def _try(self, statement: ast.Try) -> None:
        self.block(statement.body)
        self.block(statement.orelse)
        self.block(statement.finalbody)
        outside, self.values.in_handler = self.values.in_handler, True
        for handler in statement.handlers:
            if handler.name is not None:
                self.values.values[handler.name] = NOTHING
            self.block(handler.body)
        self.values.in_handler = outside


def constant_offsets(code: Iterable[ast.AST]) -> Iterator[ast.expr]:
    """Offsets in dicts that may be constants: where a program begins while nothing is stored."""
    for part in code:
        nodes = walk(part)
        fixed: set[str] = set()
        for node in nodes:
            match node:
                case ast.Assign([ast.Name(name)], value) if _may_be_number(value, fixed):
                    fixed.add(name)
        for node in nodes:
            match node:
                case ast.Assign([ast.Subscript()], value) | ast.DictComp(value=value):
                    values = [value]
                case ast.Dict(values=values):
                    pass
                case _:
                    continue
            yield from (value for value in values if _may_be_number(value, fixed))


def _may_be_number(node: ast.expr, fixed: Container[str]) -> bool:
    """Whether a value may be a constant: ``int(client.get(place) or 0)``."""
    match node:
        case ast.Constant(int()):
            return True
        case ast.Name(name):
            return name in fixed
        case ast.BoolOp(values=parts) | ast.Call(args=parts):
            return any(_may_be_number(part, fixed) for part in parts)
        case ast.IfExp(body=one, orelse=other):
            return _may_be_number(one, fixed) or _may_be_number(other, fixed)
    return False
