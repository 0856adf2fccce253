"""Two recordings, batch by batch. No Spark in here: records in, differences out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from migrate.verify.datasets import compare_files
from migrate.verify.displays import compare_displays, compare_partials, rendered, renderings
from migrate.verify.recording import Batch, Display, Recording
from migrate.verify.result import BatchResult, Difference
from migrate.verify.texts import compare_text
from migrate.verify.times import Masks


def compare(old: Recording, new: Recording, masks: Masks) -> list[BatchResult]:
    """Every batch of two runs, the text before and after them included."""
    printed = max(map(_printed, old.batches, new.batches), default=0)
    unseen = _unseen(old.batches)
    # a query's first micro-batch runs at once, and may show that it has no rows
    before = new.before.without_empty_tables() if new.before.runs else new.before
    results = [_batch("before the first batch", old.before, before, masks)]
    for index in range(max(len(old.batches), len(new.batches))):
        left = old.batches[index] if index < len(old.batches) else None
        right = new.batches[index] if index < len(new.batches) else None
        name = f"batch {index}"
        if left is None or right is None:
            results.append(_lonely(name, left, right))
        else:
            starts = index == 0 and not new.before.runs
            found = _batch(name, left, right, masks, printed, starts=starts)
            if found.differences and unseen:
                without = _batch(name, left, right, masks, printed + unseen, starts=starts)
                found = found if without.differences else replace(without, no_headers=True)
            results.append(found)
    results.append(_batch("after the last batch", old.after, new.after, masks))
    return results


def _lonely(name: str, old: Batch | None, new: Batch | None) -> BatchResult:
    batch = old or new
    assert batch is not None
    forgiven = old is not None and (batch.input_rows == 0 or _shows_nothing(old))
    difference = Difference("the batch", "a batch" if old else "none", "none" if old else "an extra batch")
    return BatchResult(
        name,
        batch.input_rows,
        () if forgiven or batch.is_silent else (difference,),
        forgiven and not batch.is_silent,
        old.seconds if old else 0.0,
        new.seconds if new else 0.0,
    )


def _batch(
    name: str, old: Batch, new: Batch, masks: Masks, printed: int = 0, *, starts: bool = False
) -> BatchResult:
    missing = _is_missing(old, new, starts=starts)
    found = () if missing else tuple(_differences(old, new, masks, printed))
    if found and new.runs is not None and new.runs != 1:
        count = "no micro-batch" if new.runs == 0 else f"{new.runs} micro-batches"
        found = (Difference(found[0].where, found[0].expected, f"{found[0].came}\n({count} ran)"), *found[1:])
    return BatchResult(name, old.input_rows, found, missing, old.seconds, new.seconds)


def _is_missing(old: Batch, new: Batch, *, starts: bool) -> bool:
    """Whether the new program has nothing for a batch without input, and may: it is native.

    Where a micro-batch did run, for an empty file, only a `pprint` without records may be gone with it. A
    query's first one runs as soon as it starts, when no batch of a DStream is due: new code may pass it over.

    Args:
        old: of the old program.
        new: of the new one.
        starts: whether it is what the query starts with.
    """
    if new.runs is None or old.input_rows or not new.is_silent or old.is_silent:
        return False
    is_first = starts and new.runs == 1
    return new.runs == 0 or is_first or _shows_nothing(old)


def _shows_nothing(batch: Batch) -> bool:
    """Whether all that a batch puts out is a `pprint` without records."""
    rows = any(partial.rows for partial in batch.partials)
    pieces = batch.segments()
    return not batch.files and not rows and all(map(_is_empty, pieces))


def _unseen(batches: Sequence[Batch]) -> int:
    """How many outputs there are, at most, whose `pprint` shows no record in any batch."""
    shown = ([one for one in batch.segments() if isinstance(one, Display)] for batch in batches)
    return min((sum(_is_empty(one) for one in displays) for displays in shown if displays), default=0)


def _is_empty(piece: str | Display) -> bool:
    return isinstance(piece, Display) and piece.kind == "pprint" and not piece.rows


def _printed(old: Batch, new: Batch) -> int:
    """How many values of one record the new program prints by itself, as the number of a window, in a batch.

    They are what the old one displays, where the new one has neither a display nor a loop over records.
    """
    displayed, came = (sum(map(_has_rows, batch.segments())) for batch in (old, new))
    before, after = (
        sum(partial.call == "take" and bool(partial.rows) for partial in batch.partials)
        for batch in (old, new)
    )
    return max(0, displayed - came - (after - before))


def _has_rows(piece: str | Display) -> bool:
    return isinstance(piece, Display) and bool(piece.rows)


def _differences(old: Batch, new: Batch, masks: Masks, printed: int) -> Iterator[Difference]:
    loops = sum(partial.call == "take" and not partial.rows for partial in new.partials)
    silent = loops + max(0, printed - _printed(old, new))
    yield from _compare_output(_masked_segments(old, masks), _masked_segments(new, masks), masks, silent)
    yield from compare_partials(old.partials, new.partials, masks)
    yield from compare_files(old, new, masks)


def _masked_segments(batch: Batch, masks: Masks) -> list[str | Display]:
    return [masks.apply(piece) if isinstance(piece, str) else piece for piece in batch.segments()]


def _compare_output(
    old: Sequence[str | Display], new: Sequence[str | Display], masks: Masks, silent: int
) -> Iterator[Difference]:
    """Text against text and display against display; where the forms differ, text against displays.

    Args:
        old: what the old program put out.
        new: the same of the new one.
        masks: what differs from run to run.
        silent: how many outputs of the new program may have had nothing to print: loops over no records, and
            values that it prints in other batches.
    """
    if [type(piece) for piece in old] == [type(piece) for piece in new]:
        pairs: Sequence[tuple[str | Display, str | Display]] | None = list(zip(old, new, strict=True))
    else:
        pairs = _aligned(old, new, masks, silent, same=True)
        # nothing fits: where displays differ is told of those that come first
        pairs = _aligned(old, new, masks, silent, same=False) if pairs is None else pairs
    if pairs is None:
        yield from compare_text(_as_text(old, masks), _as_text(new, masks))
        return
    for left, right in pairs:
        if isinstance(left, Display) and isinstance(right, Display):
            difference = compare_displays(left, right, masks)
            if difference is not None:
                yield difference
        else:
            assert isinstance(left, str)
            assert isinstance(right, str)
            yield from compare_text(left, right)


def _aligned(
    old: Sequence[str | Display], new: Sequence[str | Display], masks: Masks, silent: int, *, same: bool
) -> list[tuple[Display, Display]] | None:
    """The displays that both have, where new text is what the others show; None where it is not.

    Args:
        old: what the old program put out, and has no counterpart yet.
        new: the same of the new one.
        masks: what differs from run to run.
        silent: how many outputs of the new program may have had nothing to print.
        same: whether only displays that are equal may be counterparts: an output that had nothing to print
            is another one, if they are not.
    """
    if not old:
        return None if new else []
    piece, came, others = old[0], new[0] if new else "", old[1:]
    if isinstance(piece, Display) and isinstance(came, Display):
        fits = not same or compare_displays(piece, came, masks) is None
        found = _aligned(others, new[1:], masks, silent, same=same) if fits else None
        if found is not None:
            return [(piece, came), *found]
    text_came = came if isinstance(came, str) else ""
    for text in [piece] if isinstance(piece, str) else renderings(piece, masks, text_came):
        if not isinstance(came, str) or came == text:
            rest = new[1:] if came == text else new
        else:
            rest = [came.removeprefix(text), *new[1:]]
        fits = came.startswith(text) if isinstance(came, str) else not text
        left = silent - (not text and isinstance(piece, Display))
        found = _aligned(others, rest, masks, left, same=same) if fits and left >= 0 else None
        if found is not None:
            return found
    return None


def _as_text(pieces: Sequence[str | Display], masks: Masks) -> str:
    return "".join(piece if isinstance(piece, str) else rendered(piece, masks) for piece in pieces)
