"""Queues, text files and sockets."""

from __future__ import annotations

import os
import socket
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from pyspark import RDD, SparkContext
from pyspark.sql import Row, SparkSession

from compat import StreamingError
from compat._structured.inputs.listing import Listing, Status
from compat._structured.life.session import Session
from compat.streaming import StreamingContext
from compat.testing import BatchClock
from tests.statements import wait_until


@pytest.fixture
def ssc(spark_context: SparkContext, engine: str):
    context = StreamingContext(spark_context, 1, engine=engine)
    yield context
    context.stop(stopSparkContext=False)


def partitions_of(ssc: StreamingContext, *streams) -> tuple[BatchClock, list[list[list[list[Any]]]]]:
    """Start; each stream's batches fill a list as the clock moves on."""
    outputs: list[list[list[list[object]]]] = [[] for _ in streams]
    for stream, output in zip(streams, outputs, strict=True):
        collect(stream, output)
    clock = BatchClock(ssc)
    ssc.start()
    return clock, outputs


def flat(batch: list[list[Any]]) -> list[Any]:
    return [element for partition in batch for element in partition]


def collect(stream, output: list[list[list[object]]]) -> None:
    stream.foreachRDD(lambda rdd: output.append(rdd.glom().collect()))


def test_queues(ssc: StreamingContext) -> None:
    sc = ssc.sparkContext
    rdds = [sc.parallelize([1, 2], 2), sc.parallelize([3], 1)]
    grows = [[1]]
    streams = [
        ssc.queueStream(rdds),
        ssc.queueStream(rdds, oneAtATime=False),
        ssc.queueStream(rdds, False, sc.parallelize([9], 1)),
        ssc.queueStream([[1]], default=[7, 8]).map(lambda x: x),
        ssc.queueStream([], default=sc.parallelize([5], 1)),
        ssc.queueStream(grows).map(lambda x: x),
    ]
    grows.append([2])
    clock, (plain, together, default, lists, only_default, grown) = partitions_of(ssc, *streams)
    for _ in range(3):
        clock.next_batch()
    assert plain == [[[1], [2]], [[3]], [[]]]
    assert together == [[[1], [2], [3]], [[]], [[]]]
    assert default == [[[1], [2], [3]], [[9]], [[9]]]
    assert list(map(flat, lists)) == [[1], [7, 8], [7, 8]]
    assert list(map(flat, only_default)) == [[], [5], [5]]
    assert list(map(flat, grown)) == [[1], [], []]


def test_a_queue_needs_an_rdd_or_a_default(ssc: StreamingContext) -> None:
    with pytest.raises(IndexError):
        ssc.queueStream([])
    with pytest.raises(IndexError):
        ssc.queueStream([], default=[])


def put(directory: Path, name: str, text: str, second: float) -> None:
    """A whole file at once, changed at that second of the manual clock."""
    partial = directory / f".{name}.partial"
    partial.write_text(text, "utf-8")
    os.utime(partial, (second, second))
    partial.rename(directory / name)


def test_text_files(ssc: StreamingContext, directory: Path) -> None:
    put(directory, "before", "too old\n", 0)
    stream = ssc.textFileStream(str(directory))
    clock, (lines, counts, summed) = partitions_of(
        ssc, stream, stream.count(), stream.map(lambda line: ("all", line)).reduceByKey(max, 1)
    )
    put(directory, "a", "é 雪\n\nlast without newline", 1)
    put(directory, "b", "second file\r\n", 0.5)
    put(directory, "empty", "", 0.7)
    put(directory, ".hidden", "no\n", 1)
    clock.next_batch()
    assert sorted(lines[0]) == [["second file"], ["é 雪", "", "last without newline"]]
    clock.next_batch()
    put(directory, "a", "replaced\n", 2.5)
    put(directory, "late", "for the third\n", 2.9)
    clock.next_batch()
    assert lines[1:] == [[], [["for the third"]]]
    assert counts == [[[4]], [[]], [[1]]]
    assert summed[1] == [[]]


