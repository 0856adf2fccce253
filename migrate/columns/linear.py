"""Sums of symbols with whole factors: the results of state functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from migrate.frozen import dataclass

SUM, LEN, LAST = "sum", "len", "last"
"""The sum of the new values, how many there are, and the last state where it is neither None nor 0."""
ONE = ""


class Unsolved(Exception):  # noqa: N818 (an answer, not an error)
    """The algebra does not know the answer; the text says why, for the user."""


@dataclass(frozen=True)
class Linear:
    """A sum of symbols, each with its factor, and of a whole number (the factor of `ONE`)."""

    factors: Mapping[str, int]

    @staticmethod
    def number(value: int) -> Linear:
        """Return a whole number."""
        return Linear({ONE: value} if value else {})

    @staticmethod
    def symbol(name: str) -> Linear:
        """Return a symbol."""
        return Linear({name: 1})

    def plus(self, other: Linear, times: int = 1) -> Linear:
        """Return ``self + times * other``."""
        names = dict.fromkeys([*self.factors, *other.factors])
        added = {name: self.factors.get(name, 0) + times * other.factors.get(name, 0) for name in names}
        return Linear({name: factor for name, factor in added.items() if factor})

    def known(self) -> int | None:
        """Return the value where no symbol is in it."""
        return self.factors.get(ONE, 0) if set(self.factors) <= {ONE} else None

    def truth(self) -> bool:
        """Return whether it is not 0.

        Raises:
            Unsolved: it may be or not.
        """
        value = self.known()
        if value is not None:
            return value != 0
        if set(self.factors) in ({LAST}, {LEN}):  # in the cases where these symbols stand, they are not 0
            return True
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
            self.factors == {LEN: 1}
            and right is not None
            and (right < 1 or (right == 1 and operator in (">=", "<")))
        ):
            return operator in (">", ">=", "!=")
        if self.factors == {LAST: 1} and right == 0 and operator in ("==", "!="):
            return operator == "!="
        raise Unsolved("it depends on a comparison of the values")


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
class Opaque:
    """A value of which only the truth is known."""

    truthy: bool


State = Linear | Numbers | Opaque | bool | None
"""The values of expressions in a state function; None is Python's None."""


def truth(value: State) -> bool:
    """Return ``bool(value)``."""
    match value:
        case Linear():
            return value.truth()
        case Numbers():
            return value.length.truth()
        case Opaque():
            return value.truthy
    return bool(value)
