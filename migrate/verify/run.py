"""Runs the two programs side by side and compares what left them."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from migrate.java import require_java
from migrate.kafka.topic_slice import Slice
from migrate.verify.batches import ALL, Batch, Kept, batches_for, feed_of
from migrate.verify.compare import compare
from migrate.verify.failed_batch import comparable, without_failed_batch
from migrate.verify.process import Conditions, Side
from migrate.verify.programs import (
    Progress,
    broker_for,
    catches_ctrl_c,
    empty_batches,
    read_program,
    wait,
)
from migrate.verify.proven import UNPROVEN, notes_on, unproven
from migrate.verify.result import VerifyResult
from migrate.verify.texts import PRINTED
from migrate.verify.times import Masks
from migrate.verify.workspace import check_size

_PLAIN = (
    "the old program fails on odd lines in made-up text (empty ones, doubled spaces, numbers), so both got"
    " plain words; --input feeds them your own"
)

_AS_THEY_CAME = (
    "rows that come in no promised order were compared as they came, with one partition in each of Kafka's "
    "topics: one program makes of rows on the driver what the other one brings there"
)
_WITH_ROWS = "the old program fails in a batch without input, so both got batches with input only"
_HELD_OUT = "the input lines are those that `learn --hold-out {}` has not seen"
_MODERN = "{} is in Python 2: its form in Python 3 ran, and nothing proves that the two are the same"


def verify(
    old: Path,
    new: Path,
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
    hold_out: float | None = None,
) -> VerifyResult:
    """Run `old` (on `pyspark.streaming`) and `new` on the same batches and compare what leaves them.

    Args:
        old: the program that says what is right.
        new: the program that should do the same.
        arguments: for both; {host}, {port}, {work} and {dir} are filled in.
        cwd: the directory that both get a copy of, the current one if it is not given.
        source: a text file or a directory of text to feed; without it, text made up here.
        batches: how many batches with data.
        drain: how many empty batches follow, 8 where the old program has windows, else none.
        timeout: seconds that one batch may take.
        side_effects: let connections, and writes outside of the copies, through.
        stand_ins: packages that both run without; calls of them are compared.
        progress: is told of every batch.
        kafka: the address of a broker; where it is needed and not given, one is started.
        partitions: how many the topics have that the programs read.
        records: what to feed Kafka with, in place of text.
        hold_out: feed only this share of the lines, which `learn` with the same share leaves out.

    Raises:
        EnvironmentProblemError: no Java, or the working directory cannot be copied.
        ValueError: there is no text in `source`.
        OSError: `source` cannot be read.
    """
    (text, problem), (migrated, other) = read_program(old), read_program(new)
    if problem or other:
        failures = tuple(filter(None, (problem, other)))
        return VerifyResult(str(old), str(new), failures=failures, unreadable=True)
    require_java()
    check_size(cwd or Path.cwd())
    empty = empty_batches(text, drain)
    kept = ALL if hold_out is None else Kept(hold_out, held_out=True)
    feed = feed_of(source, records, batches, kept)
    with ExitStack() as stack:
        there = broker_for(text + migrated, kafka, stack)
        conditions = Conditions(
            *(cwd or Path.cwd(), arguments, catches_ctrl_c(text), side_effects, timeout, there, partitions),
            stand_ins=stand_ins,
        )
        result = _trial(conditions, old, new, [*feed, *empty], progress)
        if source is None and records is None and result.old_crashed:
            plain = [*batches_for(None, batches, plain=True, kept=kept), *empty]
            result = _trial(conditions, old, new, plain, progress)
            result = replace(result, notes=(*result.notes, _PLAIN))
            feed = plain[: len(plain) - len(empty)]
        if UNPROVEN in result.failures and result.old_crashed and not feed[0]:
            rows = [batch for batch in feed if batch]
            again = _trial(conditions, old, new, rows, progress)
            if UNPROVEN not in again.failures:
                feed, empty, result = rows, [], replace(again, notes=(*again.notes, _WITH_ROWS))
        if not result.failures and _may_be_order(result):
            left = replace(conditions, as_they_came=True, partitions=1)
            again = _trial(left, old, new, [*feed, *empty], progress)
            if again.equal:
                plainly = [note for note in result.notes if note == _PLAIN]
                result = replace(again, notes=(*again.notes, *plainly, _AS_THEY_CAME))
    if hold_out is not None:
        result = replace(result, notes=(*result.notes, _HELD_OUT.format(f"{hold_out:g}")))
    return result


def _may_be_order(result: VerifyResult) -> bool:
    """Whether the programs differ in printed lines alone, which may be the same in another order."""
    found = [one for batch in result.batches for one in batch.differences]
    return bool(found) and all(one.where.startswith(PRINTED) for one in found)


def _trial(
    conditions: Conditions, old: Path, new: Path, feed: list[Batch], progress: Progress | None
) -> VerifyResult:
    root = Path(tempfile.mkdtemp(prefix="dstream-verify-")).resolve()
    sides: list[Side] = []
    try:
        for name, program in (("old", old), ("new", new)):
            beside = sides[0].spec.log if sides else None
            sides.append(Side(conditions, root / name, name, program, feed, beside))
        wait(sides, progress)
        return _result(str(old), str(new), *sides)
    finally:
        for side in sides:
            side.kill()
        shutil.rmtree(root, ignore_errors=True)


def _result(old: str, new: str, old_side: Side, new_side: Side) -> VerifyResult:
    was, came = old_side.recording(), new_side.recording()
    crashed = was.status == "crashed" and bool(was.batches)
    was, came, failed = without_failed_batch(was, came)
    sides = ((old, old_side), (new, new_side))
    modern = [_MODERN.format(program) for program, side in sides if side.is_python_2]
    names = [
        (path, name)
        for side in (old_side, new_side)
        for path, name in ((side.spec.work, "{work}"), (side.spec.private, "{private}"))
    ]
    names += [(f".{side.spec.kafka.suffix}", "") for side in (old_side, new_side) if side.spec.kafka]
    runs = comparable(was, came)
    found = compare(*runs, Masks([*was.spans, *came.spans], names)) if runs is not None else []
    return VerifyResult(
        old,
        new,
        batches=tuple(found),
        failures=tuple(unproven(was, came, found)),
        notes=(*notes_on(found), *failed, *modern),
        environment=any(side.refused or side.status in ("refused", "unsupported") for side in (was, came)),
        old_crashed=crashed,
        seconds_old=sum(batch.seconds_old for batch in found),
        seconds_new=sum(batch.seconds_new for batch in found),
        wall_old=was.seconds,
        wall_new=came.seconds,
    )
