"""The format ``mqtt``, from a broker that the tests start; the workers' Python cannot import `compat`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pyspark.sql import DataFrame, SparkSession

pytest.importorskip("pyspark.sql.datasource", reason="Python data sources came with Spark 4")

from compat.sources import MqttSource
from tests.compat.mqtt_broker import Broker
from tests.compat.sources.seen import Seen
from tests.statements import wait_until

READY = "ready"
"""What a subscription begins with: it is retained."""


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Broker]:
    """It does not run yet."""
    found = Broker(tmp_path)
    yield found
    found.kill()


@pytest.fixture
def mqtt(spark: SparkSession) -> Iterator[SparkSession]:
    spark.dataSource.register(MqttSource)
    yield spark
    for query in spark.streams.active:
        query.stop()


def messages(session: SparkSession, broker: Broker, **options: str) -> DataFrame:
    return session.readStream.format("mqtt").options(broker=broker.url, **options).load()


def test_messages_come_whole_and_in_order(mqtt: SparkSession, broker: Broker) -> None:
    broker.start()
    broker.retain("rooms/hall", READY)
    seen = Seen(messages(mqtt, broker, topics="rooms/+\ndoors/#"))
    seen.wait_for(1)
    broker.publish("elsewhere", ["not asked for"])
    broker.publish(
        "rooms/küche", ["é 𝄞", "", b"a\xffb", b"\xed\xa0\x80", "x" * 200_000, *map(str, range(100))]
    )
    broker.publish("doors/front/lock", ["open"])
    rows = seen.wait_for(107)
    values = ["é 𝄞", "", "a\ufffdb", "\ufffd", "x" * 200_000, *map(str, range(100))]
    assert rows[0] == ("rooms/hall", READY)
    assert [value for topic, value in rows if topic == "rooms/küche"] == values
    assert ("doors/front/lock", "open") in rows and len(rows) == 107


def test_bytes_by_their_schema_and_at_most_so_many_a_batch(mqtt: SparkSession, broker: Broker) -> None:
    broker.start()
    broker.retain("a", READY)
    reader = mqtt.readStream.format("mqtt").schema("topic STRING, value BINARY")
    seen = Seen(reader.options(broker=broker.url, topic="a", maxRecordsPerTrigger="2").load())
    seen.wait_for(1)
    broker.publish("a", [b"\xff", b"", b"1", b"2", b"3"])
    rows = seen.wait_for(6)
    assert [bytes(value) for _, value in rows] == [READY.encode(), b"\xff", b"", b"1", b"2", b"3"]
    assert max(map(len, seen.batches)) <= 2


def test_a_broker_may_come_later_and_come_back(mqtt: SparkSession, broker: Broker) -> None:
    seen = Seen(messages(mqtt, broker, topic="a"))
    for expected in (1, 2):
        broker.start()
        broker.retain("a", READY)
        seen.wait_for(expected)
        broker.kill()
    assert seen.rows == [("a", READY)] * 2


def test_a_failed_batch_comes_again_after_a_restart(
    mqtt: SparkSession, broker: Broker, tmp_path: Path
) -> None:
    broker.start()
    broker.retain("a", READY)
    stream = messages(mqtt, broker, topic="a", directory=str(tmp_path / "rows"))
    first = Seen(stream, tmp_path / "checkpoint", fail_on="poison")
    first.wait_for(1)
    broker.publish("a", ["poison"])
    wait_until(lambda: first.query.exception() is not None, "the failure")
    again = Seen(stream, tmp_path / "checkpoint")
    rows = again.wait_for(2)
    assert rows[0] == ("a", "poison")
    assert rows[1] == ("a", READY)  # retained: the new connection is given it


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"topic": "a"}, "the option `broker` is missing"),
        ({"broker": "tcp://h:1883"}, "the option `topic` is missing"),
        ({"broker": "http://h", "topic": "a"}, "the URL of an MQTT broker"),
        ({"broker": "tcp://h", "topic": "a#"}, "no topic"),
        ({"broker": "tcp://h", "topic": "a", "password": "secret"}, "a password without a user"),
        ({"broker": "tcp://h", "topic": "a", "maxRecordsPerTrigger": "0"}, "a number above 0"),
    ],
)
def test_options_are_checked_where_they_are_given(
    mqtt: SparkSession, options: dict[str, str], why: str
) -> None:
    with pytest.raises(Exception, match=why) as raised:
        mqtt.readStream.format("mqtt").options(**options).load()
    assert "secret" not in str(raised.value)
