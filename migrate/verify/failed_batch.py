"""An old program that fails: what the new one does in that batch, or in later ones, is no difference."""

from __future__ import annotations

import re
from dataclasses import replace

from migrate.verify.recording import Batch, Recording

_ERROR = re.compile(r"^\w+(?:Error|Exception): .*$", re.MULTILINE)
FAILED = (
    "batch {index}: the old program fails, and the new one {does}; nothing is compared from there on: {why}"
)


def without_failed_batch(old: Recording, new: Recording) -> tuple[Recording, Recording, tuple[str, ...]]:
    """Return two runs as far as the old program's batches did not fail, and the note on the one that did.

    A new program that fails before is left as it is, and so are runs of which nothing would be left.
    """
    last = len(old.batches) - 1
    done = replace(_until(old, last), status="ended")
    if old.status != "crashed" or done.is_silent:
        return old, new, ()
    fails = new.status == "crashed"
    if not (new.status == "ended" or (fails and len(new.batches) > last)):
        return old, new, ()
    went = replace(_until(new, last), status="ended")
    does = "fails, too" if fails and len(new.batches) == last + 1 else "does not"
    why = [*_ERROR.findall(old.detail), "without a word"]
    return done, went, (FAILED.format(index=old.batches[last].index, does=does, why=why[0]),)


def comparable(old: Recording, new: Recording) -> tuple[Recording, Recording] | None:
    """Return two runs as far as the old program came to the end of its batches; None if it did of none."""
    if old.status == "ended":
        return old, new
    last = len(old.batches) - 1
    return (_until(old, last), _until(new, last)) if last > 0 else None


def _until(run: Recording, last: int) -> Recording:
    return replace(run, batches=run.batches[:last], after=Batch(-2))
