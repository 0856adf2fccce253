"""`pprint` and `show` against each other, and the rows that `take` and the like were taken from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from migrate.verify.recording import Display, Partial
from migrate.verify.result import Difference
from migrate.verify.rows import (
    Json,
    exact,
    first_difference,
    flat,
    listed,
    masked,
    only_in,
    order_problem,
    shown,
)
from migrate.verify.times import MASK, Masks
from migrate.verify.values import leaves, readable

_RULE = "-" * 43


def compare_displays(old: Display, new: Display, masks: Masks) -> Difference | None:
    """What is shown, the order if there is a sort, and all rows of the batch at that call."""
    where = new.kind if old.kind == new.kind else f"{old.kind} against {new.kind}"
    form = exact if old.kind == new.kind else shown
    left, right = masked(old.rows, masks), masked(new.rows, masks)
    old_keys, new_keys = [form(row) for row in left], [form(row) for row in right]
    if Counter(old_keys) != Counter(new_keys):
        return Difference(f"rows of {where}", *only_in(left, right, form))
    place = order_problem(old_keys, new_keys, old.ties, new.ties)
    if place is not None:
        what = "order" if new.ties is not None else "order (not sorted any more)"
        return Difference(f"{what} of {where}, row {place + 1}", listed(left[place:]), listed(right[place:]))
    if len(old.shown) != len(new.shown):
        return Difference(f"rows shown by {where}", f"{len(old.shown)}", f"{len(new.shown)}")
    return _compare_form(old, new, where)


def _compare_form(old: Display, new: Display, where: str) -> Difference | None:
    if old.kind == new.kind and old.columns != new.columns:
        return Difference(f"columns of {where}", str(old.columns), str(new.columns))
    if old.kind == new.kind and old.vertical != new.vertical:
        return Difference(f"form of {where}", f"vertical={old.vertical}", f"vertical={new.vertical}")
    if old.truncate != new.truncate:
        left, right = (sorted(_cells(row, side.truncate) for row in side.rows) for side in (old, new))
        if left != right:
            place = first_difference(left, right) or 0
            return Difference(f"cells of {where}", str(left[place]), str(right[place]))
    return None


def _cells(row: Json, truncate: int) -> list[str]:
    texts = [leaf if isinstance(leaf, str) else readable(leaf) for leaf in leaves(row)]
    return [_cut(text, truncate) for text in texts]


def _cut(text: str, truncate: int) -> str:
    if truncate <= 0 or len(text) <= truncate:
        return text
    return text[:truncate] if truncate < 4 else text[: truncate - 3] + "..."


def compare_partials(old: Sequence[Partial], new: Sequence[Partial], masks: Masks) -> Iterator[Difference]:
    """Where both programs took the same few rows, all rows they were taken from must be equal, too.

    A program that takes other rows says so in what it prints; one row may only have asked "is it empty?".
    """
    left = list(new)
    for partial in old:
        if partial.limit == 1 and partial.call != "first":
            continue
        wanted = _part(partial, masks)
        match = next((other for other in left if _part(other, masks) == wanted), None)
        if match is None:
            continue
        left.remove(match)
        rows, came = masked(partial.rows, masks), masked(match.rows, masks)
        if Counter(map(flat, rows)) != Counter(map(flat, came)):
            yield Difference(f"all rows that {partial.call} took from", *only_in(rows, came, flat))


def _part(partial: Partial, masks: Masks) -> list[str]:
    return [flat(row) for row in masked(partial.rows[: partial.limit], masks)]


def renderings(display: Display, masks: Masks, came: str = "") -> list[str]:
    """The texts that may be printed in the place of a display: all of it, or `pprint`'s records alone.

    A loop that makes these of rows prints them in the canonical order of those: `came` may begin with
    them in another order, if the program asks for none.
    """
    whole = rendered(display, masks)
    if display.texts is None:
        return [whole]
    records = [f"{text}\n" for text in masked(display.texts, masks)]
    lines = "".join(records).splitlines(keepends=True)
    begin = came.splitlines(keepends=True)[: len(lines)]
    others = ["".join(begin)] if display.ties is None and sorted(begin) == sorted(lines) else []
    return [whole, "".join(records), *others]


def rendered(display: Display, masks: Masks) -> str:
    """A display as text, where the other program printed text in its place."""
    rows = masked(display.shown, masks)
    if display.texts is not None:
        records = masked(display.texts, masks)
        more = ["..."] if len(display.rows) > len(rows) else []
        return "\n".join([_RULE, f"Time: {MASK}", _RULE, *records, *more, "", ""])
    cells = [list(display.columns or []), *(_cells(row, display.truncate) for row in rows)]
    return "".join("|" + "|".join(line) + "|\n" for line in cells)
