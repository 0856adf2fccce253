"""Queries that run a batch in every interval, also without input, for the side effects of callbacks."""

from __future__ import annotations

import ast
from collections.abc import Container
from contextlib import suppress

from migrate.columns import Helper
from migrate.frozen import replace
from migrate.graph.program import Program
from migrate.knowledge.streaming import STATES, WINDOWS
from migrate.plan.checks.callbacks import Batches, WithoutInput, check
from migrate.plan.choices import Choices, RatherError
from migrate.plan.draft.basis import Basis
from migrate.plan.draft.needs import Needs
from migrate.plan.draft.outputs import Input
from migrate.plan.draft.step import Step
from migrate.plan.frames.rdd import Rdd
from migrate.plan.new_code.code import Call
from migrate.proofs.callbacks.guards import begins_without_elements, prints_without_rows
from migrate.proofs.callbacks.roles import Callback, NotTheSame
from migrate.proofs.elements.arrival import in_partitions_of_kafka

NOTE = (
    "a source without rows wakes the query in each interval{}, {}; an interval that is missed because a "
    "batch took too long is not made up for; --skip-empty-batches does without it"
)
EARLY = ", and once before the first has ended"
SKIPPED = (
    "--skip-empty-batches: what the program did in intervals without input, as to print a state or take rows "
    "out of a window, it does when the next input comes, or not at all"
)
FOR_WINDOWS = "as windows go on without input"
FOR_STATE = "as a state, or what a callback does, shows intervals without input"
FOR_QUEUES = "as each takes from the queue"
FOR_CALLBACK = "as what a callback does shows intervals without input"
HELPER = Helper(
    "every_interval",
    '''\
def every_interval(rows):
    """The same rows, with a batch in every interval: a clock without rows wakes the query."""
    clock = rows.sparkSession.readStream.format("rate-micro-batch").option("rowsPerBatch", 1)
    return rows.unionByName(clock.load().where("false").select(), allowMissingColumns=True)''',
)


def has_every_interval(basis: Basis, needs: Needs) -> bool:
    """Whether the query runs a batch in every interval: one of queues does so by itself."""
    return basis.choices.every_interval or bool(needs.queues)


def skips_empty_batches(basis: Basis) -> bool:
    """Whether the user wants no batch without input; a queue beside another source has one all the same."""
    return basis.options.skip_empty_batches and not basis.beside_queues


def need_every_interval(step: Step) -> None:
    """Have the query run a batch in every interval, and none more: what is done without input counts.

    Raises:
        RatherError: it does not yet.
    """
    if wants_every_interval(step):
        step.need(first_guard=True)


def wants_every_interval(step: Step) -> bool:
    """Whether the query runs a batch in every interval; if not, the user wants none without input.

    Raises:
        RatherError: it does not yet, and nobody said so.
    """
    if has_every_interval(step.basis, step.known):
        return True
    if not skips_empty_batches(step.basis):
        raise RatherError(Choices(every_interval=True))
    step.unsafe()
    step.note(SKIPPED)
    return False


def in_every_interval(step: Step, source: Input) -> Input:
    """The source with a batch in every interval."""
    if step.options.pprint_exact:
        step.need(first_guard=True)  # a header is printed for each
    return replace(source, calls=(*source.calls, Call("transform", step.helper(HELPER))))


def clock_note(basis: Basis, *, skips_first: bool) -> str:
    """The note on the clock that wakes the query.

    Args:
        basis: the graph.
        skips_first: whether nothing is done for the batch that the query starts with, if it has no rows.
    """
    return NOTE.format(
        "" if skips_first else EARLY, FOR_QUEUES if basis.beside_queues else _why(basis.program)
    )


def _why(program: Program) -> str:
    """What needs a batch in every interval."""
    operators = {operation.operator for operation in program.operations}
    if operators & WINDOWS:
        return FOR_WINDOWS
    return FOR_STATE if operators & STATES else FOR_CALLBACK


def check_callback(
    step: Step, callback: Callback, rdd: Rdd | None = None, *, reduced: Container[ast.AST] = ()
) -> None:
    """Check that a callback does the same with the batches of Structured Streaming.

    Args:
        step: the operator that it is given to.
        callback: the function.
        rdd: the RDD that it is called with; None where that is a DataFrame.
        reduced: the calls that the DataFrame reduces by an aggregate, which gives the same in any order.

    Raises:
        NotTheSame: it does not.
        RatherError: it does where a batch comes in every interval.
    """
    batches = Batches(
        exact=rdd is not None and rdd.exact,
        of_kafka=in_partitions_of_kafka(step.operation),
        every_interval=has_every_interval(step.basis, step.known),
        skips_empty=skips_empty_batches(step.basis),
        of_several=step.basis.several,
        of_windows=step.basis.event_time is not None,
        recovered=bool(step.program.recovering),
    )
    at_start = _at_start(callback)
    value = rdd.value if rdd is not None else None
    try:
        check(callback, step.facts, step.scope, batches, value)
    except WithoutInput:
        if step.basis.event_time is not None:
            raise
        raise RatherError(Choices(every_interval=True)) from None
    acts = callback.acts_without_rows and wants_every_interval(step)
    if acts and callback.repeated and begins_without_elements(step.operation, step.facts):
        with suppress(NotTheSame):
            check(at_start, step.facts, step.scope, batches, value)
            acts = at_start.acts_without_rows
    prints = has_every_interval(step.basis, step.known) and prints_without_rows(at_start)
    if acts or prints or _stops(step.program, callback):
        step.need(first_guard=True)
    step.note(*sorted(callback.per_partition))
    if rdd is None and any(call not in reduced for call in callback.reducing):
        raise NotTheSame(callback.unordered)


def _at_start(callback: Callback) -> Callback:
    """The same callback for the first batch without rows, before a running state has any."""
    return replace(callback, repeated=False, rdds={*callback.rdds}, idle=set(), reducing=[], frames=[])


def _stops(program: Program, callback: Callback) -> bool:
    """Whether a callback stops the query, perhaps without rows."""
    stops = [use.node for use in program.lifecycle if use.name == "stop"]
    return any(program.tree.scope_of(node) is callback.node for node in stops)