NO_UTF8 = [
    b"latin \xe9t\xe9",
    b"half a pair \xed\xa0\x80\xed\xb0\x80 and less \xed\xa0",
    b"cut \xe2\x82",
    b"too long \xc0\x80 \xf8\x88\x80\x80\x80 \xf4\x90\x80\x80 \xe0\x80\xaf",
    "valid é 雪 😀".encode(),
    b"\xff\xfe",
]


def test_bytes_that_are_no_utf8(ssc: StreamingContext, directory: Path) -> None:
    stream = ssc.textFileStream(str(directory))
    clock, outputs = partitions_of(
        ssc, stream, stream.map(lambda line: line), stream.transform(lambda rdd: rdd), stream.window(2)
    )
    partial = directory / ".partial"
    partial.write_bytes(b"\n".join(NO_UTF8))
    os.utime(partial, (1, 1))
    partial.rename(directory / "a")
    clock.next_batch()
    jvm: Any = ssc.sparkContext._jvm
    java = [jvm.org.apache.hadoop.io.Text(line).toString() for line in NO_UTF8]
    assert java[0] == "latin \ufffdt\ufffd"
    assert outputs == [[[java]]] * 4


@pytest.mark.parametrize("delimiter", ["--\n--", "|"])
def test_lines_end_as_hadoop_was_told(ssc: StreamingContext, directory: Path, delimiter: str) -> None:
    java: Any = ssc.sparkContext._jsc
    conf = java.hadoopConfiguration()
    stream = ssc.textFileStream(str(directory))
    clock, [lines] = partitions_of(ssc, stream)
    text = f"one{delimiter}two\nand more\r\n{delimiter}{delimiter}four"
    conf.set("textinputformat.record.delimiter", delimiter)
    try:
        put(directory, "a", text, 1)
        clock.next_batch()
        put(directory, "b", text + delimiter, 2)
        clock.next_batch()
    finally:
        conf.unset("textinputformat.record.delimiter")
    put(directory, "c", text, 3)
    clock.next_batch()
    assert lines[:2] == [[["one", "two\nand more\r\n", "", "four"]]] * 2
    assert lines[2] == [text.replace("\r\n", "\n").split("\n")]


def test_what_callbacks_may_do_with_text(ssc: StreamingContext, directory: Path) -> None:
    """More lines than go to a Python worker at once, in two files."""
    spark = SparkSession.builder.getOrCreate()
    stream = ssc.textFileStream(str(directory))
    same, twice = stream.transform(lambda rdd: rdd), stream.transform(lambda rdd: rdd.union(rdd))
    seen: list[Any] = []

    def look(rdd: RDD[str]) -> None:
        seen.append(
            [
                sorted(rdd.glom().map(len).collect()),
                (rdd.count(), rdd.isEmpty(), rdd.first(), rdd.take(2)),
                rdd.zip(rdd.map(len)).filter(lambda pair: len(pair[0]) != pair[1]).collect(),
                rdd.zip(rdd).map(lambda pair: pair[0] == pair[1]).distinct().collect(),
                rdd.zipWithIndex().filter(lambda pair: pair[1] > 24_999).map(lambda pair: pair[0]).collect(),
                rdd.filter(lambda line: line < "1").cartesian(rdd).count(),
                (rdd.union(rdd).count(), rdd.union(rdd.map(str)).count()),
                rdd.coalesce(1).glom().map(len).collect(),
                rdd.repartition(2).count(),
                spark.createDataFrame(rdd, "string").where("value LIKE '24_99'").collect(),
                spark.read.json(rdd).count(),
                [line for line in rdd.toLocalIterator() if not line.isdecimal()],
                rdd.persist().map(len).sum(),
            ]
        )

    stream.foreachRDD(look)
    clock, (lines, copied, lengths, counts) = partitions_of(
        ssc, same, same.map(lambda line: line), twice.map(len).countByValue(), twice.window(2).count()
    )
    put(directory, "a", "".join(f"{number}\n" for number in range(25_000)), 1)
    clock.next_batch()
    put(directory, "b", "{}\n\n{}\n", 2)
    clock.next_batch()
    assert seen[0] == [
        [25_000],
        (25_000, False, "0", ["0", "1"]),
        [],
        [True],
        [],
        25_000,
        (50_000, 50_000),
        [25_000],
        25_000,
        [Row(value=f"24{digit}99") for digit in range(10)],
        25_000,
        [],
        sum(len(str(number)) for number in range(25_000)),
    ]
    assert seen[1][:4] == [[3], (3, False, "{}", ["{}", ""]), [], [True]]
    assert seen[1][-3:] == [2, ["{}", "", "{}"], 4]
    assert lines == copied == [[[str(number) for number in range(25_000)]], [["{}", "", "{}"]]]
    assert sorted(flat(lengths[0])) == [(1, 20), (2, 180), (3, 1800), (4, 18_000), (5, 30_000)]
    assert counts == [[[50_000]], [[50_006]]]


