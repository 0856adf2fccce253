"""A batch has the same records whenever it is run, and none is lost."""

from __future__ import annotations

import os
import shutil
import uuid
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from pyspark import SparkContext

from compat import StreamingError, graph
from compat._rdd import heartbeat
from compat._structured.inputs.kinesis import Records
from compat.kinesis import fetching
from compat.streaming import DStream, StreamingContext, StreamingListener
from compat.streaming.kinesis import InitialPositionInStream, KinesisUtils
from compat.testing import BatchClock
from tests.compat.kinesis.server import AGGREGATED, FIRST, HIGH, REGION, UNPACKED, Amazon
from tests.statements import wait_until

pytestmark = [
    pytest.mark.usefixtures("stop_what_runs"),
    pytest.mark.filterwarnings("ignore:the checkpoint in .* holds awsSecretKey:RuntimeWarning"),
]
MAX_RATE = "spark.streaming.receiver.maxRate"


def stream(ssc: StreamingContext, amazon: Amazon) -> DStream[Any]:
    identity = str(uuid.uuid4())
    return ssc._add_stream(graph.KinesisStream(1000, amazon.application(0.01), identity=identity))


def works(ssc: StreamingContext) -> list[Any]:
    """What is at work for the streams."""
    if hasattr(ssc._engine, "_feeds"):
        feeds = ssc._engine._feeds.by_source.values()
        return [feed for feed in feeds if isinstance(feed, Records)]
    return list(heartbeat.running()._works.values())


def wait_for_shards(ssc: StreamingContext, count: int = 1) -> None:
    """Else the first batch may be empty."""
    wait_until(lambda: len(works(ssc)[0]._planner.worker.readable()) == count, "the shards")


class Program:
    """Notes what each batch has, and can be started again; where there is a file ``fail``, batches do."""

    def __init__(self, sc: SparkContext, engine: str, amazon: Amazon, place: Path) -> None:
        self.ssc: StreamingContext
        self.checkpoint = place / "checkpoint"
        self._sc, self._engine, self._amazon, self._place = sc, engine, amazon, place
        self._second = 0
        (place / "out").touch()

    def start(self, shards: int = 1) -> None:
        self.ssc = StreamingContext.getOrCreate(str(self.checkpoint), self._create, engine=self._engine)
        self.ssc.start()
        with suppress(IndexError):  # a recovered DStream gets to work with its first batch
            wait_for_shards(self.ssc, shards)

    def _create(self) -> StreamingContext:
        ssc = StreamingContext(self._sc, 1, engine=self._engine)
        stream(ssc, self._amazon).foreachRDD(noting(str(self._place)))
        return ssc

    def batch(self) -> list[str]:
        """Run a batch; all that was put out until then."""
        self._second += 1
        self.ssc._engine.advance_clock(1000)
        mine = f"{self._second} "
        wait_until(lambda: any(line.startswith(mine) for line in self._notes()), f"batch {mine}", 120)
        return self.out

    def until(self, elements: str) -> None:
        wait_until(lambda: self.batch()[-1].endswith(f" {elements}"), elements)

    def stop(self) -> None:
        self.ssc.stop(stopSparkContext=False)

    def _notes(self) -> list[str]:
        return (self._place / "out").read_text().splitlines()

    @property
    def out(self) -> list[str]:
        return [line for line in self._notes() if not line.endswith("fails")]


def noting(place: str) -> Any:
    def note(time: Any, rdd: Any) -> None:
        elements: Any = rdd.collect()
        fails = os.path.exists(f"{place}/fail")  # noqa: PTH110 - pickled into the checkpoint
        with open(f"{place}/out", "a") as out:  # noqa: PTH123
            out.write(f"{round(time.timestamp())} {'fails' if fails else elements}\n")
        if os.path.exists(f"{place}/copy"):  # noqa: PTH110
            os.rename(f"{place}/copy", f"{place}/copied")  # noqa: PTH104
            if os.path.exists(f"{place}/checkpoint/rdd"):  # noqa: PTH110 - DStreams write it meanwhile
                written = f"{place}/checkpoint/rdd/checkpoint-{round(time.timestamp() * 1000)}"
                wait_until(lambda: os.path.exists(written), written)  # noqa: PTH110
            shutil.copytree(f"{place}/checkpoint", f"{place}/crashed")
        if fails:
            raise RuntimeError("the sink is down")

    return note


@pytest.fixture
def start(spark_context: SparkContext, engine: str, amazon: Amazon, tmp_path: Path) -> Callable[[], Program]:
    return lambda: Program(spark_context, engine, amazon, tmp_path)


