"""Consumer-group tools see how far a native query has come."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pyspark import SparkContext
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.streaming.query import StreamingQuery

from compat.kafka.lag import CommitOffsets
from tests.e2e.kafka.broker import Broker
from tests.statements import wait_until

pytestmark = [pytest.mark.timeout(600), pytest.mark.full]


@pytest.fixture
def spark(spark_context: SparkContext) -> Iterator[SparkSession]:
    session = SparkSession(spark_context).newSession()
    session.conf.set("spark.sql.shuffle.partitions", "2")
    yield session
    for query in session.streams.active:
        query.stop()


def started(
    spark: SparkSession, broker: Broker, topic: str, name: str, fails: bool = False
) -> StreamingQuery:
    def process_batch(batch: DataFrame, batch_id: int) -> None:
        if fails:
            raise ValueError("never done")
        batch.count()

    read = spark.readStream.format("kafka").option("kafka.bootstrap.servers", broker.address)
    messages = read.option("subscribe", topic).option("startingOffsets", "earliest").load()
    return messages.writeStream.queryName(name).foreachBatch(process_batch).start()


def test_offsets_are_committed_when_a_batch_is_done(spark: SparkSession, broker: Broker) -> None:
    topic, other = broker.topic(2), broker.topic(1)
    broker.send(topic, "a", "b")
    broker.send(topic, "c", partition=1)
    broker.send(other, "d")
    params = {"metadata.broker.list": broker.address}
    listener = CommitOffsets(spark, "native", params, query="counted")
    spark.streams.addListener(listener)
    try:
        query = started(spark, broker, topic, "counted")
        ignored = started(spark, broker, other, "another")
        wait_until(lambda: broker.committed("native", topic, range(2)) == {0: 2, 1: 1}, "the offsets")
        broker.send(topic, "e", partition=1)
        wait_until(lambda: broker.committed("native", topic, range(2)) == {0: 2, 1: 2}, "the next offsets")
        ignored.processAllAvailable()
        query.processAllAvailable()
        assert broker.committed("native", other) == {0: -1001}
    finally:
        spark.streams.removeListener(listener)
        listener.close()


def test_a_batch_that_fails_is_not_done(spark: SparkSession, broker: Broker) -> None:
    topic = broker.topic(1)
    broker.send(topic, "a")
    listener = CommitOffsets(spark, "failing", {"bootstrap.servers": broker.address})
    spark.streams.addListener(listener)
    try:
        query = started(spark, broker, topic, "fails", fails=True)
        wait_until(lambda: not query.isActive, "the end of the query")
        assert broker.committed("failing", topic) == {0: -1001}
    finally:
        spark.streams.removeListener(listener)
        listener.close()
