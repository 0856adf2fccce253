"""Tables under a checkpoint: whole on the disk, or not there."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from pyspark import SparkContext
from pyspark.sql import SparkSession

from compat._structured.durable import tables
from compat.directory import directory


def test_a_table_is_whole_when_all_of_it_is_on_the_disk(
    spark_context: SparkContext, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = directory(str(tmp_path / "state"))
    data = SparkSession.builder.getOrCreate().range(7)
    synced, fsync = set(), os.fsync

    def watched(descriptor: int) -> None:
        path = Path(f"/proc/self/fd/{descriptor}").readlink()
        if path.suffix == ".parquet":
            assert not tables.whole(place, "1000")
        synced.add(path)
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", watched)
    tables.write(data, place, "1000")
    assert tables.whole(place, "1000")
    written = tmp_path / "state" / "1000"
    assert synced >= {*written.glob("*.parquet"), written, written.parent, tmp_path}
    assert SparkSession.builder.getOrCreate().read.parquet(place.path("1000")).count() == 7


def test_a_table_that_is_written_again_is_not_whole_meanwhile(
    spark_context: SparkContext, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = directory(str(tmp_path))
    data = SparkSession.builder.getOrCreate().range(7)
    tables.write(data, place, "1000")

    def full(descriptor: int) -> None:
        raise OSError("No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        tables.write(data, place, "1000")
    assert not tables.whole(place, "1000")
    monkeypatch.undo()
    tables.write(data, place, "1000")
    tables.delete(place, "1000")
    assert not tables.whole(place, "1000")
    assert place.names() == []


def lose(file: Path) -> None:
    file.unlink()


def cut(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-9])


def add(file: Path) -> None:
    file.with_name("part-99999.parquet").write_bytes(b"of somebody else")


def scribble(file: Path) -> None:
    (file.parent / "_SUCCESS").write_text("{")


@pytest.mark.parametrize(
    ("damage", "named"), [(lose, "part-0"), (cut, "part-0"), (add, "part-99999"), (scribble, "_SUCCESS")]
)
def test_a_table_with_other_files_is_refused(
    spark_context: SparkContext, tmp_path: Path, damage: Callable[[Path], None], named: str
) -> None:
    """Without a word Spark would read what is left, and state would be lost."""
    place = directory(str(tmp_path))
    tables.write(SparkSession.builder.getOrCreate().range(7), place, "1000")
    assert tables.whole(place, "1000")
    damage(sorted((tmp_path / "1000").glob("*.parquet"))[0])
    with pytest.raises(RuntimeError, match=rf"1000/{named}\S* is not what a streaming program wrote there"):
        tables.whole(place, "1000")