def test_a_batch_that_failed_has_the_same_records_again(
    start: Callable[[], Program], amazon: Amazon, tmp_path: Path
) -> None:
    """What came meanwhile is in the next one; the checkpoint has no data."""
    amazon.create()
    amazon.put(b"first data", AGGREGATED)
    program = start()
    program.start()
    (tmp_path / "fail").touch()
    program.batch()
    (tmp_path / "fail").unlink()
    amazon.put(b"second data")
    program.stop()
    assert not program.out
    assert amazon.rows()[FIRST]["checkpoint"] == "TRIM_HORIZON"
    written = [path.read_bytes() for path in program.checkpoint.rglob("*") if path.is_file()]
    assert not any(b"data" in content for content in written)
    program.start()
    program.until(f"{[b'second data']}")
    assert program.out[0] == f"1 {[b'first data', *UNPACKED]}"
    assert [line for line in program.out[1:] if not line.endswith(" []")] == program.out[-1:]
    program.batch()
    wait_until(lambda: amazon.rows()[FIRST]["checkpoint"] == "3", "the checkpoint")


def test_a_batch_that_a_crash_interrupts_has_the_same_records_again(
    start: Callable[[], Program], amazon: Amazon, tmp_path: Path
) -> None:
    """The checkpoint is that of a moment at which the batch has them and is not done."""
    amazon.create()
    amazon.put(b"1", b"2")
    program = start()
    program.start()
    (tmp_path / "copy").touch()
    program.until(f"{[b'1', b'2']}")
    seconds = program.out[-1].split()[0]
    program.stop()
    amazon.put(b"3")
    shutil.rmtree(program.checkpoint)
    (tmp_path / "crashed").rename(program.checkpoint)
    (tmp_path / "out").write_text("")
    program.start()
    program.until(f"{[b'3']}")
    assert program.out[0] == f"{seconds} {[b'1', b'2']}"
    assert [line for line in program.out[1:] if not line.endswith(" []")] == program.out[-1:]


def test_a_batch_whose_records_are_gone_fails_and_is_kept(
    spark_context: SparkContext, amazon: Amazon, tmp_path: Path
) -> None:
    program = Program(spark_context, "structured", amazon, tmp_path)
    amazon.create()
    amazon.put(b"1")
    program.start()
    (tmp_path / "fail").touch()
    program.batch()
    (tmp_path / "fail").unlink()
    program.stop()
    amazon.kinesis.delete_stream(StreamName=amazon.name)
    program.start(shards=0)
    program.ssc._engine.advance_clock(1000)
    with pytest.raises(StreamingError, match="were read before, cannot be read again"):
        program.ssc.awaitTermination(60)
    program.stop()
    assert (program.checkpoint / "structured/batches/1000.failed").exists()
    amazon.create()
    amazon.put(b"1")
    program.start()
    program.batch()
    assert program.out[0] == f"1 {[b'1']}"
    assert all(line.endswith(" []") for line in program.out[1:])


@pytest.fixture
def ssc(spark_context: SparkContext, engine: str) -> StreamingContext:
    return StreamingContext(spark_context, 1, engine=engine)


def test_rows_that_executors_have_lost_are_read_again(ssc: StreamingContext, amazon: Amazon) -> None:
    """By then the shard has more."""
    amazon.create()
    amazon.put(b"1", b"2", AGGREGATED)
    seen: list[list[bytes]] = []

    def output(rdd: Any) -> None:
        seen.append(rdd.collect())
        [work] = works(ssc)
        amazon.put(b"more")
        for rows in work._rows.values():
            rows.unpersist()
        seen.append(rdd.collect())

    stream(ssc, amazon).foreachRDD(output)
    clock = BatchClock(ssc)
    ssc.start()
    wait_for_shards(ssc)
    clock.next_batch()
    clock.next_batch()
    assert seen == [[b"1", b"2", *UNPACKED]] * 2 + [[b"more"]] * 2


def test_executors_keep_rows_for_as_long_as_batches_need_them(ssc: StreamingContext, amazon: Amazon) -> None:
    amazon.create()
    sums: list[list[bytes]] = []
    stream(ssc, amazon).window(3).foreachRDD(lambda rdd: sums.append(sorted(rdd.collect())))
    clock = BatchClock(ssc)
    ssc.start()
    wait_for_shards(ssc)
    kept = []
    for number in range(8):
        amazon.put(b"%d" % number)
        clock.next_batch()
        [work] = works(ssc)
        kept.append(len(work._rows))
    assert sums[-1] == [b"5", b"6", b"7"]
    assert max(kept) <= 5
    for _ in range(6):
        clock.next_batch()
    assert not work._rows


