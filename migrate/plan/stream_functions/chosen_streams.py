"""Variables that a branch gives one of two streams: the batch function has the same branch.

if only_errors:
    lines = lines.where(F.col("value").contains("ERROR"))
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Protocol

from migrate.columns import leaves, renamed
from migrate.columns.code import quote
from migrate.frozen import replace
from migrate.graph.blocked import Blocked
from migrate.graph.either import parts_of
from migrate.graph.operations import Chosen, Operation
from migrate.plan.choices import Choices, RatherError
from migrate.plan.draft.branches import branches_of
from migrate.plan.draft.draft import Draft
from migrate.plan.draft.held_tests import HeldTests
from migrate.plan.frames.alike import are_alike, column_type, joined
from migrate.plan.frames.frame import Frame
from migrate.plan.frames.rdd import Rdd
from migrate.plan.frames.stages import Stage, check_not_within, makes, to_elements, to_rdd
from migrate.plan.new_code.code import Call, Written
from migrate.plan.stream_functions.bound_in_branches import BoundInBranches
from migrate.plan.stream_functions.cached_rdds import persist_inside
from migrate.syntax.copies import changed
from migrate.syntax.nodes import walk

OTHER = "a branch decides which of two streams is read, and the columns of one are not those of the other"
ONLY = "a branch decides which stream `{}` is, and one of them is a number for each batch"
INSIDE = "a branch decides which stream `{}` is, and `{}` must be assigned to it in another form there"
NO_BATCH = "a branch decides which stream `{}` is, and there is no batch function to ask it in"
KEPT = "a branch decides whether `{}` is a stream of one batch or what is kept of several"
BOUND = "a branch decides which stream `{}` is, and a variable of one of them is bound again in it"

CACHED = "a branch decides which stream `{}` is, which is cached in a function: do that where it is called"


class Functions(Protocol):
    """The functions of DataFrames that the batch function calls."""

    def rewrite(self, statement: ast.stmt, new: Written) -> None:
        """Put a statement in the place of one in the function that is planned."""


class ChosenStreams:
    """Writes such branches.

    Args:
        draft: what has been planned so far.
        branches: how often they bind variables.
        functions: the functions of DataFrames, whose code stays where it is.
        tests: names tests that must be made once.
        seen: the version of its variable that each stream was given.
    """

    def __init__(
        self,
        draft: Draft,
        branches: BoundInBranches,
        functions: Functions,
        tests: HeldTests,
        seen: dict[Operation, int],
    ) -> None:
        self._draft = draft
        self._functions = functions
        self._branches = branches
        self._tests = tests
        self._seen = seen

    def write(self, chosen: Chosen, target: str, *, inside: bool) -> None:
        """Let a variable have the one or the other stream.

        Args:
            chosen: the variable of the program.
            target: the variable of the new code.
            inside: whether it is one of a function of DataFrames, whose code stays.

        Raises:
            Blocked: there is no such variable.
            RatherError: it needs other choices.
        """
        draft = self._draft
        target = "" if inside and chosen.is_result else target
        if not draft.basis.has_batches:
            raise Blocked(NO_BATCH.format(chosen.target), at=chosen.branch)
        kept = {*draft.basis.kept, draft.basis.state, *draft.needs.windows}
        if kept & {*chosen.stream.parents}:
            raise Blocked(KEPT.format(chosen.target), at=chosen.branch)
        stages = self._alike(chosen)
        for stage, parent, statement, holds in zip(
            stages, chosen.stream.parents, chosen.bound, (True, False), strict=True
        ):
            self._check_current(chosen, parent, stage, holds=holds)
            if stage.is_held and (stage.base == target or (inside and _gives(statement, stage.base))):
                continue
            if inside:
                self._write_inside(chosen, statement, stage, target)
                continue
            draft.body.branches = branches_of(chosen.when_it_is(holds=holds), draft.basis, self._tests.name)
            draft.body.write(replace(stage.chain, target=target), None, makes(stage))
            if holds:
                self._put_first(chosen)
        draft.body.branches = ()
        draft.stages[chosen.stream] = _either(stages, target)
        self._persist(chosen, target, inside=inside)
        self._seen[chosen.stream] = self._branches.bind(target) if target else 0

    def _put_first(self, chosen: Chosen) -> None:
        """Move the last statement above those of the other part of its branch."""
        body, basis = self._draft.body, self._draft.basis
        other = branches_of(chosen.when_it_is(holds=False), basis, self._tests.name)
        place = next((at for at, one in enumerate(body.statements) if one.when[: len(other)] == other), None)
        if place is not None:
            body.statements.insert(place, body.statements.pop())

    def _persist(self, chosen: Chosen, target: str, *, inside: bool) -> None:
        """Persist an RDD that the program caches, or what is random: each output would find other elements.

        Raises:
            Blocked: it is one of a function.
        """
        draft, stage = self._draft, self._draft.stages[chosen.stream]
        if not chosen.stream.cached or not (isinstance(stage, Rdd) or draft.needs.changing):
            return
        if inside:
            raise Blocked(CACHED.format(chosen.target), at=chosen.branch)
        draft.body.branches = branches_of(chosen.when, draft.basis, self._tests.name)
        persist_inside(draft, chosen.stream, target)
        draft.body.branches = ()

    def _write_inside(self, chosen: Chosen, statement: ast.stmt | None, stage: Stage, target: str) -> None:
        """Write what a statement in a function gives the variable of another stream, or returns.

        Raises:
            Blocked: there is no such statement in the branch.
        """
        names = isinstance(statement, ast.Assign | ast.Return) and isinstance(statement.value, ast.Name)
        own = isinstance(statement, ast.Return) or any(node is statement for node in walk(chosen.branch))
        if statement is None or not (names and own):
            raise Blocked(INSIDE.format(chosen.target, stage.chain.text), at=chosen.branch)
        made = replace(stage.chain, target=target, returned=chosen.is_result)
        self._functions.rewrite(statement, Written(made, makes=makes(stage)))

    def _check_current(self, chosen: Chosen, parent: Operation, stage: Stage, *, holds: bool) -> None:
        """Refuse a part at whose end the variable of its stream has been bound again.

        Raises:
            Blocked: it has.
        """
        end = self._branches.at_end(chosen.branch, chosen.entry, holds=holds)
        if stage.base and self._seen[parent] != end.get(stage.base, 0):
            raise Blocked(BOUND.format(chosen.target), at=chosen.branch)

    def _alike(self, chosen: Chosen) -> tuple[Stage, Stage]:
        """The two streams in one form: as columns of the same names, or as RDDs."""
        one, other = (self._draft.stages[parent] for parent in chosen.stream.parents)
        if one.only or other.only:
            raise Blocked(ONLY.format(chosen.target), at=chosen.branch)
        if isinstance(one, Frame) and isinstance(other, Frame):
            for frame in (one, other):
                check_not_within(frame)
            frames = _with_same_columns(one, other)
            if frames is not None:
                return frames
        if isinstance(one, Frame) or isinstance(other, Frame):
            self._rather_rdds(chosen)
        return _rdd(one), _rdd(other)

    def _rather_rdds(self, chosen: Chosen) -> None:
        """Have RDD code make all streams that a variable may have.

        Raises:
            RatherError: columns make one so far.
        """
        known = self._draft.basis.choices.as_rdd
        made = [one.call for one in parts_of(chosen.stream) if not one.is_source]
        if any(call not in known for call in made):
            raise RatherError(Choices(dict.fromkeys(made, OTHER)))


def with_names_of_other(stream: Operation, frame: Frame, stages: Mapping[Operation, Stage]) -> Frame:
    """A DataFrame, whose columns get the names of another one that a branch has in its place."""
    for other in _others(stream):
        made = stages.get(other)
        if not isinstance(made, Frame) or not are_alike(made.element, frame.element):
            continue
        element = renamed(frame.element, (leaf.name or "" for leaf in leaves(made.element)))
        return changed(frame, element=element)
    return frame


def _others(stream: Operation) -> Iterator[Operation]:
    """The streams of calls that branches have in the place of a stream."""
    for reader in stream.consumers:
        if reader.is_chosen:
            yield from (one for one in parts_of(reader) if one not in parts_of(stream))
            yield from _others(reader)


def _rdd(stage: Stage) -> Rdd:
    return to_rdd(stage) if isinstance(stage, Frame) else to_elements(stage)


def _gives(statement: ast.stmt | None, name: str) -> bool:
    """Whether a statement gives a variable what another one of that name has."""
    match statement:
        case ast.Assign([ast.Name()], ast.Name(given)):
            return given == name
        case ast.Return(ast.Name(given)):
            return given == name
    return False


def _with_same_columns(one: Frame, other: Frame) -> tuple[Frame, Frame] | None:
    """Two DataFrames whose columns have the names of the first; None if they have other types."""
    one, other = one.elements_only().materialised(), other.elements_only().materialised()
    element = joined(one.element, other.element)
    if element is None or _types(one) != _types(other):
        return None
    names = [leaf.name or "" for leaf in leaves(one.element)]
    if names != [leaf.name for leaf in leaves(other.element)]:
        renamed = Call("toDF", ", ".join(map(quote, names)))
        other = other.call(renamed, element=one.element)
    return one, other


def _types(frame: Frame) -> list[object]:
    return [column_type(leaf.shape) for leaf in leaves(frame.element)]


def _either(stages: tuple[Stage, Stage], variable: str) -> Stage:
    """What is known of a variable that has one of two DataFrames, or of two RDDs."""
    one, other = stages
    sure = one.sure if one.sure is other.sure else None
    if isinstance(one, Frame) and isinstance(other, Frame):
        element = joined(one.element, other.element)
        assert element is not None
        return replace(
            one.named(variable),
            element=element,
            sure=sure,
            python=one.python | other.python,
            conditions=one.conditions | other.conditions,
            late=one.late or other.late,
            explodes=one.explodes or other.explodes,
            whole=one.whole and other.whole,
            as_read=False,
            order=one.order if one.order == other.order else (),
            columns=(),
            window=None,
            framed=(),
        )
    assert isinstance(one, Rdd) and isinstance(other, Rdd)
    return replace(
        one.named(variable),
        sure=sure,
        value=one.value if one.value == other.value else None,
        element=one.element if one.element == other.element else None,
        exact=one.exact and other.exact,
        shuffled=one.shuffled and other.shuffled,
    )
