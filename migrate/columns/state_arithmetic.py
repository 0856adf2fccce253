"""Operators, items and functions of Python's library on the symbols of a state function."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from migrate.columns.linear import (
    LEN,
    ONE,
    Fails,
    Items,
    Linear,
    Numbers,
    State,
    Symbol,
    Tuples,
    Unsolved,
    numbers_of,
)
from migrate.columns.messages import shown

_OPERATORS = {ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}
_MIRRORED = {"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}


class Arithmetic:
    """What expressions give; each method raises `Unsolved` for what the algebra does not know.

    Attributes:
        floats: whether symbols stand for floats, too: adding more than these and 0 may round otherwise.
    """

    def __init__(self, *, floats: bool) -> None:
        self.floats = floats

    def plus(self, node: ast.AST, left: Linear, right: Linear) -> Linear:
        """Return the sum of two numbers."""
        if ONE in {**left.factors, **right.factors} and self._has_floats(left, right):
            raise Unsolved(f"{shown(node)} adds a number to floats")
        return left.plus(right)

    def pairwise(self, node: ast.AST, numbers: Sequence[Linear], other: Items) -> Items:
        """Return the sums of the items of two tuples."""
        added = numbers_of(other)
        if not len(numbers) == len(added) == len(other.items):
            raise unknown(node)
        return Items(tuple(self.plus(node, *both) for both in zip(numbers, added, strict=True)))

    def operate(self, node: ast.AST, operator: ast.operator, left: State, right: State) -> State:
        """Return ``left + right``, or what else the operator is."""
        match operator, left, right:
            case ast.Add(), Linear(), Linear():
                return self.plus(node, left, right)
            case ast.Sub(), Linear(), Linear() if not self._has_floats(left, right):
                return left.plus(right, -1)
            case ast.Add(), Numbers(), Numbers():
                return Numbers(self.plus(node, left.total, right.total), left.length.plus(right.length))
        raise unknown(node)

    def compare(self, node: ast.AST, left: State, operator: ast.cmpop, right: State) -> bool:
        """Return ``left == right``, or what else the operator is."""
        if isinstance(operator, ast.Is | ast.IsNot) and right is None:
            return (left is None) is isinstance(operator, ast.Is)
        sign = _OPERATORS.get(type(operator))
        if sign in ("==", "!=") and (left is None or right is None):
            return (left is right) is (sign == "==")
        if sign is not None and isinstance(left, Linear) and isinstance(right, Linear):
            if left.known() is not None:
                left, sign, right = right, _MIRRORED[sign], left
            return left.compare(sign, right)
        lists = isinstance(right, Numbers) and right.length.known() == 0
        if isinstance(left, Numbers | Tuples) and lists and sign in ("==", "!="):  # new == []
            return left.length.truth() is (sign == "!=")
        raise unknown(node)

    def item(self, node: ast.AST, of: State, place: int) -> State:
        """Return ``of[place]``.

        Raises:
            Fails: there is no such item.
        """
        match of:
            case Items(items) if place < len(items):
                return items[place]
            case None | Linear() | Items():
                raise Fails
        raise unknown(node)

    def library(self, node: ast.AST, name: str | None, arguments: Sequence[State]) -> State:
        """Return the result of a function of Python's library."""
        match name, list(arguments):
            case "sum", [Numbers() as numbers]:
                return numbers.total
            case "sum", [Numbers() as numbers, Linear() as start]:
                return self.plus(node, numbers.total, start)
            case "len", [Numbers() | Tuples() as values]:
                return values.length
            case "int", [Linear() as number] if not self._has_floats(number):
                return number
            case "operator.add", [Linear() as left, Linear() as right]:
                return self.plus(node, left, right)
            case "list", [Numbers() | Tuples() as values]:
                return values
        raise unknown(node)

    def _has_floats(self, *numbers: Linear) -> bool:
        names = {name for number in numbers for name in number.factors}
        return self.floats and not names <= {ONE, Symbol(LEN)}


def unknown(node: ast.AST) -> Unsolved:
    """Return the error for code that is not known."""
    return Unsolved(f"{shown(node)} is not covered")
