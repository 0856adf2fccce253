"""The forms of a graph before anything is chosen: read and arranged once, however often they are planned."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from migrate.graph.arrange import arrange
from migrate.graph.blocked import Blocked
from migrate.graph.place import Place
from migrate.graph.program import Operation, Program
from migrate.graph.straight import read
from migrate.plan.advance import live_operations
from migrate.plan.conditions import check_sources
from migrate.proofs.facts import Facts
from migrate.proofs.kept_between_elements import check_kept_between_elements
from migrate.proofs.order_in_batch import check_order_in_batch
from migrate.trace import Graph, Trace


class Arranged:
    """A form of a graph, with what is the same whatever is chosen for it."""

    def __init__(self, program: Program, trace: Trace) -> None:
        self.program = program
        self.facts = Facts(program, trace)
        self._trace = trace
        self._is_checked = False

    @cached_property
    def place(self) -> Place:
        """Where the batch function stands.

        Raises:
            Blocked: it can stand nowhere.
        """
        return arrange(self.program, self._trace)

    @cached_property
    def live(self) -> frozenset[Operation]:
        """The outputs, and the streams that some output needs."""
        return live_operations(self.program, self.place)

    def check(self) -> None:
        """Refuse a form whose functions need that a batch is made as DStream makes it.

        Raises:
            Blocked: some do.
        """
        if not self._is_checked:
            check_sources(self.program, self.live)
            check_order_in_batch(self.facts, set(self.live))
            check_kept_between_elements(self.facts, set(self.live))
            self._is_checked = True


class Forms:
    """The forms of a graph, the best first, as often as they are asked for."""

    def __init__(self, graph: Graph, trace: Trace) -> None:
        self._trace = trace
        self._rest = read(graph, trace)
        self._found: list[Arranged] = []
        self._blocked: Blocked | None = None

    def __iter__(self) -> Iterator[Arranged]:
        """Each form; those that were asked for before are not read again.

        Raises:
            Blocked: there is none, or no other one.
        """
        yield from self._found
        while self._blocked is None:
            try:
                program = next(self._rest, None)
            except Blocked as blocked:
                self._blocked = blocked
                break
            if program is None:
                return
            self._found.append(Arranged(program, self._trace))
            yield self._found[-1]
        raise self._blocked