def test_a_batch_takes_no_more_than_the_rate(
    spark_context: SparkContext, engine: str, amazon: Amazon
) -> None:
    amazon.create(shards=2)
    amazon.put(*(b"%d" % number for number in range(5)))
    amazon.put(b"high", key=HIGH)
    spark_context._conf.set(MAX_RATE, "4")
    batches: list[list[bytes]] = []
    try:
        ssc = StreamingContext(spark_context, 1, engine=engine)
        stream(ssc, amazon).foreachRDD(lambda rdd: batches.append(rdd.collect()))
        clock = BatchClock(ssc)
        ssc.start()
        wait_for_shards(ssc, 2)
        for _ in range(4):
            clock.next_batch()
    finally:
        spark_context._conf.set(MAX_RATE, "0")
    assert batches == [[b"0", b"1", b"high"], [b"2", b"3"], [b"4"], []]


def test_a_partition_is_a_shard(ssc: StreamingContext, amazon: Amazon) -> None:
    """An empty one too, but of no records there is none."""
    amazon.create(shards=3)
    partitions: list[list[list[bytes]]] = []
    stream(ssc, amazon).foreachRDD(lambda rdd: partitions.append(rdd.glom().collect()))
    clock = BatchClock(ssc)
    ssc.start()
    wait_for_shards(ssc, 3)
    clock.next_batch()
    amazon.put(b"1", b"2")
    clock.next_batch()
    assert partitions == [[], [[b"1", b"2"], [], []]]


class Listener(StreamingListener):
    """Notes how many records a batch has, and which."""

    def __init__(self) -> None:
        super().__init__()
        self.batches: list[tuple[int, str]] = []

    def onBatchCompleted(self, batchCompleted: Any) -> None:  # noqa: N802, N803
        info = batchCompleted.batchInfo()
        self.batches.append((info.numRecords(), info.streamIdToInputInfo()[0].metadataDescription()))


def test_listeners_are_told_what_a_batch_has(spark_context: SparkContext, amazon: Amazon) -> None:
    ssc = StreamingContext(spark_context, 1, engine="structured")
    amazon.create(shards=2)
    amazon.put(b"1", b"2")
    stream(ssc, amazon).foreachRDD(lambda rdd: rdd.count())
    listener = Listener()
    ssc.addStreamingListener(listener)
    ssc.start()
    wait_for_shards(ssc, 2)
    ssc._engine.advance_clock(1000)
    wait_until(lambda: bool(listener.batches), "the batch")
    assert listener.batches == [(2, f"{FIRST}: sequence numbers 1 to 2")]


def test_an_error_of_the_reading_fails_the_batch_and_loses_nothing(
    ssc: StreamingContext, amazon: Amazon, monkeypatch: pytest.MonkeyPatch
) -> None:
    amazon.create()
    amazon.put(b"1")
    got: list[bytes] = []
    stream(ssc, amazon).foreachRDD(lambda rdd: got.extend(rdd.collect()))
    ssc.start()
    wait_for_shards(ssc)
    with monkeypatch.context() as patch:
        patch.setattr(fetching, "HashRange", None)
        ssc._engine.advance_clock(1000)
        with pytest.raises(StreamingError, match="object is not callable"):
            ssc.awaitTermination(60)

    def more() -> bool:
        ssc._engine.advance_clock(1000)
        return bool(got)

    wait_until(more, "the record")
    assert got == [b"1"]


@pytest.fixture
def restarted(spark_context: SparkContext, engine: str, amazon: Amazon) -> Callable[[], list[list[Any]]]:
    """Runs a program without a checkpoint directory anew; what its batches had that were not empty."""

    def run() -> list[list[Any]]:
        ssc = StreamingContext(spark_context, 1, engine=engine)
        batches: list[list[Any]] = []
        made = KinesisUtils.createStream(
            *(ssc, amazon.name, amazon.name, amazon.url, REGION, InitialPositionInStream.TRIM_HORIZON, 60),
            awsAccessKeyId="AKIATEST",
            awsSecretKey="secret",
        )
        made.foreachRDD(lambda rdd: batches.append(rdd.collect()))
        clock = BatchClock(ssc)
        ssc.start()
        wait_for_shards(ssc)
        clock.next_batch()
        clock.next_batch()
        ssc.stop(stopSparkContext=False)
        return [batch for batch in batches if batch]

    return run


def test_without_a_checkpoint_directory_the_table_says_what_is_done(
    restarted: Callable[[], list[list[Any]]], amazon: Amazon
) -> None:
    """Also if a stop comes before it was time to write that."""
    amazon.create()
    amazon.put(b"1", b"2")
    assert restarted() == [["1", "2"]]
    amazon.put(b"3")
    assert restarted() == [["3"]]
    assert restarted() == []
