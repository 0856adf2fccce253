"""A result in words, for the terminal."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.verify.result import BatchResult, VerifyResult

_MORE = 3


def lines_of(result: VerifyResult) -> Iterator[str]:
    """What was compared, the first difference in full, and the verdict last."""
    for failure in result.failures:
        yield f"FAILED: {failure}"
    batch = result.first_difference
    if batch is not None:
        yield from _difference_lines(batch)
        others = [other.name for other in result.batches if other.differences and other is not batch]
        if others:
            yield f"also different: {', '.join(others)}"
    for note in result.notes:
        yield f"note: {note}"
    yield _verdict(result)


def _difference_lines(batch: BatchResult) -> Iterator[str]:
    yield f"{batch.name} ({batch.input_rows} input lines) differs:"
    for difference in batch.differences[:_MORE]:
        yield f"  {difference.where}"
        yield "    expected"
        yield from (f"      {line}" for line in difference.expected.split("\n"))
        yield "    came"
        yield from (f"      {line}" for line in difference.came.split("\n"))
    if len(batch.differences) > _MORE:
        yield f"  and {len(batch.differences) - _MORE} more differences in this batch"


def _verdict(result: VerifyResult) -> str:
    ran = [batch for batch in result.batches if batch.name.startswith("batch")]
    lines = sum(batch.input_rows for batch in ran)
    times = f"old {result.seconds_old:.1f} s, new {result.seconds_new:.1f} s"
    if result.equal:
        return f"equal: {len(ran)} batches, {lines} input lines ({times})"
    word = "not proven" if result.failures and not result.first_difference else "different"
    return f"{word}: {len(ran)} batches, {lines} input lines ({times})"
