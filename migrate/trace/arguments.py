"""What a call is given."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from migrate.trace.values import Values


class Arguments(NamedTuple):
    """What the arguments of a call can be."""

    positional: Sequence[Values] = ()
    named: Sequence[tuple[str | None, Values]] = ()
    """By keyword; None for ``**options``."""

    @property
    def all(self) -> list[Values]:
        """One by one, in order."""
        return [*self.positional, *(value for _, value in self.named)]

    @property
    def values(self) -> Values:
        """What any of them can be."""
        return frozenset().union(*self.all)
