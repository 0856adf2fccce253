"""What holds where a part of a function is evaluated: what conditions said, and what only has to be true."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager

from migrate.columns.element import Record, Scalar, Value
from migrate.columns.shapes import Maybe, Shape
from migrate.columns.tells import NOTHING, also, under
from migrate.frozen import replace
from migrate.syntax.tree import own_nodes


class Assumptions:
    """What is known of values while a part of a function is evaluated."""

    def __init__(self) -> None:
        self.tested: set[ast.AST] = set()
        """What nothing counts of but whether it is true: constants, functions of calls, functions."""
        self._not_none: frozenset[str] = frozenset()
        """Expressions that are not None, as `ast.dump` gives them."""
        self._told: Mapping[str, Shape] = NOTHING
        """What conditions said of values, by their code."""

    def of(self, node: ast.expr, value: Value) -> Value:
        """A value with what is known of it.

        Args:
            node: the expression that it is of.
            value: the value without that.
        """
        if self._told and isinstance(value, Scalar | Record):
            value = under(value, self._told)
        if self._not_none and isinstance(value, Scalar) and isinstance(value.shape, Maybe):
            return replace(value, shape=value.shape.of) if ast.dump(node) in self._not_none else value
        return value

    @contextmanager
    def narrowing(self, more: frozenset[str] | None) -> Iterator[None]:
        """Take more expressions for not None in what is evaluated meanwhile; None forgets all of them."""
        before = self._not_none
        self._not_none = frozenset() if more is None else before | more
        try:
            yield
        finally:
            self._not_none = before

    @contextmanager
    def told(self, more: Iterable[tuple[str, Shape]], besides: str = "") -> Iterator[None]:
        """Know more of values in what is evaluated meanwhile.

        Args:
            more: what a condition says that holds there.
            besides: code that stands for another value there than before.
        """
        before = self._told
        kept = {code: shape for code, shape in before.items() if code != besides}
        self._told = also(kept, dict(more))
        try:
            yield
        finally:
            self._told = before

    def tests(self, node: ast.AST) -> None:
        """Note that nothing counts of an expression but whether it is true."""
        match node:
            case ast.Call(func=function):
                self.tested.add(function)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                self.tests(operand)
            case ast.BoolOp(values=values):
                for value in values:
                    self.tests(value)
            case ast.IfExp(body=then, orelse=otherwise):
                self.tests(then)
                self.tests(otherwise)
            case ast.Constant():
                self.tested.add(node)
            case ast.Lambda(body=body):
                self.tests(body)
            case ast.FunctionDef():
                self.tested.add(node)
                for part in (part for statement in node.body for part in own_nodes(statement)):
                    if isinstance(part, ast.Return) and part.value is not None:
                        self.tests(part.value)

    @contextmanager
    def testing(self, function: ast.AST | None) -> Iterator[None]:
        """Note the same of a function in what is evaluated meanwhile; elsewhere its result may count."""
        before = set(self.tested)
        if function is not None:
            self.tests(function)
        try:
            yield
        finally:
            self.tested = before

    def forget(self, names: Iterable[str]) -> None:
        """Forget what was known of names that are bound anew."""
        self._not_none = frozenset(
            known for known in self._not_none if not any(f"Name(id={name!r}" in known for name in names)
        )
