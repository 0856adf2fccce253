"""Programs that are rewritten for another trigger, on a real broker."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pyspark import SparkContext

from migrate.knowledge.triggers import Trigger
from migrate.model import Options
from tests.e2e.kafka.broker import Broker
from tests.migrate.programs import file

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
