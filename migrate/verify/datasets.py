"""Files against files: plain ones line by line, what Spark wrote record by record."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from migrate.verify.recording import Batch
from migrate.verify.result import Difference
from migrate.verify.rows import Json, exact, first_difference, listed, masked, only_in, order_problem
from migrate.verify.texts import excerpt
from migrate.verify.times import Masks


@dataclass(frozen=True)
class _Written:
    """One file, or one directory of part files, as a batch changed it."""

    how: str
    content: list[Json]
    is_dataset: bool

    def __str__(self) -> str:
        count = len(self.content)
        return f"{self.how}, {count} {'record' if self.is_dataset else 'line'}{'' if count == 1 else 's'}"


def compare_files(old: Batch, new: Batch, masks: Masks) -> Iterator[Difference]:
    """Every file that either side wrote; records in any order, unless the old program sorted them."""
    left, right = _by_name(old.files, masks), _by_name(new.files, masks)
    sorts = {masks.apply(path): ties for path, ties in old.sorts.items()}
    for path in sorted(left.keys() | right.keys()):
        for was, came in _pairs(left.get(path, []), right.get(path, [])):
            difference = _difference(path, was, came, sorts.get(path))
            if difference is not None:
                yield difference


def _by_name(changes: Sequence[Json], masks: Masks) -> dict[str, list[_Written]]:
    found: dict[str, list[_Written]] = {}
    for change in changes:
        content = masked(change.get("lines", change.get("rows")), masks)
        entry = _Written(change["how"], content, "rows" in change)
        found.setdefault(masks.apply(change["path"]), []).append(entry)
    return found


def _pairs(
    old: Sequence[_Written], new: Sequence[_Written]
) -> Iterator[tuple[_Written | None, _Written | None]]:
    """Several directories of one batch may have the same name once their times are masked."""
    for place in range(max(len(old), len(new))):
        yield (old[place] if place < len(old) else None), (new[place] if place < len(new) else None)


def _difference(
    path: str, old: _Written | None, new: _Written | None, ties: list[int] | None
) -> Difference | None:
    if old is None or new is None:
        return Difference(f"file {path}", str(old or "not written"), str(new or "not written"))
    if (old.how, old.is_dataset) != (new.how, new.is_dataset):
        return Difference(f"file {path}", str(old), str(new))
    if old.is_dataset:
        return _records(path, old.content, new.content, ties)
    left, right = ([str(line) for line in written.content] for written in (old, new))
    place = first_difference(left, right)
    if place is None:
        return None
    return Difference(f"file {path}, line {place + 1}", excerpt(left, place), excerpt(right, place))


def _records(path: str, old: list[Json], new: list[Json], ties: list[int] | None) -> Difference | None:
    left, right = [exact(row) for row in old], [exact(row) for row in new]
    if Counter(left) != Counter(right):
        return Difference(f"records of {path}", *only_in(old, new))
    if ties is None or len(ties) != len(left):
        return None
    place = order_problem(left, right, ties, ties)
    if place is None:
        return None
    return Difference(f"order of the records of {path}", listed(old[place:]), listed(new[place:]))
