"""The input of a run, cut into batches: from a file, from a directory, or made up."""

from __future__ import annotations

import random
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from migrate.kafka.topic_slice import Slice

Batch = tuple[str, ...]
"""The lines of one batch, without their line ends."""

_COMMON = (
    "the of and to in that was his he it with is for as had you be her on at by which have or from this him"
    " but all she they were my are me one their so an said them we who would been will when"
)
_WORDS = tuple(_COMMON.split(" "))
_ODD = ("naïve", "Straße", "雪", "été", "O'Neil", "x,y", "42", "-7", "3.5", "null", "None", "UPPER", "a_b")
_SPACED = ("two  spaces", " leading", "trailing ", "tab\there", "", "hello world", "hello hello")


@dataclass(frozen=True)
class Kept:
    """Which lines of an input a run is given: `learn` those that are not held out, `verify` those that are.

    A line is held out by what it says, so that it is in each run, wherever it stands.

    Attributes:
        share: how many of the lines are held out, from 0 to 1.
        held_out: whether the run is given these.
    """

    share: float
    held_out: bool

    def of(self, lines: Sequence[str]) -> Batch:
        """The lines that the run is given."""
        return tuple(line for line in lines if self._is_held_out(line) is self.held_out)

    def _is_held_out(self, line: str) -> bool:
        return zlib.crc32(line.encode("utf-8", "surrogatepass")) < self.share * 2**32


ALL = Kept(0, held_out=False)
"""All of them."""


def batches_for(
    source: Path | None, count: int | None, *, plain: bool = False, kept: Kept = ALL
) -> list[Batch]:
    """What every source of both programs gets, batch by batch.

    The first batch is empty, as it is when a program starts before its data, and one in the middle is, too.

    Args:
        source: a text file, cut into `count` runs of lines; a directory, whose files in the order of their
            names are one batch each, or are cut together when `count` is given; None for text made up here.
        count: how many batches with data; 4 when it is not given.
        plain: make up words only, without empty lines, doubled spaces, numbers and other scripts.
        kept: which of the lines.

    Raises:
        ValueError: there is no text in `source`, or all of it is left out.
        UnicodeDecodeError: `source` is no UTF-8.
    """
    made = _made_up(count or 4, plain=plain) if source is None else _read(source, count, kept)
    return _with_empty([kept.of(lines) for lines in made] if source is None else made)


def batches_of(lines: Sequence[str], count: int | None, kept: Kept = ALL) -> list[Batch]:
    """The same of lines that are there already.

    Raises:
        ValueError: there are none.
    """
    if not kept.of(lines):
        raise ValueError("there are no records to make batches of")
    return _with_empty(_cut(kept.of(lines), count or 4))


def feed_of(source: Path | None, records: Slice | None, count: int | None, kept: Kept = ALL) -> list[Batch]:
    """The batches of a slice of a topic, if there is one, else those of `source`."""
    if records is not None:
        return batches_of(records.lines(), count, kept)
    return batches_for(source, count, kept=kept)


def _with_empty(data: list[Batch]) -> list[Batch]:
    middle = (len(data) + 1) // 2
    return [(), *data[:middle], (), *data[middle:]]


def _read(source: Path, count: int | None, kept: Kept) -> list[Batch]:
    files = sorted(path for path in source.iterdir() if path.is_file()) if source.is_dir() else [source]
    texts = [kept.of(_lines(path)) for path in files if not path.name.startswith((".", "_"))]
    if source.is_dir() and count is None:
        data = [lines for lines in texts if lines]
    else:
        data = _cut([line for lines in texts for line in lines], count or 4)
    if not data:
        why = "" if kept is ALL else " that are left by --hold-out"
        raise ValueError(f"{source} has no lines{why} to make batches of")
    return data


def _lines(path: Path) -> Batch:
    # Only "\n" ends a line here: str.splitlines would also cut at form feeds and Unicode separators.
    text = path.read_bytes().decode("utf-8")
    return tuple(line.removesuffix("\r") for line in text.removesuffix("\n").split("\n")) if text else ()


def _cut(lines: Sequence[str], count: int) -> list[Batch]:
    size = -(-len(lines) // count) or 1
    return [tuple(lines[start : start + size]) for start in range(0, len(lines), size)]


def _made_up(count: int, *, plain: bool) -> list[Batch]:
    rng = random.Random(20150311)
    return [_made_up_batch(rng, odd=index % 2 == 1 and not plain) for index in range(count)]


def _made_up_batch(rng: random.Random, *, odd: bool) -> Batch:
    lines = [" ".join(rng.choices(_WORDS, k=rng.randint(1, 9))) for _ in range(24)]
    if odd:
        lines += [*_SPACED, *(f"{word} {rng.choice(_WORDS)} {word}" for word in _ODD)]
        rng.shuffle(lines)
    return tuple(lines)
