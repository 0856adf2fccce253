"""Flume's events from its own client and from Spark's own sink, on both engines."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pytest
from pyspark import SparkContext
from pyspark.sql import SparkSession

from compat.flume.polling import FlumePollingReceiver
from compat.receivers.receiver import Stopping, Store
from compat.streaming import StreamingContext
from compat.streaming.flume import FlumeUtils
from migrate.kafka import UnreachableError
from tests.compat.flume_agents import connected, free_port
from tests.compat.sources.seen import Seen
from tests.e2e.flume.java import Flume, started
from tests.receiving import Program, receiving_context
from tests.statements import wait_until

pytestmark = pytest.mark.full

EVENTS = [({}, b""), ({"name": "größe", "": "\N{SNOWMAN}"}, b"\xff\x00")]
EVENTS += [({"n": str(n)}, os.urandom(1000)) for n in range(5000)]


@pytest.fixture(scope="module", params=["netty3", "netty4"])
def flume(request: pytest.FixtureRequest) -> Iterator[Flume]:
    """Flume 1.6, which Spark was built with, and its last release."""
    yield from _flume(request.param)


@pytest.fixture(scope="module")
def with_sink() -> Iterator[Flume]:
    yield from _flume("netty3")


def _flume(kind: str) -> Iterator[Flume]:
    try:
        with started(kind) as flume:
            yield flume
    except UnreachableError as error:
        if os.environ.get("CI"):
            raise
        pytest.skip(str(error))


@pytest.fixture
def ssc(spark_context: SparkContext, engine: str) -> Iterator[StreamingContext]:
    yield from receiving_context(spark_context, engine)


@pytest.mark.parametrize("compressed", [False, True], ids=["plain", "compressed"])
def test_flumes_client_pushes(ssc: StreamingContext, flume: Flume, compressed: bool) -> None:
    port = free_port()
    stream = FlumeUtils.createStream(
        ssc, "localhost", port, enableDecompression=compressed, bodyDecoder=lambda body: body
    )
    program = Program(ssc, stream)
    with connected(port), flume.client(port, compressed=compressed) as client:
        first, second = flume.events(EVENTS[:2])
        client.append(first)
        client.append(second)
        client.appendBatch(flume.events(EVENTS[2:]))
        assert program.wait_for(len(EVENTS)) == EVENTS


def test_two_of_flumes_clients_push_at_once(ssc: StreamingContext, flume: Flume) -> None:
    port = free_port()
    program = Program(ssc, FlumeUtils.createStream(ssc, "127.0.0.1", port))
    with (
        connected(port),
        flume.client(port, compressed=False) as one,
        flume.client(port, compressed=False) as other,
    ):
        for number in range(10):
            one.appendBatch(flume.events([({"one": str(number)}, b"")]))
            other.appendBatch(flume.events([({"other": str(number)}, b"")]))
        found = program.wait_for(20)
    for name in ("one", "other"):
        assert [event for event in found if name in event[0]] == [({name: str(n)}, "") for n in range(10)]


def test_sparks_sinks_are_polled(ssc: StreamingContext, with_sink: Flume) -> None:
    one, other = with_sink.channel(), with_sink.channel()
    with with_sink.sink(one) as one_port, with_sink.sink(other) as other_port:
        addresses = [("127.0.0.1", one_port), ("localhost", other_port)]
        stream = FlumeUtils.createPollingStream(
            ssc, addresses, maxBatchSize=100, bodyDecoder=lambda body: body
        )
        program = Program(ssc, stream)
        with_sink.put(one, EVENTS)
        with_sink.put(other, [({"other": ""}, b"")])
        found = program.wait_for(len(EVENTS) + 1)
        assert [event for event in found if "other" not in event[0]] == EVENTS
        wait_until(lambda: with_sink.acknowledged(one) == len(EVENTS), "the acknowledgement of all")
        wait_until(lambda: with_sink.acknowledged(other) == 1, "the acknowledgement")


def test_a_sink_of_sparks_may_start_again(ssc: StreamingContext, with_sink: Flume) -> None:
    port = free_port()
    program = Program(ssc, FlumeUtils.createPollingStream(ssc, [("127.0.0.1", port)]))
    channel = with_sink.channel()
    for number in range(3):
        with with_sink.sink(channel, port):
            with_sink.put(channel, [({}, b"%d" % number)])
            program.wait_for(number + 1)
            wait_until(
                lambda wanted=number + 1: with_sink.acknowledged(channel) == wanted,  # type: ignore[misc]
                "the acknowledgement",
            )
    assert program.found == [({}, "0"), ({}, "1"), ({}, "2")]


def test_sparks_sink_gives_a_batch_again_that_was_not_stored(with_sink: Flume) -> None:
    found: list[Any] = []
    stopping = Stopping()

    def store(event: Any) -> None:
        found.append(event)
        if len(found) == 1:
            raise RuntimeError("no place")
        stopping.set()

    channel = with_sink.channel()
    with with_sink.sink(channel) as port:
        with_sink.put(channel, EVENTS[:1])
        receiver = FlumePollingReceiver((("127.0.0.1", port),), 100, 1)
        receiver.receive(Store(store), stopping)
        assert found == [EVENTS[0], EVENTS[0]]
        assert with_sink.acknowledged(channel) == 0
        stopping = Stopping()
        receiver.receive(Store(store), stopping)
        assert found == [EVENTS[0]] * 3, "what the end has cut is given again"


@pytest.fixture
def session(spark: SparkSession) -> Iterator[SparkSession]:
    pytest.importorskip("pyspark.sql.datasource", reason="Python data sources came with Spark 4")
    from compat.sources import FlumeSource

    spark.dataSource.register(FlumeSource)
    yield spark
    for query in spark.streams.active:
        query.stop()


@pytest.mark.parametrize("compressed", [False, True], ids=["plain", "compressed"])
def test_the_data_source_gets_what_flumes_client_pushes(
    session: SparkSession, flume: Flume, compressed: bool
) -> None:
    port = free_port()
    reader = session.readStream.format("flume").options(hostname="localhost", port=port)
    seen = Seen(reader.option("compressed", compressed).load())
    with connected(port), flume.client(port, compressed=compressed) as client:
        client.appendBatch(flume.events(EVENTS))
        assert seen.wait_for(len(EVENTS)) == EVENTS


def test_the_data_source_asks_sparks_sinks(session: SparkSession, with_sink: Flume) -> None:
    channel = with_sink.channel()
    with with_sink.sink(channel) as port:
        reader = session.readStream.format("flume").option("addresses", f"127.0.0.1:{port}")
        seen = Seen(reader.options(maxBatchSize=100, maxRecordsPerTrigger=1000).load())
        with_sink.put(channel, EVENTS)
        assert seen.wait_for(len(EVENTS)) == EVENTS
        assert max(map(len, seen.batches)) <= 1000
        wait_until(lambda: with_sink.acknowledged(channel) == len(EVENTS), "the acknowledgement of all")
