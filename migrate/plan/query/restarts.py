"""Programs that go on from a checkpoint by ``getOrCreate``; queries do so by `checkpointLocation`."""

from __future__ import annotations

import ast
import json

from migrate.graph.blocked import Blocked
from migrate.graph.program import Program
from migrate.knowledge.streaming import TEXT_FILES
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
TAKEN_OVER = "checkpoint is left out: the query's `checkpointLocation` is where `getOrCreate` has it"
_LOST = "`getOrCreate` goes on with what the batch function would keep, and a new start would lose it"


def check_restart(draft: Draft) -> None:
    """Refuse a query that goes on from a checkpoint, and whose batch function keeps something.

    Raises:
        Blocked: it does.
    """
    basis = draft.basis
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
