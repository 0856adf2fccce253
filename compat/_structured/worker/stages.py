"""What runs in Spark's Python workers: one fused pass over a partition, from Arrow batches to Arrow batches.

Executors do not have `compat`: this module, `kept`, `lines`, `merge`, `upkeep` and `words` are pickled by
value with each stage (see `frame`), so they import nothing but the standard library, pyarrow, pyspark and
`compat.utf8`, and hold no state.

A stage is reader -> steps -> sink. A reader turns the rows of a partition into an iterator over elements, a
step turns one such iterator into another, a sink turns it into rows again. A row never is one element: it is
a *chunk*, the pickle of many."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, count, groupby, islice, pairwise, repeat
from operator import itemgetter
from pickle import loads
from typing import Any

import pyarrow as pa
from pyspark.cloudpickle import dumps

from compat._structured.worker import kept, lines, merge, upkeep, words
from compat.utf8 import decoded

Batches = Iterable[pa.RecordBatch]
Elements = Iterator[Any]
Reader = tuple[str, Any]
"""How rows become elements: a name in READERS, and its argument."""
Step = tuple[str, Any]
"""A narrow operator: a name in STEPS, and its argument."""
Sink = tuple[str, Any]
"""How elements become rows: a name in SINKS, and its argument."""

CHUNK_BYTES = 1 << 18
"""Chunks grow until their pickle has about this size."""


def stage(reader: Reader, steps: Sequence[Step], sink: Sink) -> Callable[[Batches], Iterator[pa.RecordBatch]]:
    """The function for `mapInArrow`."""

    def run(batches: Batches) -> Iterator[pa.RecordBatch]:
        upkeep.begin_task()
        name, argument = reader
        elements: Elements = READERS[name](argument, iter(batches))
        for name, argument in steps:
            elements = STEPS[name](argument, elements)
        name, argument = sink
        return SINKS[name](argument, elements)

    return run


def one_by_one(
    run: Callable[[Batches], Iterator[pa.RecordBatch]],
) -> Callable[[Batches], Iterator[pa.RecordBatch]]:
    """The function of a stage for tasks of several partitions, whose numbers are in a first column.

    It runs once for each partition that has rows, and once if none has.
    """

    def run_each(batches: Batches) -> Iterator[pa.RecordBatch]:
        upkeep.begin_task()
        empty = True
        for _, parted in groupby(by_partition(batches), key=itemgetter(0)):
            empty = False
            yield from run(rows for _, rows in parted)
        if empty:
            yield from run(())

    return run_each


def by_partition(batches: Batches) -> Iterator[tuple[int, pa.RecordBatch]]:
    """The number of a partition, and rows of it without this number."""
    for batch in batches:
        numbers = batch.column(0).to_numpy()
        bounds = [0, *((numbers[1:] != numbers[:-1]).nonzero()[0] + 1), len(numbers)]
        rows = pa.RecordBatch.from_arrays(batch.columns[1:], names=batch.schema.names[1:])
        for first, last in pairwise(bounds):
            if first < last:
                yield int(numbers[first]), rows.slice(first, last - first)


# --- readers ----------------------------------------------------------------------------------------------


def read_lines(_: None, batches: Iterator[pa.RecordBatch]) -> Elements:
    """One string a row."""
    return chain.from_iterable(lines.texts_of(batch.column(0)) for batch in batches)


def read_record_batches(_: None, batches: Iterator[pa.RecordBatch]) -> Elements:
    """Many strings a row (see `lines`)."""
    rows = chain.from_iterable(batch.column(0).to_pylist() for batch in batches)
    return chain.from_iterable(map(lines.texts, rows))


def read_chunks(_: None, batches: Iterator[pa.RecordBatch]) -> Elements:
    """One pickled list of elements a row, in the last column."""
    return chain.from_iterable(chunks(batches))


def read_pairs(_: None, batches: Iterator[pa.RecordBatch]) -> Elements:
    """One pickled ``(keys, values)`` a row, in the last column."""
    return chain.from_iterable(zip(keys, values, strict=True) for keys, values in chunks(batches))


def read_rows(
    function: Callable[[pa.RecordBatch], Iterable[Any]], batches: Iterator[pa.RecordBatch]
) -> Elements:
    """Rows of any columns: what the function makes of them (see `arrow`)."""
    return chain.from_iterable(map(function, batches))


def read_indexed(
    function: Callable[[int, Elements], Iterable[Any]], batches: Iterator[pa.RecordBatch]
) -> Elements:
    """Rows of (index of the partition, chunk), at least one: what the function makes of them."""
    first = next(batches)
    return iter(function(first.column(0)[0].as_py(), read_chunks(None, chain([first], batches))))


def read_merged(argument: tuple[str, Any], batches: Iterator[pa.RecordBatch]) -> Elements:
    """Rows of (tag, salt, pickled ``(keys, values)``), all of one partition: what the merge makes of them."""
    name, settings = argument
    return iter(MERGES[name](settings, tagged(batches)))


def read_zipped(_: None, batches: Iterator[pa.RecordBatch]) -> Elements:
    """Rows of (tag, salt, chunk): the elements in the order of the tags, however they were shuffled."""
    columns = ((batch.column(0).to_pylist(), batch.column(2).to_pylist()) for batch in batches)
    tagged = [row for tags, chunks in columns for row in zip(tags, chunks, strict=True)]
    return chain.from_iterable(loads(chunk) for _, chunk in sorted(tagged, key=itemgetter(0)))


def tagged(batches: Iterable[pa.RecordBatch]) -> Iterator[tuple[int, merge.Chunk]]:
    """The first column, and the unpickled last one."""
    for batch in batches:
        yield from zip(batch.column(0).to_pylist(), map(loads, batch.column(2).to_pylist()), strict=True)


def chunks(batches: Iterable[pa.RecordBatch]) -> Iterator[Any]:
    """The unpickled last column."""
    for batch in batches:
        yield from map(loads, batch.column(batch.num_columns - 1).to_pylist())


READERS: dict[str, Callable[[Any, Iterator[pa.RecordBatch]], Elements]] = {
    "lines": read_lines,
    "words": words.read_words,
    "record_batches": read_record_batches,
    "chunks": read_chunks,
    "pairs": read_pairs,
    "rows": read_rows,
    "indexed": read_indexed,
    "merged": read_merged,
    "zipped": read_zipped,
}

MERGES: dict[str, Callable[[Any, merge.Tagged], Iterable[Any]]] = {
    "none": merge.merged_none,
    "deal": merge.merged_deal,
    "combine": merge.merged_combine,
    "group": merge.merged_group,
    "state": kept.merged_state,
    "window": kept.merged_window,
}

# --- steps -------------------------------------------------------------------------------------------------


def flat_map(function: Callable[[Any], Iterable[Any]], elements: Elements) -> Elements:
    """`flatMap`."""
    return chain.from_iterable(map(function, elements))


def map_values(function: Callable[[Any], Any], elements: Elements) -> Elements:
    """`mapValues`."""
    return ((pair[0], function(pair[1])) for pair in elements)


def flat_map_values(function: Callable[[Any], Iterable[Any]], elements: Elements) -> Elements:
    """`flatMapValues`."""
    return ((pair[0], value) for pair in elements for value in function(pair[1]))


def map_partitions(function: Callable[[Elements], Iterable[Any]], elements: Elements) -> Elements:
    """`mapPartitions`."""
    return iter(function(elements))


STEPS: dict[str, Callable[[Any, Elements], Elements]] = {
    "map": map,
    "filter": filter,
    "flat_map": flat_map,
    "map_values": map_values,
    "flat_map_values": flat_map_values,
    "map_partitions": map_partitions,
    "flatten": lambda _, elements: chain.from_iterable(elements),
    "glom": lambda _, elements: iter([list(elements)]),
    "count": lambda _, elements: iter([sum(1 for _ in elements)]),
    "values": lambda _, elements: (pair[1] for pair in elements),
    "keyed": lambda key, elements: zip(repeat(key), elements),
    "tagged": lambda tag, elements: ((pair[0], (tag, pair[1])) for pair in elements),
    "joined": lambda outer, groups: (
        (key, pair) for key, group in groups for pair in merge.joined(group, *outer)
    ),
    "cogrouped": lambda _, groups: ((key, merge.cogrouped(group)) for key, group in groups),
    "first": lambda number, elements: islice(elements, number),
}

# --- sinks -------------------------------------------------------------------------------------------------


def write_chunks(_: None, elements: Elements) -> Iterator[pa.RecordBatch]:
    """Rows of one chunk each; at least one, if empty, so that a later pass can tell its partition."""
    size, written = 16, False
    while block := list(islice(elements, size)):
        written = True
        data = dumps(block)
        yield rows(data)
        size = next_size(size, len(data))
    if not written:
        yield rows(dumps([]))


def write_single(_: None, elements: Elements) -> Iterator[pa.RecordBatch]:
    """One row per element: for a few."""
    for element in elements:
        yield rows(dumps([element]))


def write_text(_: None, elements: Elements) -> Iterator[pa.RecordBatch]:
    """One row of text per element, as `RDD.saveAsTextFile` writes it."""
    while block := list(islice(elements, 4096)):
        lines = [as_text(element) for element in block]
        yield pa.RecordBatch.from_arrays([pa.array(lines, pa.string())], names=["value"])


def write_rows(
    function: Callable[[Elements], Iterator[pa.RecordBatch]], elements: Elements
) -> Iterator[pa.RecordBatch]:
    """Rows of any columns: what the function makes of the elements (see `arrow`)."""
    return function(elements)


def write_numbered(_: None, elements: Elements) -> Iterator[pa.RecordBatch]:
    """Rows of (number of the chunk in the partition, chunk); none for no elements."""
    size = 16
    for number in count():
        block = list(islice(elements, size))
        if not block:
            return
        data = dumps(block)
        columns = [pa.array([number], pa.int32()), pa.array([data], pa.binary())]
        yield pa.RecordBatch.from_arrays(columns, names=["number", "chunk"])
        size = next_size(size, len(data))


def write_pairs(scatter: merge.Scatter, elements: Elements) -> Iterator[pa.RecordBatch]:
    """Rows of (0, salt, ``(keys, values)``) for pairs that are in their partition already."""
    salt: int | None = None
    size = 16
    while block := list(islice(elements, size)):
        keys = [pair[0] for pair in block]
        if salt is None:
            salt = scatter.salts[merge.partitions(scatter, keys[:1])[0]]
        data = dumps((keys, [pair[1] for pair in block]))
        yield shuffled(0, salt, data)
        size = next_size(size, len(data))


def write_scattered(argument: tuple[int, merge.Scatter], elements: Elements) -> Iterator[pa.RecordBatch]:
    """Rows of (tag, salt, ``(keys, values)``): each pair on its way to its partition."""
    tag, scatter = argument
    size = 1024
    for partition, (keys, values) in merge.scattered(scatter, elements):
        start = 0
        while start < len(values):
            data = dumps((keys[start : start + size], values[start : start + size]))
            yield shuffled(tag, scatter.salts[partition], data)
            start += size
            size = next_size(size, len(data))


def rows(chunk: bytes) -> pa.RecordBatch:
    """One row of one column."""
    return pa.RecordBatch.from_arrays([pa.array([chunk], pa.binary())], names=["chunk"])


def shuffled(tag: int, salt: int, chunk: bytes) -> pa.RecordBatch:
    """One row of (tag, salt, chunk)."""
    columns = [pa.array([tag], pa.int32()), pa.array([salt], pa.int32()), pa.array([chunk], pa.binary())]
    return pa.RecordBatch.from_arrays(columns, names=["tag", "salt", "chunk"])


def next_size(size: int, written: int) -> int:
    """How many elements the next chunk takes, after one of `size` elements had `written` bytes."""
    if written < CHUNK_BYTES // 2:
        return size * 4 if written < CHUNK_BYTES // 8 else size * 2
    return max(1, size // 2) if written > CHUNK_BYTES * 2 else size


def as_text(element: Any) -> str:
    """The line that `RDD.saveAsTextFile` makes of an element."""
    return decoded(element) if isinstance(element, bytes) else str(element)


SINKS: dict[str, Callable[[Any, Elements], Iterator[pa.RecordBatch]]] = {
    "chunks": write_chunks,
    "single": write_single,
    "text": write_text,
    "rows": write_rows,
    "numbered": write_numbered,
    "pairs": write_pairs,
    "scattered": write_scattered,
}
