"""How often each part of split lines is in them, counted by Arrow.

Executors do not have `compat`: this module is pickled by value with each stage (see `frame`), so it imports
nothing but pyarrow and `lines`, and holds no state."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, repeat
from typing import Any

import pyarrow as pa

from compat._structured.worker import lines

MANY = 1000
"""Of fewer lines Python counts the parts as fast."""

Pairs = Iterator[tuple[str, int]]


def read_words(separator: str, batches: Iterator[pa.RecordBatch]) -> Pairs:
    """Rows of one text: what is between separators, in the order of first places, with a number each.

    A text may come again with a further number. Where hardly one comes twice, counting them here does not
    pay, and each has a 1.
    """
    pays = True
    for batch in batches:
        texts = batch.column(0)
        counts = counted(texts, separator) if pays and len(texts) >= MANY else None
        if counts is None:
            split = (line.split(separator) for line in lines.texts_of(texts))
            yield from zip(chain.from_iterable(split), repeat(1))
        else:
            words, numbers = counts
            pays = 2 * len(words) < sum(numbers)
            yield from zip(words, numbers, strict=True)


def counted(texts: Any, separator: str) -> tuple[list[str], list[int]] | None:
    """The words and their numbers; None where Arrow would not see what Python does: no UTF-8, or no text."""
    from pyarrow import compute  # not before there are many lines: it takes as long as a small batch

    if texts.null_count:
        return None
    try:
        counts = compute.value_counts(compute.split_pattern(texts, separator).flatten())
        return counts.field("values").to_pylist(), counts.field("counts").to_pylist()
    except UnicodeDecodeError:
        return None
