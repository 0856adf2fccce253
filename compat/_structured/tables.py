"""Rows that are written out as Parquet under a checkpoint: whole, or not there.

Spark's committer says too early that a table is whole: it does not wait until local files are on the disk. So
the engine itself writes that, after it has."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
    place.write(f"{name}/{_WHOLE}", b"")


def whole(place: Directory, name: str) -> bool:
    """Whether a table was written to its end."""
    return place.has(f"{name}/{_WHOLE}")


def delete(place: Directory, name: str) -> None:
    """Remove a table; half way it no longer seems to be whole."""
    place.delete(f"{name}/{_WHOLE}")
    place.delete(name)
