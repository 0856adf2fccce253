"""A file system that is away for a while: what fails is tried again, and batches are late instead of lost."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pyspark import SparkContext

from compat import StreamingError
from compat._structured.inputs.listing import Listing
from compat._structured.life.session import Session
from compat.directory import Directory, HadoopDirectory, retries
from compat.directory.retries import insist
from compat.streaming import StreamingContext
from tests.compat.survivor import build, next_batch, put, read
from tests.statements import wait_until


class Work:
    """Fails a number of times."""

    def __init__(self, *errors: Exception) -> None:
        self._errors = list(errors)

    def __call__(self) -> str:
        if self._errors:
            raise self._errors.pop(0)
        return "done"


def away(times: int) -> Work:
    return Work(*(OSError(f"away {number}\nand more") for number in range(times)))


def test_work_is_tried_three_times_in_a_row(caplog: pytest.LogCaptureFixture) -> None:
    assert insist(away(2), "look") == "done"
    assert caplog.messages == [f"Could not look, trying again: away {number}" for number in range(2)]
    with pytest.raises(OSError, match="away 2"):
        insist(away(3), "look")


def test_pauses_grow(monkeypatch: pytest.MonkeyPatch) -> None:
    pauses: list[float] = []
    assert insist(away(8), "look", pauses.append) == "done"
    assert pauses == [0.5, 1, 2, 4, 8, 10, 10, 10]
    monkeypatch.setattr(retries, "PATIENCE_SECONDS", 0.0)
    with pytest.raises(OSError, match="away 0"):
        insist(away(8), "look", pauses.append)


def test_whoever_waits_may_end_the_tries() -> None:
    def no_more(_: float) -> None:
        raise ValueError("no more")

    with pytest.raises(ValueError, match="no more"):
        insist(away(1), "look", no_more)


def test_other_errors_are_not_of_the_file_system() -> None:
    with pytest.raises(RuntimeError, match="ours"):
        insist(Work(RuntimeError("ours")), "look")


def never(_: float) -> None:
    raise AssertionError("it waits")


def on_hadoop(sc: SparkContext, root: Path, wait: Callable[[float], None] | None = None) -> HadoopDirectory:
    jvm: Any = sc._jvm
    java: Any = sc._jsc
    path = jvm.org.apache.hadoop.fs.Path(root.as_uri())
    return HadoopDirectory(jvm, path.getFileSystem(java.hadoopConfiguration()), path.toString(), wait)


@pytest.mark.parametrize("directory", ["in", "in*"])
def test_a_directory_that_cannot_be_listed_has_no_new_files(
    spark_context: SparkContext,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    directory: str,
) -> None:
    jvm: Any = spark_context._jvm
    listing = Listing(f"file:{tmp_path}/{directory}", Session(spark_context))
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a").touch()
    monkeypatch.setattr(listing, "_local", False)
    assert len(listing.entries()) == 1

    files, nowhere = listing._files, jvm.org.apache.hadoop.fs.Path("/nowhere")

    class Files:
        def __getattr__(self, _: str) -> Any:
            return lambda _: files.open(nowhere)

    monkeypatch.setattr(listing, "_files", Files())
    assert listing.entries() == []
    assert caplog.messages[0].endswith("java.io.FileNotFoundException: File /nowhere does not exist")


def test_a_file_that_is_not_there_will_not_come(spark_context: SparkContext, tmp_path: Path) -> None:
    with pytest.raises(Exception, match="FileNotFoundException"):
        on_hadoop(spark_context, tmp_path, never).read("nowhere")


class Store:
    """Hadoop's API on a directory of this machine, which can be away."""

    def __init__(self) -> None:
        self.away = False

    def answer(self) -> None:
        if self.away:
            raise OSError("the store is away")