def test_structured_ignores_names_with_an_underscore(spark_context: SparkContext, directory: Path) -> None:
    """DStreams see them, and fail because Hadoop does not."""
    ssc = StreamingContext(spark_context, 1, engine="structured")
    clock, (lines,) = partitions_of(ssc, ssc.textFileStream(str(directory)))
    put(directory, "_temporary", "no\n", 1)
    put(directory, "a", "yes\n", 1)
    clock.next_batch()
    ssc.stop(False)
    assert lines == [[["yes"]]]


def test_lines_added_to_a_file_are_not_read(ssc: StreamingContext, directory: Path) -> None:
    clock, (lines,) = partitions_of(ssc, ssc.textFileStream(str(directory)))
    put(directory, "a", "first\n", 1)
    clock.next_batch()
    with (directory / "a").open("a") as file:
        file.write("second\n")
    os.utime(directory / "a", (2, 2))
    clock.next_batch()
    assert lines == [[["first"]], []]


def test_text_files_that_are_there_before_their_time(ssc: StreamingContext, directory: Path) -> None:
    put(directory, "later", "tomorrow\n", 3)
    clock, (lines,) = partitions_of(ssc, ssc.textFileStream(str(directory)))
    for _ in range(4):
        clock.next_batch()
    assert lines == [[], [], [["tomorrow"]], []]


def test_each_file_of_a_batch_is_a_partition(ssc: StreamingContext, directory: Path) -> None:
    """In the order in which Hadoop lists them: small files, which are read together, and one that is not."""
    stream = ssc.textFileStream(str(directory))
    clock, (lines, windows, firsts) = partitions_of(
        ssc, stream, stream.window(2), stream.mapPartitions(lambda lines: [next(iter(lines))])
    )
    files = {f"{number}": [f"first of {number}", "é"] for number in range(6)}
    files["large"] = [f"{number} {'x' * 100}" for number in range(12_000)]
    for name, content in files.items():
        put(directory, name, "\n".join(content), 1)
    put(directory, "empty", "", 1)
    clock.next_batch()
    java: Any = ssc.sparkContext._jvm
    path = java.org.apache.hadoop.fs.Path(str(directory))
    listed = path.getFileSystem(java.org.apache.hadoop.conf.Configuration()).listStatus(path)
    expected = [files[name] for name in (status.getPath().getName() for status in listed) if name in files]
    assert lines == windows == [expected]
    assert firsts == [[content[:1] for content in expected]]


ODD_NAMES = ["a b", "c,d", "{e", "f}", "{g,g}", "[h]*?", "i\\i", 'j"k', "l\nm", "n%41", "é雪"]


@pytest.mark.parametrize("local", [True, False])
def test_names_of_files_on_structured(
    spark_context: SparkContext, directory: Path, monkeypatch: pytest.MonkeyPatch, local: bool
) -> None:
    """DStreams take a comma or a bracket for Hadoop's grammar."""
    made = Listing.__init__

    def listing(self: Listing, path: str, session: Session) -> None:
        made(self, path, session)
        self._local = local

    monkeypatch.setattr(Listing, "__init__", listing)
    ssc = StreamingContext(spark_context, 1, engine="structured")
    names = [name for name in ODD_NAMES if local or "\\" not in name]  # Hadoop makes a slash of it
    try:
        clock, (lines, binary) = partitions_of(
            ssc, ssc.textFileStream(str(directory)), ssc.binaryRecordsStream(str(directory), 1)
        )
        for name in names:
            put(directory, name, "x", 1)
        clock.next_batch()
    finally:
        ssc.stop(False)
    assert lines == [[["x"]] * len(names)]
    assert binary == [[[b"x"]] * len(names)]


