"""Sums of symbols with whole factors: the results of state functions."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import field
from typing import NamedTuple

from migrate.frozen import dataclass


class Symbol(NamedTuple):
    """A number that is not known: the last state, or an item of it."""

    kind: str
    of: int | str | None = None
    """Which item of a tuple it is, or which variable's; None for a number by itself."""


SUM, LEN, LAST = "sum", "len", "last"
"""The sum of the new values, how many there are, and the last state where it is neither None nor 0."""
ITEM = "item"
"""The value that a loop is at, or an item of it."""
ONE = Symbol("1")
ZERO = Symbol("0.0")
"""The float that is 0."""


class Fails(Exception):  # noqa: N818 (an answer, not an error)
    """Python raises an error."""


class Unsolved(Exception):  # noqa: N818 (an answer, not an error)
    """The algebra does not know the answer; the text says why, for the user."""


@dataclass(frozen=True)
class Linear:
    """A sum of symbols, each with its factor, and of a whole number (the factor of `ONE`)."""

    factors: Mapping[Symbol, int]

    @staticmethod
    def number(value: int) -> Linear:
        """Return a whole number."""
        return Linear({ONE: value} if value else {})

    @staticmethod
    def symbol(kind: str, of: int | str | None = None) -> Linear:
        """Return a symbol."""
        return Linear({Symbol(kind, of): 1})

    def plus(self, other: Linear, times: int = 1) -> Linear:
        """Return ``self + times * other``."""
        names = dict.fromkeys([*self.factors, *other.factors])
        added = {name: self.factors.get(name, 0) + times * other.factors.get(name, 0) for name in names}
        return Linear({name: factor for name, factor in added.items() if factor})

    def without(self, symbol: Symbol) -> Linear:
        """Return it without a symbol."""
        return Linear({name: factor for name, factor in self.factors.items() if name != symbol})

    def known(self) -> int | None:
        """Return the value where no symbol is in it."""
        return self.factors.get(ONE, 0) if set(self.factors) <= {ONE, ZERO} else None

    def truth(self) -> bool:
        """Return whether it is not 0.

        Raises:
            Unsolved: it may be or not.
        """
        value = self.known()
        if value is not None:
            return value != 0
        if len(self.factors) == 1 and self._is_of(LAST, LEN):
            return True  # in the cases where these symbols stand, they are not 0
        raise Unsolved("it depends on whether a computed number is 0")

    def compare(self, operator: str, other: Linear) -> bool:
        """Return ``self operator other`` for numbers, and for the number of new values, which is at least 1.

        Raises:
            Unsolved: it depends on the data.
        """
        left, right = self.known(), other.known()
        if left is not None and right is not None:
            return _COMPARE[operator](left, right)
        if (
            self.factors == {Symbol(LEN): 1}
            and right is not None
            and (right < 1 or (right == 1 and operator in (">=", "<")))
        ):
            return operator in (">", ">=", "!=")
        if len(self.factors) == 1 and self._is_of(LAST) and right == 0 and operator in ("==", "!="):
            return operator == "!="
        raise Unsolved("it depends on a comparison of the values")

    def _is_of(self, *kinds: str) -> bool:
        """Whether all symbols are of these kinds."""
        return all(symbol.kind in kinds for symbol in self.factors)


_COMPARE: dict[str, Callable[[int, int], bool]] = {
    "==": lambda left, right: left == right,
    "!=": lambda left, right: left != right,
    "<": lambda left, right: left < right,
    "<=": lambda left, right: left <= right,
    ">": lambda left, right: left > right,
    ">=": lambda left, right: left >= right,
}


@dataclass(frozen=True)
class Numbers:
    """A list of numbers of which the sum and the length are known."""

    total: Linear
    length: Linear

    def plus(self, other: Numbers) -> Numbers:
        """Return one list after the other."""
        return Numbers(self.total.plus(other.total), self.length.plus(other.length))


@dataclass(frozen=True)
class Items:
    """A tuple."""

    items: tuple[State, ...]


def symbols(kind: str, count: int) -> Items:
    """Return a tuple of symbols."""
    return Items(tuple(Linear.symbol(kind, place) for place in range(count)))


def numbers_of(state: State) -> list[Linear]:
    """Return the numbers that a state is or holds, without what else a tuple holds."""
    items = state.items if isinstance(state, Items) else (state,)
    return [item for item in items if isinstance(item, Linear)]


@dataclass(frozen=True)
class Tuples:
    """A list of tuples of numbers, of which the sum of each item and the length are known."""

    totals: tuple[Linear, ...]
    length: Linear


@dataclass(frozen=True)
class Opaque:
    """A value of which only the truth is known."""

    truthy: bool


@dataclass(frozen=True)
class Derived:
    """A value that an expression makes of numbers: ``total / count``.

    Attributes:
        code: the expression, as `ast.dump` spells it.
        of: the numbers that its variables stand for.
        node: the expression.
    """

    code: str
    of: tuple[tuple[str, Linear], ...]
    node: ast.expr = field(compare=False)


State = Linear | Numbers | Items | Tuples | Opaque | Derived | bool | None
"""The values of expressions in a state function; None is Python's None."""


def truth(value: State) -> bool:
    """Return ``bool(value)``."""
    match value:
        case Linear():
            return value.truth()
        case Numbers() | Tuples():
            return value.length.truth()
        case Items():
            return bool(value.items)
        case Opaque():
            return value.truthy
        case Derived():
            raise Unsolved("it depends on a computed value")
    return bool(value)
