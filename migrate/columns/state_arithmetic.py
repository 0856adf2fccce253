"""Operators, items and functions of Python's library on the symbols of a state function."""

from __future__ import annotations

import ast
from collections.abc import Collection, Sequence

from migrate.columns.linear import (
    ITEM,
    LEN,
    ONE,
    SUM,
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
        floats: the items of a value that are floats: adding more than these and 0 may round otherwise.
        several: whether a key may have several new values, whose floats are added up one by one.
        uses_sum: whether `sum` has added up such floats.
        onto_last: whether such floats were added to the last state, one by one.
    """

    def __init__(self, floats: Collection[int], *, several: bool) -> None:
        self.floats = floats
        self.several = several
        self.uses_sum = False
        self.onto_last = False

    def plus(self, node: ast.AST, left: Linear, right: Linear) -> Linear:
        """Return the sum of two numbers."""
        subtracts = any(factor < 0 for factor in (*left.factors.values(), *right.factors.values()))
        if subtracts and self._has_floats(left, right):
            raise Unsolved(f"{shown(node)} adds a number to floats")
        return left.plus(right)

    def onto(self, node: ast.AST, start: Linear, added: Linear) -> Linear:
        """Return a number after what the new values give was added to it, one by one."""
        self.onto_last |= self.several and start.known() != 0 and self._has_floats(added)
        return self.plus(node, start, added)

    def pairwise(self, node: ast.AST, start: Items, added: Sequence[Linear]) -> Items:
        """Return the items of a tuple after those of the new values were added to them, see `onto`."""
        numbers = numbers_of(start)
        if not len(numbers) == len(added) == len(start.items):
            raise unknown(node)
        return Items(tuple(self.onto(node, *both) for both in zip(numbers, added, strict=True)))

    def _joined(self, node: ast.AST, left: Numbers, right: Numbers) -> Numbers:
        """One list after the other."""
        in_order = left.total.known() == 0 or right.length.known() in (0, 1)
        if self.several and not in_order and self._has_floats(left.total, right.total):
            raise Unsolved(f"{shown(node)} has the new values after others")
        return Numbers(self.plus(node, left.total, right.total), left.length.plus(right.length))

    def _sum(self, node: ast.AST, numbers: Numbers, start: Linear) -> Linear:
        self.uses_sum |= self.several and self._has_floats(numbers.total)
        return self.onto(node, start, numbers.total)

    def operate(self, node: ast.AST, operator: ast.operator, left: State, right: State) -> State:
        """Return ``left + right``, or what else the operator is."""
        match operator, left, right:
            case ast.Add(), Linear(), Linear():
                return self.plus(node, left, right)
            case ast.Sub(), Linear(), Linear() if not self._has_floats(left, right):
                return left.plus(right, -1)
            case ast.Add(), Numbers(), Numbers():
                return self._joined(node, left, right)
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
                return self._sum(node, numbers, Linear.number(0))
            case "sum", [Numbers() as numbers, Linear() as start]:
                return self._sum(node, numbers, start)
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
        return any(self._is_float(symbol) for number in numbers for symbol in number.factors)

    def _is_float(self, symbol: Symbol) -> bool:
        """Whether a symbol may stand for a float; which items of a state are some is to be found out."""
        if not self.floats or symbol in (ONE, Symbol(LEN)):
            return False
        return symbol.kind not in (SUM, ITEM) or (symbol.of or 0) in self.floats


def unknown(node: ast.AST) -> Unsolved:
    """Return the error for code that is not known."""
    return Unsolved(f"{shown(node)} is not covered")
