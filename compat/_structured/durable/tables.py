"""Rows that are written out as Parquet under a checkpoint: whole, or not there.

Spark's committer says too early that a table is whole: it does not wait until local files are on the disk. So
the engine itself writes that, after it has, with the names and sizes of the files: Spark would read a table
without complaint of which a file is missing."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from compat.directory import not_ours

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from compat.directory import Directory

_WHOLE = "_SUCCESS"
"""A file beside the data; Parquet's readers pass it over."""


def write(data: DataFrame, place: Directory, name: str) -> None:
    """Write a table, over what a run that ended half way has left there."""
    place.delete(f"{name}/{_WHOLE}")
    marked_by_spark = "mapreduce.fileoutputcommitter.marksuccessfuljobs"
    data.write.mode("overwrite").option(marked_by_spark, "false").parquet(place.path(name))
    place.sync(name)
    place.write(f"{name}/{_WHOLE}", json.dumps(place.sizes(name)).encode())


def whole(place: Directory, name: str) -> bool:
    """Whether a table was written to its end.

    Raises RuntimeError where its files are not those that were written then.
    """
    mark = f"{name}/{_WHOLE}"
    if not place.has(mark):
        return False
    try:
        written = json.loads(place.read(mark))
    except ValueError as error:
        raise not_ours(place, mark) from error
    found = place.sizes(name)
    del found[_WHOLE]
    for file in sorted({*written, *found}):
        if written.get(file) != found.get(file):
            raise not_ours(place, f"{name}/{file}")
    return True


def delete(place: Directory, name: str) -> None:
    """Remove a table; half way it no longer seems to be whole."""
    place.delete(f"{name}/{_WHOLE}")
    place.delete(name)
