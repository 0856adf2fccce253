"""Programs on Kafka, old and new side by side, on a real broker."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from migrate.errors import Exit
from migrate.kafka.record import Record
from migrate.kafka.topic_slice import Slice
from migrate.migration import migrate
from migrate.model import Options, Outcome
from migrate.verify import VerifyResult, verify
from tests.e2e.kafka.broker import Broker
from tests.migrate.programs import module
from tests.migrate.projects.test_projects import ON_KAFKA, written

pytestmark = [pytest.mark.full, pytest.mark.timeout(1200)]
PATIENCE = 300.0
HEAD = """\
import json
from pyspark import SparkContext
from pyspark.streaming import StreamingContext
from pyspark.streaming.kafka import KafkaUtils, TopicAndPartition

ssc = StreamingContext(SparkContext(appName="test"), 1)
"""
TAIL = "ssc.start()\nssc.awaitTermination()\n"
PARAMETERS = '{"metadata.broker.list": "nowhere:9092", "auto.offset.reset": "smallest"}'
COUNT = "x.map(lambda m: m[1]).flatMap(lambda v: v.split(' ')).countByValue().pprint(1000)\n"
PROGRAMS = {
    "receiver": "x = KafkaUtils.createStream(ssc, 'zookeeper:2181', 'group', {'pages': 1})\n" + COUNT,
    "from the start": f"x = KafkaUtils.createDirectStream(ssc, ['pages'], {PARAMETERS})\n" + COUNT,
    "two topics": f"x = KafkaUtils.createDirectStream(ssc, ['pages', 'clicks'], {PARAMETERS})\n" + COUNT,
    "offsets": (
        "x = KafkaUtils.createDirectStream(ssc, ['pages'], {'bootstrap.servers': 'nowhere:9092'},\n"
        "    {TopicAndPartition('pages', 0): 3, TopicAndPartition('pages', 1): 0})\n" + COUNT
    ),
    "handler": (
        f"x = KafkaUtils.createDirectStream(ssc, ['pages'], {PARAMETERS},\n"
        "    messageHandler=lambda m: (m.topic, m.partition, m.offset, m.key, m.message))\n"
        "x.pprint(1000)\nx.count().pprint()\n"
    ),
    "averages": (
        f"x = KafkaUtils.createDirectStream(ssc, ['pages'], {PARAMETERS})\n"
        "pairs = x.map(lambda m: (m[1][:1], (float(len(m[1])) / 3, 1)))\n"
        "sums = pairs.reduceByKey(lambda a, b: (a[0] + b[0], a[1] + b[1]))\n"
        "sums.map(lambda p: (p[0], p[1][0] / p[1][1])).pprint(1000)\n"
    ),
    "a function that shows order and cuts": (
        f"x = KafkaUtils.createDirectStream(ssc, ['pages'], {PARAMETERS})\n"
        "pairs = x.map(lambda m: (m[1][:1], float(len(m[1]))))\n"
        "pairs.reduceByKey(lambda a, b: (a - b) / 3).pprint(1000)\n"
    ),
    "decoder": (
        f"x = KafkaUtils.createDirectStream(ssc, ['pages'], {PARAMETERS}, valueDecoder=lambda v: v.upper())\n"
        "x.foreachRDD(lambda rdd: print(sorted(map(repr, rdd.collect()))))\n"
    ),
}


def both(tmp_path: Path, body: str, broker: Broker, *, new: str | None = None, **how: object) -> VerifyResult:
    """Verify a program against what the codemod makes of it."""
    source = HEAD + body + TAIL
    (work := tmp_path / "work").mkdir()
    old, migrated = tmp_path / "old.py", tmp_path / "new.py"
    old.write_text(source)
    result = migrate([module(source)], Options())
    assert new is not None or result.graphs[0].outcome is Outcome.NATIVE, result.graphs[0].reasons
    migrated.write_text(result.files[0].new if new is None else new)
    values: dict[str, object] = {
        "cwd": work,
        "timeout": PATIENCE,
        "kafka": broker.address,
        "batches": 2,
        **how,
    }
    return verify(old, migrated, **values)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", PROGRAMS)
def test_old_and_new_are_equal(tmp_path: Path, broker: Broker, name: str) -> None:
    result = both(tmp_path, PROGRAMS[name], broker)
    assert not result.failures
    assert [batch.differences for batch in result.batches] == [()] * len(result.batches)
    assert sum(batch.input_rows for batch in result.batches) > 40
    assert result.exit_code is Exit.DONE


def test_a_wrong_migration_is_found(tmp_path: Path, broker: Broker) -> None:
    body = PROGRAMS["from the start"]
    right = migrate([module(HEAD + body + TAIL)], Options()).files[0].new
    wrong = right.replace('" ")', '"  ")')
    assert wrong != right
    assert both(tmp_path, body, broker, new=wrong).exit_code is Exit.PENDING


def test_offsets_of_the_programs_own_on_compat(tmp_path: Path, broker: Broker) -> None:
    body = (
        f"x = KafkaUtils.createDirectStream(ssc, ['pages'], {PARAMETERS})\n"
        "def report(rdd):\n"
        "    for o in rdd.offsetRanges():\n"
        "        print(o.topic, o.partition, o.fromOffset, o.untilOffset)\n"
        "x.foreachRDD(report)\n"
    )
    source = HEAD + body + TAIL
    new = migrate([module(source)], Options()).files[0].new
    assert "compat.streaming.kafka" in new
    result = both(tmp_path, body, broker, new=new)
    assert (result.exit_code, result.failures) == (Exit.DONE, ())


def test_a_slice_of_a_topic(tmp_path: Path, broker: Broker) -> None:
    """Tombstones, keys that are no text, and partitions are those of the topic, which is only read."""
    records = [Record(b"k", b"one"), Record(None, b"two"), Record(b"", None), Record(b"k", b"\xe9\x9b\xaa")]
    produce(broker, "real", records)
    found = Slice.parse(broker.address, "real", "0:1-4")
    assert [Record.of(line) for line in found.lines()] == [
        Record(record.key, record.value, 0) for record in records[1:]
    ]
    body = (
        f"x = KafkaUtils.createDirectStream(ssc, ['pages'], {PARAMETERS})\n"
        "x.foreachRDD(lambda rdd: print(sorted(map(repr, rdd.collect()))))\n"
    )
    result = both(tmp_path, body, broker, records=found)
    assert (result.exit_code, result.failures) == (Exit.DONE, ())
    assert sum(batch.input_rows for batch in result.batches) == 3


def produce(broker: Broker, topic: str, records: Sequence[Record]) -> None:
    """Put records into the one partition of a topic."""
    from confluent_kafka import Producer

    producer = Producer({"bootstrap.servers": broker.address})
    for record in records:
        producer.produce(topic, record.value, key=record.key)
    assert producer.flush(60) == 0, json.dumps([record.line() for record in records])


def test_a_product_of_several_modules(tmp_path: Path, broker: Broker) -> None:
    work = written(ON_KAFKA, tmp_path)
    result = verify(
        work / "before" / "main.py",
        work / "after" / "main.py",
        arguments=["nowhere:9092"],
        cwd=work,
        timeout=PATIENCE,
        kafka=broker.address,
        batches=4,
    )
    assert not result.failures
    assert [batch.differences for batch in result.batches] == [()] * len(result.batches)
    assert sum(batch.input_rows for batch in result.batches) > 40
    assert result.exit_code is Exit.DONE
