"""Why two runs prove nothing, and what of them is not compared."""

from __future__ import annotations

from collections.abc import Sequence

from migrate.verify.failed_batch import comparable
from migrate.verify.programs import failure
from migrate.verify.recording import Recording
from migrate.verify.result import BatchResult

UNPROVEN = "the old program comes to the end of no batch, so nothing is proven"
SILENT = "neither program put anything out, so nothing is proven"
NO_RECORDS = "neither program showed a record, so nothing is proven: give input for which they do"
NO_BATCHES = "the old program never waited for a batch, so none was fed"
_OTHER_SOURCES = "the programs read different sources: old {}; new {}"
_MISSING = "no input, so no micro-batch in the new program; what the old one put out there is missing"
_NO_HEADERS = "an output without records in any batch has no header in the new program, and was not compared"


def unproven(was: Recording, came: Recording, found: Sequence[BatchResult]) -> list[str]:
    """Why the runs prove nothing."""
    failures = [*failure("old", was), *failure("new", came)]
    if failures:
        return [UNPROVEN, *failures] if comparable(was, came) is None else failures
    if was.sources != came.sources:
        return [_OTHER_SOURCES.format(*(", ".join(side.sources) or "none" for side in (was, came)))]
    if not was.batches:
        return [NO_BATCHES]
    if was.is_silent and came.is_silent:
        return [SILENT]
    is_printed = any(batch.text or batch.files for batch in (*came.batches, came.after))
    return [NO_RECORDS] if not is_printed and any(one.no_headers for one in found) else []


def notes_on(found: Sequence[BatchResult]) -> list[str]:
    """What was not compared, and in which batches."""
    missing = ", ".join(one.name for one in found if one.missing)
    no_headers = ", ".join(one.name for one in found if one.no_headers)
    both = ((missing, _MISSING), (no_headers, _NO_HEADERS))
    return [f"{batches}: {what}" for batches, what in both if batches]
