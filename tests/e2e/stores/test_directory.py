"""Files of a checkpoint on HDFS and on S3: whole or not there, and never missing for a moment."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from py4j.protocol import Py4JJavaError
from pyspark import SparkContext

from compat._structured.durable.log import BatchLog
from compat._structured.durable.ownership import Ownership, TakenOverError
from compat.directory import HadoopDirectory, directory

pytestmark = [pytest.mark.full, pytest.mark.timeout(600)]


@pytest.fixture
def place(spark_context: SparkContext, store: str) -> HadoopDirectory:
    found = directory(f"{store}/a b")
    assert isinstance(found, HadoopDirectory)
    return found


def test_a_directory_keeps_whole_files(place: HadoopDirectory) -> None:
    assert place.names() == []
    assert not place.has("x/1")
    place.write("x/1", b"old")
    place.write("x/1", bytes(range(256)) * 1000)
    place.write("x/2", b"")
    assert place.read("x/1") == bytes(range(256)) * 1000
    assert place.read("x/2") == b""
    assert sorted(place.names("x")) == ["1", "2"]
    place.delete("x/1")
    place.delete("x/1")
    assert place.names("x") == ["2"]
    place.delete("x")
    assert not place.has("x/2")


def test_a_file_is_never_missing_nor_half_there(place: HadoopDirectory) -> None:
    versions = [bytes([number]) * 50_000 for number in range(30)]
    place.write("file", versions[0])
    seen: list[bytes] = []
    refused: list[str] = []
    done = threading.Event()

    def look() -> None:
        while not done.is_set():
            try:
                seen.append(place.read("file"))
            except Py4JJavaError as error:  # noqa: PERF203
                refused.append(str(error))

    looking = threading.Thread(target=look)
    looking.start()
    try:
        for version in versions[1:]:
            place.write("file", version)
    finally:
        done.set()
        looking.join()
    assert seen
    assert all(content in versions for content in seen)
    if place.path("").startswith("hdfs:"):
        assert not refused
    else:  # S3 does not read on in an object that was replaced after it was found
        assert all("Status Code: 412" in text for text in refused), refused
    assert place.read("file") == versions[-1]
    assert place.names() == ["file"]


def test_what_fails_half_way_leaves_the_file_before(
    place: HadoopDirectory, monkeypatch: pytest.MonkeyPatch
) -> None:
    place.write("file", b"before")

    class Broken(bytes):
        """Cannot be sent to the JVM."""

    def fail(_: Any) -> Any:
        raise OSError("the machine is on fire")

    monkeypatch.setattr("compat.directory.hadoop.bytearray", fail, raising=False)
    with pytest.raises(OSError, match="on fire"):
        place.write("file", b"after")
    monkeypatch.undo()
    assert place.read("file") == b"before"
    assert place.names() == ["file"]
    place.write("file", b"after")
    assert place.read("file") == b"after"


def test_a_log_is_read_back(place: HadoopDirectory) -> None:
    log = BatchLog(place)
    log.begin(1000, {0: {1000: ["a"]}})
    log.fail(1000, "because")
    log.end(1000)
    log.begin(2000, {0: {2000: ["b"]}})
    again = BatchLog(place)
    assert again.restore() == {0: {1000: ["a"], 2000: ["b"]}}
    assert (again.done, again.failed) == (1000, {1000})


def test_a_directory_is_set_aside(place: HadoopDirectory) -> None:
    for content in (b"first", b"second"):
        place.write("deep/file", content)
        before = place.set_aside()
        assert not place.has("deep/file")
        assert directory(before).read("deep/file") == content


def test_the_driver_that_starts_last_has_the_checkpoint(
    place: HadoopDirectory, spark_context: SparkContext
) -> None:
    first, second = Ownership(place, spark_context), Ownership(place, spark_context)
    first.take()
    first.check()
    second.take()
    second.check()
    with pytest.raises(TakenOverError, match="another driver has taken over"):
        first.check()
