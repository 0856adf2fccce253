"""How often the variables of the batch function have been bound, also where branches bind them or not."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Mapping

from migrate.graph.operations import Chosen, Entry, Line

_Part = tuple[ast.If, bool, Entry | None]
"""A part of a branch, by whether its test is true, in one run of its function."""


class BoundInBranches:
    """Enters and leaves the parts of branches, line by line.

    Args:
        versions: how often each variable has been bound where the plan is.
    """

    def __init__(self, versions: Counter[str]) -> None:
        self._versions = versions
        self._open: list[_Part] = []
        self._above: dict[tuple[ast.If, Entry | None], Mapping[str, int]] = {}
        self._ends: dict[_Part, Mapping[str, int]] = {}

    def reach(self, one: Line | Chosen | None) -> None:
        """Enter the parts that a line is in, and leave those that it is not in; leave all for None."""
        around = _around(one.entry) if one is not None else []
        own = [(condition.branch, condition.holds, one.entry) for condition in one.when] if one else []
        self._reach([*around, *own])

    def reach_call(self, entry: Entry) -> None:
        """The same for the call of a function."""
        self._reach(_around(entry))

    def at_end(self, branch: ast.If, entry: Entry | None, *, holds: bool) -> Mapping[str, int]:
        """How often each variable was bound at the end of a part of a branch."""
        return self._ends.get((branch, holds, entry), self._above.get((branch, entry), self._versions))

    def bind(self, variable: str) -> int:
        """A statement binds a variable: how often it has been bound then."""
        self._versions[variable] += 1
        return self._versions[variable]

    def _reach(self, parts: list[_Part]) -> None:
        while self._open and self._open != parts[: len(self._open)]:
            self._leave(parts)
        for part in parts[len(self._open) :]:
            branch, _, entry = part
            above = self._above.setdefault((branch, entry), dict(self._versions))
            self._go_on(above)
            self._open.append(part)

    def _leave(self, parts: list[_Part]) -> None:
        """Leave the innermost part; behind its branch, what that may have bound is as if bound once more."""
        branch, holds, entry = part = self._open.pop()
        self._ends[part] = dict(self._versions)
        depth = len(self._open)
        if parts[: depth + 1] == [*self._open, (branch, not holds, entry)]:
            return  # the other part follows
        above = self._above[branch, entry]
        ends = [self.at_end(branch, entry, holds=one) for one in (True, False)]
        self._go_on({name: _behind(name, above, ends) for name in {*ends[0], *ends[1]}})

    def _go_on(self, versions: Mapping[str, int]) -> None:
        self._versions.clear()
        self._versions.update(versions)


def _around(entry: Entry | None) -> list[_Part]:
    """The parts of branches in which a function is called, the outermost first."""
    if entry is None or entry.outer is None:
        return []
    own = [(condition.branch, condition.holds, entry.outer) for condition in entry.own_when]
    return [*_around(entry.outer), *own]


def _behind(name: str, above: Mapping[str, int], ends: list[Mapping[str, int]]) -> int:
    """How often a variable is taken to be bound behind a branch; one that it alone binds is not another."""
    before, bound = above.get(name, 0), {end.get(name, 0) for end in ends}
    is_other = bound != {before} and (before or 0 not in bound)
    return max(bound) + bool(is_other)