def test_text_files_in_a_new_subdirectory(ssc: StreamingContext, directory: Path) -> None:
    clock, (lines,) = partitions_of(ssc, ssc.textFileStream(str(directory)))
    clock.next_batch()
    sub = directory / "sub"
    sub.mkdir()
    put(sub, "a", "in a directory\n", 2)
    os.utime(sub, (2, 2))
    clock.next_batch()
    clock.next_batch()
    assert lines == [[], [["in a directory"]], []]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such names")
def test_names_that_are_no_utf8(ssc: StreamingContext, directory: Path) -> None:
    clock, (lines,) = partitions_of(ssc, ssc.textFileStream(str(directory)))
    put(directory, os.fsdecode(b"no \xff utf-8"), "nobody can name this\n", 1)
    clock.next_batch()
    put(directory, "a", "beside it\n", 2)
    clock.next_batch()
    assert lines == [[], [["beside it"]]]
    assert ssc.awaitTerminationOrTimeout(0.001) is False


@pytest.mark.skipif(os.name == "nt", reason="Windows asks for a right to make links")
def test_links_among_the_files(ssc: StreamingContext, directory: Path, tmp_path: Path) -> None:
    clock, (lines,) = partitions_of(ssc, ssc.textFileStream(str(directory)))
    put(tmp_path, "elsewhere", "by a link\n", 1)
    (directory / "link").symlink_to(tmp_path / "elsewhere")
    (directory / "to nothing").symlink_to(tmp_path / "removed")
    clock.next_batch()
    put(directory, "a", "beside a link to nothing\n", 2)
    clock.next_batch()
    assert lines == [[["by a link"]], [["beside a link to nothing"]]]


