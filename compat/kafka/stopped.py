"""Where a job stopped reading Kafka, out of what it has left behind: the offset of the next message of each
partition.

Files and tables are those that programs keep for themselves; checkpoints are Spark's own, of native queries,
and this package's."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, cast

from compat.directory import Directory
from compat.kafka.places import Place, by_topic, lowest, spans

Offsets = dict[Place, int]
_OFFSET = ("untilOffset", "until_offset", "until", "offset")
"""What programs call the next offset, the more certain names first."""
_COLUMNS = ("topic", "partition")


class NoOffsetsError(ValueError):
    """There are no offsets, or none that can be understood; the text says where, and what would be."""


def in_text(text: str) -> Offsets:
    """The offsets in a file that a program wrote; of several for a partition the last.

    JSON as Spark's ``startingOffsets``, ``{"pages": {"0": 42}}``; JSON objects with ``topic``, ``partition``
    and ``untilOffset`` (or ``until_offset``, ``until``, ``offset``), in a list or one a line; the same as CSV
    with a header; or lines of topic, partition and next offset, or of topic, partition, first and next offset
    as Spark's Kafka guide prints `offsetRanges`, with commas or blanks in between.

    Raises:
        NoOffsetsError: it is none of these.
    """
    try:
        given = json.loads(text)
    except ValueError:
        return dict(_lines(text))
    if isinstance(given, list):
        return dict(map(_record, given))
    if isinstance(given, dict) and "topic" in given:
        return dict([_record(given)])
    return _options(given)


def in_rows(rows: Iterable[Mapping[str, Any]]) -> Offsets:
    """The offsets in a table, by the names of its columns; of several for a partition the highest.

    Raises:
        NoOffsetsError: there is no row, or none with the columns that are needed.
    """
    found: Offsets = {}
    for row in rows:
        place, offset = _record(row)
        found[place] = max(offset, found.get(place, offset))
    if not found:
        raise NoOffsetsError("the table has no rows")
    return found


def in_checkpoint(directory: Directory) -> Offsets:
    """The offsets after the last batch that is done, in the checkpoint of a native query or of `compat`.

    Where a batch of `compat` has failed and waits to be run again, these are the offsets before it.

    Raises:
        NoOffsetsError: it is neither, no batch was done, or it is of a version that is not known.
    """
    if directory.has("offsets"):
        return _of_query(directory)
    if directory.has("structured/batches"):
        return _of_batches(directory)
    raise NoOffsetsError(
        f"{directory.path('')} is no checkpoint of a streaming query, nor of compat's structured engine;"
        " offsets of the rdd engine are in the group that it commits to"
    )


def _of_query(directory: Directory) -> Offsets:
    done = max((int(name) for name in directory.names("commits") if name.isdigit()), default=None)
    if done is None:
        raise NoOffsetsError(f"{directory.path('commits')}: no batch was done")
    name = f"offsets/{done}"
    version, _, *sources = directory.read(name).decode().splitlines()
    if version != "v1":
        raise NoOffsetsError(f"{directory.path(name)} is written in a version that is not known: {version}")
    given = (json.loads(source) for source in sources if source != "-")
    found = lowest(by_topic(one) for one in given if _is_kafkas(one))
    if not found:
        raise NoOffsetsError(f"{directory.path(name)}: the query does not read Kafka")
    return found


def _of_batches(directory: Directory) -> Offsets:
    names = directory.names("structured/batches")
    done = max((int(name.removesuffix(".done")) for name in names if name.endswith(".done")), default=-1)
    failed = [int(name.removesuffix(".failed")) for name in names if name.endswith(".failed")]
    # A batch that failed is not done, nor is then what came after it.
    first_failed = min((time for time in failed if time <= done), default=done + 1)
    found: Offsets = {}
    for name in sorted((name for name in names if name.isdigit() and int(name) <= done), key=int):
        for given in json.loads(directory.read(f"structured/batches/{name}")).values():
            for time, slice_ in given.items():
                for span in _spans(slice_):
                    if int(time) < first_failed:
                        found[span.place] = max(span.until, found.get(span.place, 0))
                    elif int(time) == first_failed:
                        found.setdefault(span.place, span.first)
    if not found:
        raise NoOffsetsError(f"{directory.path('structured/batches')}: no batch that read Kafka was done")
    return found


def _spans(given: Any) -> Iterator[Any]:
    """The spans in a slice, if it is one of Kafka's."""
    if isinstance(given, list) and all(isinstance(one, list) and len(one) == 4 for one in given):
        yield from spans(given)


def _is_kafkas(given: Any) -> bool:
    """Whether these are offsets of a Kafka source: other sources have numbers where it has partitions."""
    return isinstance(given, dict) and all(isinstance(value, dict) for value in given.values())


def _options(given: Any) -> Offsets:
    try:
        return {place: _offset(offset) for place, offset in by_topic(given).items()}
    except (AttributeError, TypeError, ValueError) as error:
        raise _not_understood(given) from error


def _lines(text: str) -> Iterator[tuple[Place, int]]:
    lines = [line for line in text.splitlines() if line.strip()]
    if not lines:
        raise NoOffsetsError("the file is empty")
    header = [name.strip() for name in lines[0].split(",")]
    if lines[0].lstrip().startswith("{"):
        yield from map(_json_record, lines)
    elif set(_COLUMNS) <= set(header):
        yield from map(_record, csv.DictReader(lines[1:], fieldnames=header))
    else:
        yield from map(_fields, lines)


def _json_record(line: str) -> tuple[Place, int]:
    try:
        return _record(json.loads(line))
    except json.JSONDecodeError as error:
        raise _not_understood(line) from error


def _fields(line: str) -> tuple[Place, int]:
    fields = line.replace(",", " ").split()
    if len(fields) not in (3, 4):
        raise _not_understood(line)
    return _record({"topic": fields[0], "partition": fields[1], "offset": fields[-1]})


def _record(given: Any) -> tuple[Place, int]:
    try:
        offset = next(given[name] for name in _OFFSET if name in given)
        return Place(str(given["topic"]), int(given["partition"])), _offset(offset)
    except (StopIteration, KeyError, TypeError, ValueError) as error:
        raise _not_understood(given) from error


def _offset(given: Any) -> int:
    offset = int(given)
    if offset < 0 or isinstance(given, float):
        raise ValueError(given)
    return offset


def _not_understood(given: Any) -> NoOffsetsError:
    text = given if isinstance(given, str) else json.dumps(cast(Any, given), default=str)
    return NoOffsetsError(
        f"no topic, partition and offset: {text[:200]}. Offsets are understood as JSON of startingOffsets, as"
        " JSON or CSV with topic, partition and untilOffset, or as lines of these three"
    )
