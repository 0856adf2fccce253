"""Runs a program and reads back which types its elements had."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from migrate.errors import Exit
from migrate.facts.file import Fact
from migrate.facts.seen import Seen
from migrate.java import require_java
from migrate.kafka.topic_slice import Slice
from migrate.verify.batches import ALL, Batch, Kept, feed_of
from migrate.verify.process import Conditions, Side
from migrate.verify.programs import (
    Progress,
    broker_for,
    catches_ctrl_c,
    empty_batches,
    failure,
    read_program,
    wait,
)
from migrate.verify.recording import Recording
from migrate.verify.workspace import check_size

SILENT = "the program never waited for a batch, so none was fed"
NOTHING = "no stream or RDD that a call of the program makes had an element"


@dataclass(frozen=True)
class Learnt:
    """What one run taught.

    Attributes:
        facts: by file and name, both as they are in the working directory.
        failures: why the run came to no end; there are no facts then.
        without_rows: whether it failed in a batch without input.
        code: the exit code of the failure.
        rows: how many lines or records the program was fed.
    """

    facts: dict[tuple[str, str], Fact] = field(default_factory=dict)
    failures: tuple[str, ...] = ()
    without_rows: bool = False
    code: Exit = Exit.DONE
    rows: int = 0


def learn(
    program: Path,
    *,
    arguments: Sequence[str] = (),
    cwd: Path | None = None,
    source: Path | None = None,
    batches: int | None = None,
    drain: int | None = None,
    timeout: float = 60.0,
    side_effects: bool = False,
    stand_ins: Sequence[str] = (),
    progress: Progress | None = None,
    kafka: str | None = None,
    partitions: int = 2,
    records: Slice | None = None,
    examples: bool = True,
    hold_out: float | None = None,
) -> Learnt:
    """Run a program as `verify` runs the old one, and note the types of its elements.

    A program that fails in a batch without input, as `createDataFrame` may, runs once more without such.

    Args:
        program: the old program.
        hold_out: leave out this share of the lines, for `verify`.
        examples: keep one shortened value of each part, and the bounds of ints.
        arguments, cwd, source, batches, drain, timeout, side_effects, stand_ins, progress, kafka,
            partitions, records: as for `verify`.

    Raises:
        EnvironmentProblemError: no Java, or the working directory cannot be copied.
        ValueError: there is no text in `source`.
        OSError: `source` cannot be read.
    """
    text, problem = read_program(program)
    if problem:
        return Learnt(failures=(problem,), code=Exit.UNREAD)
    require_java()
    here = cwd or Path.cwd()
    check_size(here)
    feed = feed_of(source, records, batches, ALL if hold_out is None else Kept(hold_out, held_out=False))
    empty = empty_batches(text, drain)
    with ExitStack() as stack:
        conditions = Conditions(
            *(here, arguments, catches_ctrl_c(text), side_effects, timeout),
            *(broker_for(text, kafka, stack), partitions),
            learns=True,
            stand_ins=stand_ins,
            examples=examples,
        )
        learnt = _trial(conditions, program, [*feed, *empty], progress)
        if learnt.without_rows:
            return _trial(conditions, program, [batch for batch in feed if batch], progress)
        return learnt


def _trial(conditions: Conditions, program: Path, feed: list[Batch], progress: Progress | None) -> Learnt:
    root = Path(tempfile.mkdtemp(prefix="dstream-learn-")).resolve()
    side: Side | None = None
    try:
        side = Side(conditions, root / "old", "old", program, feed)
        wait([side], progress)
        recording = side.recording()
        failures = _failures(recording)
        if failures:
            refused = recording.refused or recording.status in ("refused", "unsupported")
            without_rows = any(not batch.input_rows for batch in recording.batches[-1:])
            return Learnt({}, failures, without_rows, Exit.ENVIRONMENT if refused else Exit.PENDING)
        facts = _facts(side.spec.seen, examples=conditions.examples)
        rows = sum(batch.input_rows for batch in recording.batches)
        return Learnt(
            facts, () if facts else (NOTHING,), code=Exit.DONE if facts else Exit.PENDING, rows=rows
        )
    finally:
        if side is not None:
            side.kill()
        shutil.rmtree(root, ignore_errors=True)


def _failures(recording: Recording) -> tuple[str, ...]:
    found = failure("old", recording)
    return tuple(found) if found or recording.batches else (SILENT,)


def _facts(directory: Path, *, examples: bool) -> dict[tuple[str, str], Fact]:
    """What all partitions held, in the order in which they were made."""
    files: dict[str, Path] = {}
    for path in sorted(directory.glob("*.json")):
        files[path.name.rpartition("-")[0]] = path  # of a partition that was computed twice the longer one
    merged: dict[tuple[str, str], Seen] = {}
    for path in files.values():
        document = json.loads(path.read_text(encoding="ascii"))
        file, name = document["fact"]
        seen = merged.setdefault((file, name), Seen(examples=examples))
        seen.merge(Seen.read(document["seen"], examples=examples))
    return {key: fact_of(seen) for key, seen in merged.items()}


def fact_of(seen: Seen) -> Fact:
    """The fact that was seen."""
    lines = list(seen.lines())
    return Fact(
        {path: part for path, part, _ in lines}, seen.count, {path: remark for path, _, remark in lines}
    )