def test_a_subdirectory_that_is_gone_when_it_is_listed_fails_its_batch_on_structured(
    spark_context: SparkContext, directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And not the run, as on DStreams, where nobody can have it removed at the right moment."""
    listed = Listing.within

    def within(self: Listing, path: str) -> list[Status]:
        if path.endswith("/sub"):
            (directory / "sub").rmdir()
        return listed(self, path)

    monkeypatch.setattr(Listing, "within", within)
    ssc = StreamingContext(spark_context, 1, engine="structured")
    try:
        clock, (lines,) = partitions_of(ssc, ssc.textFileStream(str(directory)))
        (directory / "sub").mkdir()
        os.utime(directory / "sub", (1, 1))
        clock.next_batch()
        put(directory, "a", "goes on\n", 2)
        clock.next_batch()
        with pytest.raises(StreamingError, match="Input path does not exist"):
            ssc.awaitTerminationOrTimeout(10)
    finally:
        ssc.stop(False)
    assert lines == [[["goes on"]]]


def write(directory: Path, name: str, content: bytes, second: float) -> None:
    """Like `put`, for bytes."""
    partial = directory / f".{name}.partial"
    partial.write_bytes(content)
    os.utime(partial, (second, second))
    partial.rename(directory / name)


def test_binary_records(ssc: StreamingContext, directory: Path) -> None:
    write(directory, "before", b"too old.", 0)
    stream = ssc.binaryRecordsStream(str(directory), 4)
    clock, (records, numbers, counts) = partitions_of(
        ssc, stream, stream.map(lambda record: int.from_bytes(record, "big")), stream.count()
    )
    write(directory, "a", b"\x00\x00\x00\x01\xff\x00\n\r", 1)
    write(directory, "b", b"abcd", 1)
    write(directory, "empty", b"", 1)
    clock.next_batch()
    clock.next_batch()
    assert sorted(records[0]) == [[b"\x00\x00\x00\x01", b"\xff\x00\n\r"], [b"abcd"]]
    assert all(type(record) is bytes for record in flat(records[0]))
    assert sorted(flat(numbers[0])) == sorted(int.from_bytes(record, "big") for record in flat(records[0]))
    assert records[1:] == [[]]
    assert counts == [[[3]], [[]]]


def test_two_lengths_of_binary_records(spark_context: SparkContext, directory: Path) -> None:
    """DStreams take the last length for both: the setting is one of the SparkContext."""
    ssc = StreamingContext(spark_context, 1, engine="structured")
    streams = [ssc.binaryRecordsStream(str(directory), length) for length in (2, 4)]
    clock, (short, long) = partitions_of(ssc, *streams)
    write(directory, "a", b"abcd", 1)
    clock.next_batch()
    assert (short, long) == ([[[b"ab", b"cd"]]], [[[b"abcd"]]])
    ssc.stop(False)


def test_a_file_that_ends_within_a_record_fails_its_batch(ssc: StreamingContext, directory: Path) -> None:
    clock, (records,) = partitions_of(ssc, ssc.binaryRecordsStream(str(directory), 4))
    write(directory, "a", b"abcde", 1)
    clock.next_batch()
    write(directory, "b", b"abcd", 2)
    clock.next_batch()
    assert records == [[[b"abcd"]]]
    with pytest.raises(StreamingError, match="EOF"):
        ssc.awaitTerminationOrTimeout(10)


def test_a_missing_directory_has_no_files_yet(ssc: StreamingContext, directory: Path) -> None:
    late = directory / "late"
    text, binary = ssc.textFileStream(str(late)), ssc.binaryRecordsStream(str(late), 2)
    clock, (lines, records) = partitions_of(ssc, text, binary)
    clock.next_batch()
    late.mkdir()
    put(late, "a", "a\n", 2)
    clock.next_batch()
    assert lines == [[], [["a"]]]
    assert records == [[], [[b"a\n"]]]
    assert ssc.awaitTerminationOrTimeout(0.001) is False


def test_structured_warns_of_a_missing_directory(
    spark_context: SparkContext, directory: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """As Spark does on the other engine, in the log of the JVM."""
    ssc = StreamingContext(spark_context, 1, engine="structured")
    clock, (lines,) = partitions_of(ssc, ssc.textFileStream(f"{directory}/missing"))
    clock.next_batch()
    ssc.stop(False)
    assert lines == [[]]
    [record] = [record for record in caplog.records if record.levelname == "WARNING"]
    assert f"{directory}/missing" in record.getMessage()


class Server:
    """Sends what it is told to whoever connects, and counts the connections."""

    def __init__(self) -> None:
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = self._listening.getsockname()[1]
        self.connections: list[socket.socket] = []
        self._accepting = threading.Thread(target=self._accept, daemon=True)
        self._accepting.start()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listening.accept()
            except OSError:
                return
            self.connections.append(connection)

    def close(self) -> None:
        self._listening.shutdown(socket.SHUT_RDWR)  # while somebody accepts, a close alone changes nothing
        self._accepting.join()
        self._listening.close()
        for connection in self.connections:
            connection.close()


@pytest.fixture
def server():
    running = Server()
    yield running
    running.close()


def test_a_socket_connects_again_when_the_connection_ends(ssc: StreamingContext, server: Server) -> None:
    clock, (batches,) = partitions_of(ssc, ssc.socketTextStream("127.0.0.1", server.port))

    def lines() -> list[str]:
        return [line for batch in batches for line in flat(batch)]

    def play_until(expected: list[str]) -> None:
        def arrived() -> bool:
            clock.next_batch()
            return len(lines()) >= len(expected)

        wait_until(arrived, f"lines {expected}")
        assert lines() == expected

    clock.next_batch()
    assert batches == [[]], "without lines there is no block, and thus no partition"
    wait_until(lambda: len(server.connections) == 1, "a connection")
    server.connections[0].sendall("a é\n\n雪\n".encode())
    play_until(["a é", "", "雪"])
    server.connections[0].close()
    wait_until(lambda: len(server.connections) == 2, "a second connection")
    server.connections[1].sendall(b"again\n")
    play_until(["a é", "", "雪", "again"])
    assert all(partition for batch in batches for partition in batch), "a block is not empty"
