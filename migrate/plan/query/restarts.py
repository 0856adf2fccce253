"""Programs that go on from a checkpoint by ``getOrCreate``; queries do so by `checkpointLocation`."""

from __future__ import annotations

import ast
import json

from migrate.columns import Helper
from migrate.graph.blocked import Blocked
from migrate.graph.program import Program
from migrate.knowledge.streaming import TEXT_FILES
from migrate.plan.choices import Choices, RatherError
from migrate.plan.draft.attempt import Attempt
from migrate.plan.draft.basis import Basis
from migrate.plan.draft.draft import Draft
from migrate.plan.new_code.code import Call
from migrate.syntax.quoting import quoted

GOES_ON = (
    "the query keeps its offsets and its state in a directory `query` of its own in that of DStream's"
    " checkpoint, which it cannot read: it begins as a program without a checkpoint does;"
    " `dstream-migrate handover` gives it the old job's offsets"
)
GOES_ON_FILES = (
    "the query keeps the names of the files that it has read, and its state, in a directory `query` of its"
    " own in that of DStream's checkpoint, which it cannot read: it begins as a program without a checkpoint"
    " does, with files that are newer than its first start; those that come while it is down are one batch"
    " after a restart, where DStream has one for each interval"
)
FIRST_START = (
    "the first start of the query begins with the newest messages, or where startingOffsets says; DStream's"
    " receiver began where its group had left off, and only a new group where auto.offset.reset says"
)
GOES_ON_GROUP = (
    "after a crash the query goes on behind its last whole batch; DStream's receiver read again what its"
    " group had not committed, and without a write-ahead log lost what no batch had"
)
STORED = (
    "the checkpoint holds Kafka's offsets, which the program stored by itself: a batch that was cut off is"
    " run again, and partitions that the store did not name are read, too. The store is not written any more:"
    " for others who read it, as to watch the lag, `compat.kafka.lag` commits offsets to a consumer group"
)
SAID_SO = "`{call}`, which told that offsets are stored, is left out"
UNREAD = "`transform({call})` kept ranges of offsets that nothing read, and is left out"
FIRST_FROM_STORE = (
    "before the first start let `dstream-migrate handover TOPIC --broker HOST:PORT --offsets FILE` print the"
    " `startingOffsets` for the source, so that it goes on where the old job stopped; FILE has what that one"
    ' stored, as {{"topic": {{"0": 42}}}}. Without it the query begins with the {start} messages'
)
NAME_DIRECTORY = (
    "name a directory for `{name}`, of this query alone, that each start reaches, as on HDFS or S3: it holds"
    " the offsets"
)
NEEDS_WAITING = (
    "a batch that fails is run again at the next start, and nobody waits for the query here, which would"
    " leave it out: call `awaitTermination`"
)
_WHY = "# this query's own directory, which each start reaches: it keeps the offsets"
TAKEN_OVER = "checkpoint is left out: the query's `checkpointLocation` is where `getOrCreate` has it"
_LOST = "`getOrCreate` goes on with what the batch function would keep, and a new start would lose it"


def check_restart(draft: Draft) -> None:
    """Refuse a query that goes on from a checkpoint, and whose batch function keeps something.

    Raises:
        Blocked: it does.
        RatherError: the state would go on, which began anew while the program stored its offsets.
    """
    basis = draft.basis
    if basis.program.offsets.sources and basis.program.goes_on is None:
        if basis.state is not None:  # it begins anew at each start, and only the offsets go on
            raise RatherError(Choices(keeps_states=True))
        if not basis.program.is_waited_for:
            raise Blocked(NEEDS_WAITING)
    in_driver = [*basis.kept, *draft.needs.windows]
    models = any(operation.use.model for operation in basis.program.operations)
    if basis.program.goes_on is not None and (in_driver or models or draft.needs.queues):
        raise Blocked(_LOST, in_driver[0].use if in_driver else None)


def checkpoint_option(program: Program) -> tuple[Call, ...]:
    """The writer's option for the directory of a checkpoint, if the query is to go on from one."""
    directory = program.goes_on
    if directory is None:
        return ()
    return (Call("option", f'"checkpointLocation", {inside(directory, "query")}'),)


def tell_stored(basis: Basis, attempt: Attempt) -> None:
    """Tell the user what became of offsets that the program kept by itself."""
    offsets = basis.program.offsets
    if offsets.sources:
        said = (SAID_SO.format(call=basis.shown(call)) for call in dict.fromkeys(offsets.said))
        attempt.need(notes=(STORED, *said))
    elif offsets.passing:
        attempt.need(
            notes=tuple(UNREAD.format(call=basis.shown(one.call.args[0])) for one in offsets.passing)
        )


def own_checkpoint(basis: Basis, attempt: Attempt) -> tuple[Call, ...]:
    """The same for the checkpoint of a program that stored its offsets by itself.

    Args:
        basis: the graph.
        attempt: takes what the new code needs, and what the user is told.
    """
    program = basis.program
    if not program.offsets.sources:
        return ()
    named = _named_directory(basis)
    if named is None:
        name = attempt.fresh("CHECKPOINT", anywhere=True)
        of_program = program.module_of(program.construction).path.stem
        made = f"{name} = {json.dumps(f'checkpoints/{of_program}', ensure_ascii=False)}"
        attempt.need(settings={name: Helper(name, made, is_function=False, comment=_WHY)})
        attempt.need(must_change=(NAME_DIRECTORY.format(name=name),))
        named = name
    return (Call("option", f'"checkpointLocation", {named}'),)


def _named_directory(basis: Basis) -> str | None:
    """Code of a directory in that which ``ssc.checkpoint("dir")`` names as a text."""
    calls = [use.call for use in basis.program.graph.uses if use.name == "checkpoint"]
    texts = [call.args[0] for call in calls if call is not None and len(call.args) == 1]
    if len(calls) == 1 and texts and isinstance(texts[0], ast.Constant) and isinstance(texts[0].value, str):
        return inside(texts[0], "query")
    return None


def goes_on_notes(program: Program) -> tuple[str, ...]:
    """What to know of a query that goes on from a checkpoint, by its sources."""
    files = {source.operator == TEXT_FILES for source in program.sources}
    received = any(source.operator == "createStream" for source in program.sources)
    notes = tuple(GOES_ON_FILES if one else GOES_ON for one in sorted(files))
    return (*notes, FIRST_START, GOES_ON_GROUP) if received else notes


def inside(directory: ast.expr, name: str) -> str:
    """Code of a directory in that of a checkpoint."""
    if isinstance(directory, ast.Constant):
        return json.dumps(f"{str(directory.value).rstrip('/')}/{name}", ensure_ascii=False)
    return f'{quoted(directory)} + "/{name}"'
