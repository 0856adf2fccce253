"""The notes for the user on a graph as a whole."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.columns.element import Origin
from migrate.graph.blocked import Blocked
from migrate.knowledge.streaming import RECEIVERS
from migrate.plan.draft.basis import Basis
from migrate.plan.draft.draft import Draft
from migrate.plan.draft.every_interval import HELPER as EVERY_INTERVAL
from migrate.plan.draft.every_interval import clock_note, has_every_interval
from migrate.plan.draft.waiting import waits_late
from migrate.plan.modules.checkpoint_directory import checkpoints_of, missing_directory
from migrate.plan.names.undefined_names import NO_OUTPUTS, NO_STREAMS, check_defined
from migrate.plan.query.failed_batches import ends_no_query, ends_unseen, goes_on, may_fail, sleep_of
from migrate.plan.query.outputs_apart import runs_apart
from migrate.plan.settings.ansi_notes import own_columns_notes
from migrate.plan.sources.tried_sources import tried_sources
from migrate.syntax.tree import Tree

HIVE = "a `HiveContext` had Hive up to Spark 2.4, and has none by itself since: the new session has it"
UNUSED = "the context is made and never used, so it is left out"
NO_CONTEXT = (
    "the StreamingContext gets no SparkContext, a TypeError that ended the program; it is left out, and what"
    " stands below it runs"
)
NOTHING_STARTED = (
    "the context has no streams, so that `start` failed; it is left out, and what stands below it runs"
)
NO_OUTPUT_YET = (
    "nothing is put out, so that `start` of a DStream failed; the query starts, and `{function}` puts "
    "nothing out until you let it"
)
NOT_STARTED = "nothing in this code starts the context: `{writer}.start()` starts the query"
NOBODY_STARTS = "`{function}` makes the context, and nothing in the files that were read starts it"
SHOWN = "`{statement}` shows an object of the old API, and is left out"
PRINTED = "`{statement}` also printed None, once; it does not any more"
SAID = "`{statement}` runs at every start; a DStream that went on from its checkpoint did not run it"
READ_ANEW = (
    "`{call}` runs at every start; a DStream that went on from its checkpoint kept what was read at"
    " its first one"
)
STARTS_ANEW = (
    "the query begins anew at each start; DStream failed at a start with a checkpoint, since streams are made"
    " outside of the function that `getOrCreate` calls"
)
NO_EFFECT = "the setting `{key}` is for DStreams and would have no effect on a query"
NOBODY_WAITS = (
    "a batch that fails ends the query, and nobody waits for it here to be told so; DStream went on with the"
    " next batch"
)
WAITS_FOR = (
    "a batch that fails ends the query, and `awaitTermination`, which takes the place of `time.sleep`, raises"
    " its error; DStream went on with the next batch"
)
WAITS_LATE = (
    "a batch that fails ends the query, and `awaitTermination` raises its error once the program is there;"
    " DStream went on with the next batch until then"
)
RAISES = "the query fails at what the old program took: {}"
GIVES = "what made a batch fail is NULL now, or no row, or not looked at: {}"
GIVES_WITHOUT_ANSI = "what made a batch fail still does where {}it is read, and is NULL else: {}"
IN_ANSI_MODE = "ANSI mode is on and "
"""It may be off, where the new code does not switch it on."""
GOES_ON = "a batch that fails prints its traceback, and the next one runs: nobody waits for the query"
OTHER_OUTPUTS = "an output that fails keeps those below it from running for its batch; DStream ran them"
CHECKPOINT = "`{call}` is left out: the program starts afresh each time, as it did without `getOrCreate`"
MAY_GO_ON = "; the option `checkpointLocation` would make the query go on where it stopped"
MAY_NOT_GO_ON = (
    "; give the query no `checkpointLocation`: it would go on in the source, without what the batch function"
    " held"
)
ON_SHUTDOWN = (
    "the setting `{key}` would have no effect on a query: SIGTERM cuts off the running batch, which a query"
    " with a `checkpointLocation` runs again at its next start"
)
NO_EMPTY_BATCHES = "an interval without input runs no batch: nothing is printed or called for it"
AT_THE_START = ", but at the start, where a query of {} runs one before there is input"
EARLIER_FILES = (
    ", but at the start, if files are there already: the first batch leaves them out, and is empty"
)
REPEATED_STATE = "an interval without input runs no batch: the running state is not printed again for it"


def failing_input(draft: Draft) -> Iterator[str]:
    """One note on all input that fails otherwise than it did."""
    needs = draft.needs
    if needs.raises:
        yield RAISES.format(", ".join(needs.raises))
    if needs.gives:
        yield GIVES.format(", ".join(needs.gives))
    if needs.gives_without_ansi:
        mode = "" if needs.ansi else IN_ANSI_MODE
        yield GIVES_WITHOUT_ANSI.format(mode, ", ".join(needs.gives_without_ansi))


def notes_of(draft: Draft) -> Iterator[str]:
    """The notes on a graph whose lines have been planned.

    Raises:
        Blocked: nothing starts the query, or a name that it is about is never defined.
    """
    basis = draft.basis
    program = basis.program
    if program.reading.is_unused:
        check_defined(program, NO_STREAMS)
        made = program.constructor.call
        fails = made is not None and not (made.args or made.keywords)
        yield NO_CONTEXT if fails else NOTHING_STARTED if program.start is not None else UNUSED
        return
    if not program.outputs and program.start is not None:
        check_defined(program, NO_OUTPUTS)
        yield NO_OUTPUT_YET.format(function=basis.names.function)
    if failing := [*failing_input(draft)]:
        yield "; ".join(failing)
    yield from tried_sources(program)
    yield from own_columns_notes(draft)
    yield from _of_settings(draft)
    yield from _of_statements(basis)
    more = _of_checkpoint_location(draft)
    if basis.program.reading.starts_anew:
        yield STARTS_ANEW + more
    if program.start is None:
        if not isinstance(program.scope, ast.Module):
            raise Blocked(NOBODY_STARTS.format(function=program.scope.name))
        if program.outputs or draft.body.statements:
            yield NOT_STARTED.format(writer=basis.names.writer)
    left_out = [] if program.recovering or program.offsets.sources else checkpoints_of(program)
    yield from (CHECKPOINT.format(call=basis.shown(call)) + more for call in left_out)
    yield from missing_directory(program)
    if not (program.is_waited_for or any(ends_unseen(draft))):
        waits = WAITS_FOR if sleep_of(draft) is not None else NOBODY_WAITS
        yield GOES_ON if goes_on(draft) else waits
    elif waits_late(basis) and may_fail(draft):
        yield WAITS_LATE
    several = len(program.outputs) > 1 and any(one.operator != "pprint" for one in program.outputs)
    several &= not (runs_apart(draft) or ends_no_query(draft))
    if several and not draft.query.sinks and may_fail(draft):  # prints alone are no loss
        yield OTHER_OUTPUTS
    if basis.options.trigger.name:
        return
    if not has_every_interval(basis, draft.needs):
        yield _of_empty_batches(draft)
    elif EVERY_INTERVAL.name in draft.needs.helpers:
        yield clock_note(basis, skips_first=_skips_first(draft))


def _of_settings(draft: Draft) -> Iterator[str]:
    """The notes on settings of DStreams that a query does not know."""
    for key in _streaming_settings(draft.basis.program.tree):
        if key not in draft.needs.mapped:
            note = ON_SHUTDOWN if key == "spark.streaming.stopGracefullyOnShutdown" else NO_EFFECT
            yield note.format(key=key)


def _of_statements(basis: Basis) -> Iterator[str]:
    """The notes on statements that show the old API, or begin with it anew."""
    reading = basis.program.reading
    yield from (READ_ANEW.format(call=basis.shown(call)) for call in reading.read_anew)
    for note, statements in ((SAID, reading.said), (SHOWN, reading.shown), (PRINTED, reading.printed)):
        yield from (note.format(statement=basis.shown(statement)) for statement in statements)


def _of_empty_batches(draft: Draft) -> str:
    """The note on intervals without input."""
    basis = draft.basis
    if (basis.state is not None and basis.event_time is None) or basis.kept:
        return REPEATED_STATE
    return NO_EMPTY_BATCHES + ("" if _skips_first(draft) else _at_the_start(basis))


def _skips_first(draft: Draft) -> bool:
    """Whether the batch function does nothing for the batch without rows that a query starts with."""
    return draft.needs.first_guard or draft.needs.empty_guard


def _at_the_start(basis: Basis) -> str:
    """The rest of the note on intervals without input: what a query runs before a batch is due."""
    if Origin.FILES in basis.origins:
        return EARLIER_FILES
    sockets = any(source.operator == "socketTextStream" for source in basis.program.sources)
    of = "Kafka" if Origin.KAFKA in basis.origins else "a socket" if sockets else ""
    return AT_THE_START.format(of) if of else ""


def _of_checkpoint_location(draft: Draft) -> str:
    """What a query would make of a checkpoint of its own: nothing, if its source is a socket or a queue."""
    basis = draft.basis
    if draft.needs.queues or any(source.operator in RECEIVERS for source in basis.program.sources):
        return ""
    return MAY_NOT_GO_ON if basis.kept or draft.needs.windows else MAY_GO_ON


def _streaming_settings(tree: Tree) -> list[str]:
    """Settings of DStreams that a program names: ``spark.streaming.backpressure.enabled``."""
    texts = [node.value for node in tree.of_kinds(ast.Constant)]
    return sorted({text for text in texts if isinstance(text, str) and text.startswith("spark.streaming.")})
