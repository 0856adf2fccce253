"""The format ``flume``, from agents in Python; the workers' Python cannot import `compat`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pyspark.sql import DataFrame, SparkSession

pytest.importorskip("pyspark.sql.datasource", reason="Python data sources came with Spark 4")

from compat.sources import FlumeSource
from tests.compat.flume_agents import AvroSink, SparkSink, free_port
from tests.compat.sources.seen import Seen
from tests.statements import wait_until

EVENTS = [
    ({}, b""),
    ({"topic": "größe", "": "\N{SNOWMAN}"}, "größe".encode()),
    ({"n": "1"}, b"\xff\x00\n"),
]


@pytest.fixture
def flume(spark: SparkSession) -> Iterator[SparkSession]:
    spark.dataSource.register(FlumeSource)
    yield spark
    for query in spark.streams.active:
        query.stop()


def events(session: SparkSession, **options: object) -> DataFrame:
    return session.readStream.format("flume").options(**options).load()  # type: ignore[arg-type]


def listening(session: SparkSession, port: int, **options: object) -> DataFrame:
    return events(session, hostname="127.0.0.1", port=port, **options)


@pytest.mark.parametrize("compressed", [False, True], ids=["plain", "compressed"])
def test_pushed_events_come_whole_and_in_order(flume: SparkSession, compressed: bool) -> None:
    port = free_port()
    seen = Seen(listening(flume, port, compressed=compressed))
    with AvroSink(port, compressed=compressed) as agent:
        assert agent.append(EVENTS[0]) == "OK"
        assert agent.append_batch(EVENTS[1:]) == "OK"
        assert seen.wait_for(3) == EVENTS
        many = [({"n": str(n)}, b"%d" % n) for n in range(1000)]
        assert agent.append_batch(many) == "OK"
        assert seen.wait_for(1003)[3:] == many


def test_sinks_are_asked_and_told_what_was_taken(flume: SparkSession) -> None:
    with SparkSink() as one, SparkSink() as other:
        addresses = f"127.0.0.1:{one.port}, localhost:{other.port}"
        one.put(*EVENTS)
        seen = Seen(events(flume, addresses=addresses, maxBatchSize=2, maxRecordsPerTrigger=2))
        seen.wait_for(3)
        other.put(({"other": ""}, b""))
        rows = seen.wait_for(4)
        assert [event for event in rows if "other" not in event[0]] == EVENTS
        assert one.asked[0] == 2 and max(map(len, seen.batches)) <= 2
        wait_until(lambda: [how for how, _ in one.told] == ["ack", "ack"], "two acknowledgements")


def test_what_an_agent_was_told_to_be_stored_is_in_a_batch_after_a_restart(
    flume: SparkSession, tmp_path: Path
) -> None:
    port, checkpoint = free_port(), tmp_path / "checkpoint"
    stream = listening(flume, port, directory=tmp_path / "rows")
    first = Seen(stream, checkpoint, fail_on=b"poison")
    with AvroSink(port) as agent:
        assert agent.append(EVENTS[1]) == "OK"
        first.wait_for(1)
        assert agent.append_batch([({}, b"poison"), EVENTS[2]]) == "OK"
        wait_until(lambda: first.query.exception() is not None, "the failure")
    again = Seen(stream, checkpoint)
    with AvroSink(port) as agent:
        assert agent.append(EVENTS[0]) == "OK"
    assert again.wait_for(3) == [({}, b"poison"), EVENTS[2], EVENTS[0]]
    rows = sorted((tmp_path / "rows").glob("*.rows"))
    assert len(rows) <= 3, "what batches are done with is removed"


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({}, "the option `hostname` is missing"),
        ({"hostname": "h"}, "the option `port` is missing"),
        ({"hostname": "h", "port": "0"}, "the port must be from 1 to 65535"),
        ({"hostname": "h", "port": "1", "compressed": "gzip"}, "compressed must be true or false"),
        ({"hostname": "h", "port": "1", "addresses": "h:1"}, "a query has either"),
        ({"addresses": "h"}, "addresses must be host:port,host:port"),
        ({"addresses": "h:1,h:x"}, "the port must be from 1 to 65535"),
        ({"addresses": "h:1", "parallelism": "0"}, "parallelism must be a number above 0"),
        ({"addresses": "h:1", "maxBatchSize": "3000000000"}, "maxBatchSize must be at most"),
        ({"hostname": "h", "port": "1", "maxRecordsPerTrigger": "many"}, "a number above 0"),
    ],
)
def test_options_are_checked_where_they_are_given(
    flume: SparkSession, options: dict[str, str], why: str
) -> None:
    with pytest.raises(Exception, match=why):
        events(flume, **options)


def test_another_schema_is_refused(flume: SparkSession) -> None:
    reader = flume.readStream.format("flume").schema("headers MAP<STRING, STRING>, body STRING")
    with pytest.raises(
        Exception, match=r"events of Flume are struct<headers:map<string,string>,body:binary>, not"
    ):
        reader.options(hostname="h", port=1).load().writeStream.format("noop").start().awaitTermination()
