"""Flume's events on both engines, from agents that speak its protocols in Python."""

from __future__ import annotations

import inspect
import socket
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from pyspark import SparkContext, StorageLevel

from compat.streaming import StreamingContext
from compat.streaming.flume import FlumeUtils, utf8_decoder
from tests.compat.flume_agents import AvroSink, SparkSink, free_port
from tests.receiving import Program, receiving_context
from tests.statements import wait_until

EVENTS = [
    ({}, b""),
    ({"topic": "größe", "": "\N{SNOWMAN}"}, "größe".encode()),
    ({"n": "1"}, b"a line\n"),
]
NO_CONTEXT: Any = None
"""Settings are checked before it is used."""
TEXTS = [(headers, body.decode()) for headers, body in EVENTS]


@pytest.fixture
def ssc(spark_context: SparkContext, engine: str) -> Iterator[StreamingContext]:
    yield from receiving_context(spark_context, engine)


@pytest.fixture(autouse=True)
def asked_again_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("compat.flume.polling._AGAIN_AFTER", 0.01)


def test_pushed_events_come_whole_and_in_order(ssc: StreamingContext) -> None:
    port = free_port()
    program = Program(ssc, FlumeUtils.createStream(ssc, "localhost", port))
    with AvroSink(port) as agent:
        assert agent.append(EVENTS[0]) == "OK"
        assert agent.append_batch(EVENTS[1:]) == "OK"
        assert program.wait_for(3) == TEXTS
    with AvroSink(port) as agent:
        many = [({"n": str(n)}, b"%d" % n) for n in range(1000)]
        assert agent.append_batch(many) == "OK"
        assert program.wait_for(1003)[3:] == [(headers, body.decode()) for headers, body in many]


def test_two_agents_compress_and_a_decoder_reads_what_is_no_text(ssc: StreamingContext) -> None:
    port = free_port()
    stream = FlumeUtils.createStream(
        ssc, "127.0.0.1", port, enableDecompression=True, bodyDecoder=lambda body: (type(body), list(body))
    )
    program = Program(ssc, stream)
    with AvroSink(port, compressed=True) as one, AvroSink(port, compressed=True) as other:
        for number in range(3):
            assert one.append(({"one": str(number)}, b"\xff\x00")) == "OK"
            assert other.append_batch([({"other": str(number)}, b"")]) == "OK"
        found = program.wait_for(6)
    for name, body in (("one", [255, 0]), ("other", [])):
        assert [event for event in found if name in event[0]] == [
            ({name: str(number)}, (bytes, body)) for number in range(3)
        ]


def test_a_port_that_is_taken_is_tried_again(ssc: StreamingContext, caplog: pytest.LogCaptureFixture) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        program = Program(ssc, FlumeUtils.createStream(ssc, "127.0.0.1", port))
        wait_until(lambda: "Address already in use" in caplog.text, "a warning")
    with AvroSink(port) as agent:
        assert agent.append(EVENTS[1]) == "OK"
    assert program.wait_for(1) == [TEXTS[1]]


def test_polled_events_come_whole_and_in_the_order_of_each_agent(ssc: StreamingContext) -> None:
    with SparkSink() as one, SparkSink() as other:
        stream = FlumeUtils.createPollingStream(
            ssc, [("127.0.0.1", one.port), ("localhost", other.port)], maxBatchSize=2
        )
        program = Program(ssc, stream)
        one.put(*EVENTS)
        other.put(*(({"other": str(number)}, b"") for number in range(5)))
        found = program.wait_for(8)
        assert [event for event in found if "other" not in event[0]] == TEXTS
        assert [event for event in found if "other" in event[0]] == [
            ({"other": str(n)}, "") for n in range(5)
        ]
        assert set(one.asked) == set(other.asked) == {2}
        wait_until(lambda: len(one.told) == 2 and len(other.told) == 3, "what the agents are told")
        assert {how for how, _ in one.told + other.told} == {"ack"}


def test_an_agent_that_comes_late_or_again_is_polled(ssc: StreamingContext) -> None:
    port = free_port()
    stream = FlumeUtils.createPollingStream(ssc, [("127.0.0.1", port)], bodyDecoder=lambda body: body)
    program = Program(ssc, stream)
    for number, event in enumerate(EVENTS, 1):
        with SparkSink(port) as agent:
            wait_until(lambda agent=agent: agent.asked, "the agent to be asked")  # type: ignore[misc]
            agent.disconnect()
            agent.put(event)
            assert program.wait_for(number) == EVENTS[:number]
            wait_until(lambda agent=agent: "ack" in dict(agent.told), "the acknowledgement")  # type: ignore[misc]


