"""Loops over rows, in which the driver makes of each what a function of the program makes of an element."""

from __future__ import annotations

from dataclasses import field
from itertools import zip_longest

from migrate.frozen import dataclass
from migrate.plan.new_code.code import Origin, Written


@dataclass(frozen=True)
class RowLoop:
    """What is made of a row: ``d["a"]``, where ``d = loads(value)``, of ``(value,)``."""

    variables: tuple[str, ...]
    """The variable for a row, or those for its columns."""
    made: str
    above: tuple[tuple[str, str], ...] = ()
    """Variables that this reads, with code of their values, each of which reads only the one before it."""
    takes_apart: bool = False
    """Whether the variables are for the columns of a row."""
    origins: tuple[Origin, ...] = field(default=(), compare=False)
    """What the code of each of those variables comes from, and `made`, if that is known."""

    @property
    def target(self) -> str:
        """The target of the loop."""
        if len(self.variables) == 1:
            return f"({self.variables[0]},)" if self.takes_apart else self.variables[0]
        return ", ".join(self.variables)

    @property
    def names(self) -> tuple[str, ...]:
        """All variables of the loop and of its body."""
        return (*self.variables, *(name for name, _ in self.above))

    def body(self, last: str) -> tuple[Written, ...]:
        """The body, which gives its variables their values, and ends with a line that reads `made`."""
        lines = [*(f"{name} = {value}" for name, value in self.above), last]
        return tuple(Written(line, origin=one) for line, one in zip_longest(lines, self.origins))

    def comprehended(self, rows: str) -> str:
        """The inside of a comprehension that does as the loop: ``d["a"] for d in (loads(t) for t in rows)``.

        Args:
            rows: code of what it goes through.
        """
        target = self.target
        for name, value in self.above:
            target, rows = name, f"({value} for {target} in {rows})"
        return f"{self.made} for {target} in {rows}"
