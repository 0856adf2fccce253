"""The forms of a graph before anything is chosen: read and arranged once, however often they are planned."""

from __future__ import annotations

import ast
from collections.abc import Container, Iterable, Iterator

from migrate.cached import cached_property
from migrate.graph.arrange import arrange
from migrate.graph.blocked import Blocked
from migrate.graph.place import Place
from migrate.graph.program import Operation, Program
from migrate.graph.straight import read
from migrate.plan.advance import live_operations
from migrate.plan.checks.shown_intervals import shows_intervals
from migrate.plan.draft.basis import Basis
from migrate.plan.draft.conditions import check_sources
from migrate.proofs.analysis.facts import Facts
from migrate.proofs.callbacks.kept_offsets import kept_offsets
from migrate.proofs.callbacks.order_in_batch import check_order_in_batch
from migrate.proofs.functions.kept_between_elements import check_kept_between_elements
from migrate.trace import Graph, Trace


class Arranged:
    """A form of a graph, with what is the same whatever is chosen for it."""

    def __init__(
        self, program: Program, trace: Trace, dissolved: frozenset[ast.FunctionDef] = frozenset()
    ) -> None:
        """A form.

        Args:
            program: the graph.
            trace: of all modules.
            dissolved: the functions of streams whose code moves into the batch function if it can.
        """
        self.program = program
        self._dissolved = dissolved
        self.facts = Facts(program, trace)
        self._trace = trace
        self._is_checked = False
        self.start: tuple[Basis, frozenset[str]] | None = None
        """The basis of its plans before anything is chosen, and the names given by then."""
        self._others: dict[frozenset[ast.FunctionDef], Arranged] = {}
        """The forms in which more functions dissolve, by these."""

    @cached_property
    def place(self) -> Place:
        """Where the batch function stands.

        Raises:
            Blocked: it can stand nowhere.
        """
        return arrange(self.program, self._trace, self._dissolved)

    def kept(self) -> frozenset[ast.FunctionDef]:
        """The functions of streams that the batch function calls, though their code may move into it."""
        try:
            functions: Iterable[ast.AST] = self.place.per_batch
        except Blocked:
            functions = self.program.reading.entered
        return frozenset(one for one in functions if isinstance(one, ast.FunctionDef)) - self._dissolved

    def dissolving(self, functions: Container[ast.AST]) -> Arranged | None:
        """The form in which the code of some functions moves into the batch function, or that of all.

        Args:
            functions: those that a plan has no form for; where none of them is kept, all that are dissolve.

        Returns:
            None where no function is kept.
        """
        kept = self.kept()
        chosen = frozenset(one for one in kept if one in functions) or kept
        if chosen and chosen not in self._others:
            self._others[chosen] = Arranged(self.program, self._trace, self._dissolved | chosen)
        return self._others.get(chosen)

    @cached_property
    def live(self) -> frozenset[Operation]:
        """The outputs, and the streams that some output needs."""
        return live_operations(self.program, self.place)

    @cached_property
    def shows_intervals(self) -> bool:
        """Whether what its outputs do in intervals without input needs a batch in each."""
        return shows_intervals(self.program, self.facts)

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
            form = Arranged(program, self._trace)
            if not self._found:  # all forms are of one reading
                program.leave_out(kept_offsets(program, form.facts))
            else:
                program.offsets = self._found[0].program.offsets
            self._found.append(form)
            yield self._found[-1]
        raise self._blocked
