"""A checkpoint on a disk that is full for a while: the batches since then are run again, and none is lost."""

from __future__ import annotations

import contextlib
import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pyspark import SparkContext

from compat import StreamingError
from compat.streaming import StreamingContext
from tests.compat.survivor import put
from tests.statements import wait_until

pytestmark = pytest.mark.usefixtures("stop_what_runs")


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 8 MB."""
    place = tmp_path / "disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", str(place)]
    done = subprocess.run(mount, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"only root may mount a small file system: {done.stderr}")
    yield place
    subprocess.run(["umount", "--lazy", str(place)], check=True)


def fill(disk: Path) -> Path:
    """A file that leaves no room."""
    filler = disk / "filler"
    with filler.open("wb", buffering=0) as file, contextlib.suppress(OSError):
        while True:
            file.write(bytes(4096))
    return filler


def noting(place: str) -> Callable[..., None]:
    def note(when: Any, rdd: Any) -> None:
        with open(f"{place}/out", "a") as out:  # noqa: PTH123 - pickled into the checkpoint
            out.write(f"{round(when.timestamp())} {sorted(rdd.collect())}\n")

    return note


def test_what_was_not_written_down_is_run_again(
    spark_context: SparkContext, engine: str, disk: Path, tmp_path: Path
) -> None:
    """On `structured` the run ends with the error. DStreams go on, without their checkpoint."""
    inputs, out, checkpoint = tmp_path / "in", tmp_path / "out", str(disk / "checkpoint")
    inputs.mkdir()
    out.touch()

    def create() -> StreamingContext:
        ssc = StreamingContext(spark_context, 1, engine=engine)
        words = ssc.textFileStream(str(inputs)).map(lambda word: (word, 1))
        totals = words.updateStateByKey(lambda new, last: sum(new) + (last or 0), 1)
        totals.foreachRDD(noting(str(tmp_path)))
        return ssc

    def started() -> StreamingContext:
        ssc = StreamingContext.getOrCreate(checkpoint, create, engine=engine)
        ssc.start()
        return ssc

    def batch(second: int) -> None:
        put(inputs, second, f"w{second}")
        ssc._engine.advance_clock(1000)

    def notes() -> list[str]:
        return out.read_text().splitlines()

    def seen(second: int) -> bool:
        return any(note.startswith(f"{second} ") for note in notes())

    def wait(second: int) -> None:
        wait_until(lambda: seen(second), f"batch {second}", 120)

    ssc = started()
    for second in (1, 2):
        batch(second)
        wait(second)
    if engine == "rdd":  # it is written by a thread of its own
        wait_until(lambda: (disk / "checkpoint/rdd/checkpoint-2000").exists(), "a checkpoint")
    filler = fill(disk)
    batch(3)
    if engine == "structured":
        with pytest.raises(StreamingError, match="No space left on device") as failure:
            ssc.awaitTermination(60)
        assert f"{disk}/checkpoint/structured/batches" in str(failure.value)
        assert not seen(3)
    else:
        wait(3)
    ssc.stop(stopSparkContext=False)
    filler.unlink()
    ssc = started()
    put(inputs, 4, "w4")
    for _ in range(3):  # its clock is where the last checkpoint was, which may be that of the first batch
        ssc._engine.advance_clock(1000)
    wait(4)
    wanted = [(f"w{second}", 1) for second in range(1, 5)]
    assert f"4 {wanted}" in notes()


def test_a_small_disk_is_full_in_the_end(disk: Path) -> None:
    """So that the test above shows something."""
    filler = fill(disk)
    with pytest.raises(OSError, match="No space left"):
        (disk / "more").write_bytes(b"x" * 5000)
    assert 7_000_000 < filler.stat().st_size <= 8_388_608
    assert os.statvfs(disk).f_bavail == 0