@pytest.fixture
def store(spark_context: SparkContext, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    """Where a program finds its checkpoint."""
    made = Store()
    path = HadoopDirectory._path

    def found(place: HadoopDirectory, name: str) -> Any:
        made.answer()
        return path(place, name)

    def directory(uri: str, wait: Callable[[float], None] | None = None) -> Directory:
        return on_hadoop(spark_context, Path(uri.removeprefix("file:")), wait)

    monkeypatch.setattr(HadoopDirectory, "_path", found)
    monkeypatch.setattr("compat._structured.engine.directory", directory)
    monkeypatch.setattr(retries, "_FIRST_SECONDS", 0.01)
    yield made
    made.away = False
    active = StreamingContext.getActive()
    if active is not None:
        active.stop(stopSparkContext=False)


class Job:
    """A program whose checkpoint is in the store, after its first batch."""

    def __init__(self, sc: SparkContext, base: Path) -> None:
        self._sc, self.inputs, self.outputs = sc, base / "in", base / "out"
        self.checkpoint = base / "checkpoint"
        self.inputs.mkdir()
        self.outputs.mkdir()
        self.ssc = self.start()
        self.batch(1, "a b")

    def start(self) -> StreamingContext:
        ssc = StreamingContext.getOrCreate(
            str(self.checkpoint), lambda: build(self._sc, "structured", self.inputs, self.outputs)
        )
        ssc.start()
        return ssc

    def batch(self, second: int, words: str) -> None:
        put(self.inputs, second, words)
        next_batch(self.ssc, second)

    def begin(self, second: int, words: str) -> None:
        put(self.inputs, second, words)
        self.ssc._engine.advance_clock(1000)

    def totals(self, second: int) -> Any:
        return read(self.outputs)["totals", second]


def wait_for_tries(caplog: pytest.LogCaptureFixture, number: int) -> None:
    wait_until(lambda: caplog.text.count("trying again: the store is away") >= number, "tries")


def begun_while_away(
    context: SparkContext, store: Store, base: Path, caplog: pytest.LogCaptureFixture
) -> Job:
    """A job whose second batch has tried to write five times."""
    job = Job(context, base)
    store.away = True
    job.begin(2, "a")
    wait_for_tries(caplog, 5)
    return job


def test_a_batch_waits_until_the_store_is_there(
    spark_context: SparkContext, store: Store, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    job = begun_while_away(spark_context, store, tmp_path, caplog)
    store.away = False
    job.ssc._engine._running.finish(2000)  # type: ignore[attr-defined]
    job.batch(3, "b")
    assert job.totals(2) == [["a", 2], ["b", 1]]
    assert job.totals(3) == [["a", 2], ["b", 2]]


def test_a_stop_does_not_wait_for_the_store(
    spark_context: SparkContext, store: Store, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The next run has the batch."""
    job = begun_while_away(spark_context, store, tmp_path, caplog)
    begun = time.monotonic()
    job.ssc.stop(stopSparkContext=False)
    assert time.monotonic() - begun < retries.PATIENCE_SECONDS / 2
    store.away = False
    assert ("totals", 2) not in read(job.outputs)
    job.ssc = job.start()
    next_batch(job.ssc, 2)
    job.batch(3, "b")
    assert job.totals(3) == [["a", 2], ["b", 2]]


def test_who_was_replaced_meanwhile_writes_nothing_more(
    spark_context: SparkContext, store: Store, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    job = begun_while_away(spark_context, store, tmp_path, caplog)
    owner = job.checkpoint / "structured/owner"
    owner.with_name(".owner.crc").unlink()
    owner.write_text(json.dumps(json.loads(owner.read_text()) | {"run": "another", "host": "far", "pid": 7}))
    store.away = False
    with pytest.raises(StreamingError, match="process 7 on far"):
        job.ssc.awaitTermination(60)
    assert ("totals", 2) not in read(job.outputs)
    assert not (job.checkpoint / "structured/batches/2000").exists()


def test_a_store_that_stays_away_ends_the_run(
    spark_context: SparkContext, store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retries, "PATIENCE_SECONDS", 0.1)
    job = Job(spark_context, tmp_path)
    store.away = True
    job.begin(2, "a")
    with pytest.raises(StreamingError, match="the store is away"):
        job.ssc.awaitTermination(60)