def test_a_program_ends_while_agents_are_connected(ssc: StreamingContext) -> None:
    port = free_port()
    pushed = FlumeUtils.createStream(ssc, "127.0.0.1", port)
    with SparkSink() as asked:
        Program(ssc, pushed.union(FlumeUtils.createPollingStream(ssc, [("127.0.0.1", asked.port)])))
        with AvroSink(port) as agent:
            assert agent.append(EVENTS[0]) == "OK"
            wait_until(lambda: bool(asked.asked), "the agent to be asked")
            begin = time.monotonic()
            ssc.stop(stopSparkContext=False)
            assert time.monotonic() - begin < 10
            assert agent.connection.recv(1) == b""


def parameters(function: Callable[..., Any]) -> list[tuple[str, Any]]:
    return [(each.name, each.default) for each in inspect.signature(function).parameters.values()]


def test_the_signatures_are_those_of_pyspark() -> None:
    required = inspect.Parameter.empty
    assert parameters(FlumeUtils.createStream) == [
        ("ssc", required),
        ("hostname", required),
        ("port", required),
        ("storageLevel", StorageLevel.MEMORY_AND_DISK_2),
        ("enableDecompression", False),
        ("bodyDecoder", utf8_decoder),
    ]
    assert parameters(FlumeUtils.createPollingStream) == [
        ("ssc", required),
        ("addresses", required),
        ("storageLevel", StorageLevel.MEMORY_AND_DISK_2),
        ("maxBatchSize", 1000),
        ("parallelism", 5),
        ("bodyDecoder", utf8_decoder),
    ]
    assert (utf8_decoder(None), utf8_decoder(b""), utf8_decoder("é".encode())) == (None, "", "é")


@pytest.mark.parametrize(
    ("changed", "error", "text"),
    [
        ({"hostname": 1}, TypeError, "hostname"),
        ({"hostname": ""}, ValueError, "hostname"),
        ({"port": "41414"}, TypeError, "port"),
        ({"port": 0}, ValueError, "port"),
        ({"port": 65536}, ValueError, "port"),
        ({"storageLevel": "MEMORY_ONLY"}, TypeError, "storageLevel"),
        ({"enableDecompression": 1}, TypeError, "enableDecompression"),
        ({"bodyDecoder": None}, TypeError, "bodyDecoder"),
    ],
)
def test_settings_of_a_push_are_checked(changed: dict[str, Any], error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        FlumeUtils.createStream(NO_CONTEXT, **{"hostname": "localhost", "port": 41414, **changed})


@pytest.mark.parametrize(
    ("changed", "error", "text"),
    [
        ({"addresses": []}, ValueError, "no addresses"),
        ({"addresses": ["localhost:1"]}, TypeError, "pairs"),
        ({"addresses": [("localhost", 1, 2)]}, TypeError, "pairs"),
        ({"addresses": [("localhost", 1), (None, 1)]}, TypeError, "hostname"),
        ({"addresses": [("localhost", 0)]}, ValueError, "port"),
        ({"storageLevel": None}, TypeError, "storageLevel"),
        ({"maxBatchSize": 0}, ValueError, "maxBatchSize"),
        ({"maxBatchSize": 2**31}, ValueError, "maxBatchSize"),
        ({"maxBatchSize": 1.5}, TypeError, "maxBatchSize"),
        ({"parallelism": 0}, ValueError, "parallelism"),
        ({"parallelism": "5"}, TypeError, "parallelism"),
        ({"bodyDecoder": "utf-8"}, TypeError, "bodyDecoder"),
    ],
)
def test_settings_of_a_poll_are_checked(changed: dict[str, Any], error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        FlumeUtils.createPollingStream(NO_CONTEXT, **{"addresses": [("localhost", 41414)], **changed})


def test_avro_is_asked_for_at_the_call(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "avro.ipc", None)
    with pytest.raises(ImportError, match=r"pip install 'dstream-migrate\[flume\]'"):
        FlumeUtils.createStream(NO_CONTEXT, "localhost", 41414)
