"""Programs that are rewritten for another trigger, on a real broker."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from pyspark import SparkContext

from migrate.kafka import Jars
from migrate.knowledge.spark_version import installed
from migrate.knowledge.triggers import Trigger
from migrate.model import Options
from tests.e2e.kafka.broker import Broker
from tests.e2e.kafka.test_kills import submit
from tests.e2e.processes import Program
from tests.migrate.programs import file
from tests.statements import wait_until

REAL_TIME = pytest.mark.skipif(not installed().has_real_time, reason="this PySpark has no real-time mode")
BACKFILL = """\
from pyspark import SparkConf, SparkContext
from pyspark.streaming import StreamingContext
from pyspark.streaming.kafka import KafkaUtils

sc = SparkContext(conf=SparkConf().set("spark.streaming.receiver.maxRate", 2))
ssc = StreamingContext(sc, 1)
messages = KafkaUtils.createStream(
    ssc, "localhost:2181", "group", {{{topic!r}: 1}}, {{"bootstrap.servers": {address!r}}}
)
words = messages.map(lambda message: message[1]).flatMap(lambda line: line.split(" "))
words.map(lambda word: (word, 1)).reduceByKey(lambda a, b: a + b).saveAsTextFiles({path!r})
ssc.start()
ssc.awaitTermination()
"""


def test_a_backfill_reads_all_that_is_there_in_batches_and_ends(
    spark_context: SparkContext, broker: Broker, tmp_path: Path
) -> None:
    """The rate limit of the program makes two batches of three messages, in directories of their own."""
    topic = broker.topic()
    source = BACKFILL.format(topic=topic, address=broker.address, path=str(tmp_path / "counts"))
    written = file(source, Options(trigger=Trigger.parse("available-now")))
    assert written.status.value == "native", written.new
    broker.send(topic, "a b", "b", "c a a")
    names: dict[str, Any] = {"__name__": "__main__"}
    exec(compile(written.new, "after", "exec"), names)  # ends by itself
    assert names["query"].exception() is None
    found = {
        directory.name: sorted(
            line for part in directory.glob("part-*") for line in part.read_text().splitlines()
        )
        for directory in sorted(tmp_path.glob("counts-*"))
    }
    assert list(found.values()) == [["('a', 1)", "('b', 2)"], ["('a', 2)", "('c', 1)"]]


RECORDS = """\
from confluent_kafka import Producer
from pyspark import SparkContext
from pyspark.streaming import StreamingContext
from pyspark.streaming.kafka import KafkaUtils


def send(lines):
    producer = Producer({{"bootstrap.servers": {address!r}}})
    for line in lines:
        producer.produce({target!r}, key=line[:1].encode(), value=("got " + line).encode("utf-8"))
    producer.flush()


def save(lines):
    out = open({path!r}, "a")
    for line in lines:
        out.write(line + "\\n")
    out.close()


sc = SparkContext()
ssc = StreamingContext(sc, 1)
messages = KafkaUtils.createDirectStream(
    ssc, [{topic!r}], {{"bootstrap.servers": {address!r}, "auto.offset.reset": "smallest"}}
)
lines = messages.map(lambda message: message[1]).filter(lambda line: len(line) > 1)
{output}
ssc.start()
"""
SECONDS = 200.0


@contextmanager
def _running(source: str, trigger: str) -> Iterator[Callable[[], None]]:
    """Run the native form of a program; give what fails where its query does."""
    written = file(source, Options(trigger=Trigger.parse(trigger)))
    assert written.status.value == "native", written.new
    assert "foreachBatch" not in written.new
    names: dict[str, Any] = {"__name__": "__main__"}
    exec(compile(written.new, "after", "exec"), names)
    query = names["query"]

    def check() -> None:
        assert query.isActive, str(query.exception())

    try:
        yield check
    finally:
        for one in names["spark"].streams.active:
            one.stop()


@pytest.mark.parametrize("trigger", ["continuous=1s", pytest.param("realtime", marks=REAL_TIME)])
def test_records_are_sent_on_one_by_one(spark_context: SparkContext, broker: Broker, trigger: str) -> None:
    topic, target = broker.topic(), broker.topic()
    output = "lines.foreachRDD(lambda rdd: rdd.foreachPartition(send))\nlines.pprint()"
    given = {"address": broker.address, "topic": topic, "target": target, "path": "", "output": output}
    broker.send(topic, "one", "x", "two")

    def has(check: Callable[[], None], *expected: bytes) -> bool:
        check()
        return broker.read(target) == [*expected]

    with _running(RECORDS.format(**given), trigger) as check:
        wait_until(lambda: has(check, b"got one", b"got two"), "what was there", timeout=SECONDS)
        broker.send(topic, "three", "y", "\u00fcber")
        later = (b"got one", b"got two", b"got three", "got \u00fcber".encode())
        wait_until(lambda: has(check, *later), "what came later", timeout=SECONDS)


@REAL_TIME
def test_a_function_of_partitions_gets_the_rows_of_each_batch_in_real_time(
    spark_context: SparkContext, broker: Broker, tmp_path: Path
) -> None:
    topic, path = broker.topic(), tmp_path / "out"
    output = "lines.foreachRDD(lambda rdd: rdd.foreachPartition(save))"
    given = {"address": broker.address, "topic": topic, "target": "", "path": str(path), "output": output}
    broker.send(topic, "one", "x", "two")

    def has(check: Callable[[], None], *expected: str) -> bool:
        check()
        return path.exists() and path.read_text().split() == [*expected]

    with _running(RECORDS.format(**given), "realtime") as check:
        wait_until(lambda: has(check, "one", "two"), "what was there", timeout=SECONDS)
        broker.send(topic, "three", "y")
        wait_until(lambda: has(check, "one", "two", "three"), "what came later", timeout=SECONDS)


@pytest.mark.parametrize("trigger", ["continuous=1s", pytest.param("realtime", marks=REAL_TIME)])
def test_records_are_shown_on_the_console(
    jars: Jars, broker: Broker, start: Callable[..., Program], tmp_path: Path, trigger: str
) -> None:
    topic = broker.topic()
    given = {"address": broker.address, "topic": topic, "target": "", "path": ""}
    source = RECORDS.format(**given, output="lines.pprint()") + "ssc.awaitTermination()\n"
    written = file(source, Options(trigger=Trigger.parse(trigger)))
    assert '.format("console")' in written.new
    (tmp_path / "job.py").write_text(written.new)
    broker.send(topic, "one", "x", "two")
    job = start(tmp_path / "job.py", PYSPARK_SUBMIT_ARGS=submit(jars))
    for texts in (("one", "two"), ("three",)):
        shown = {f"|{text}" for text in texts}
        job.wait(lambda shown=shown: all(text in job.printed for text in shown), f"{texts}")  # type: ignore[misc]
        broker.send(topic, "three", "y")
    assert "|x" not in job.printed
