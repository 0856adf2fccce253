"""Flume's receivers without Spark: what goes wrong on connections, and what agents are told then."""

from __future__ import annotations

import contextlib
import io
import json
import os
import pickle
import socket
import struct
import threading
import tracemalloc
import zlib
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from avro.protocol import parse

from compat.flume import netty
from compat.flume.netty import Frames
from compat.flume.polling import FlumePollingReceiver
from compat.flume.receiver import FlumeReceiver
from compat.flume.rpc import SOURCE, NettyRequestor
from compat.receivers.receiver import Receiver, Stopping, Store
from tests.compat.flume_agents import AvroSink, SparkSink, connected, free_port
from tests.statements import wait_until

EVENT = ({"name": "größe"}, b"\xff\x00")


@pytest.fixture(autouse=True)
def asked_again_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("compat.flume.polling._AGAIN_AFTER", 0.01)


class Received:
    """A receiver at work."""

    def __init__(self, receiver: Receiver, store: Callable[[Any], None] | None = None) -> None:
        self.found: list[Any] = []
        self.stopping = Stopping()
        self.ended: str | Exception | None = None
        self._thread = threading.Thread(target=self._receive, args=(receiver, store or self.found.append))
        self._thread.start()

    def __enter__(self) -> Received:
        return self

    def __exit__(self, *error: object) -> None:
        self.stopping.set()
        self.join()

    def join(self) -> None:
        self._thread.join(30)
        assert not self._thread.is_alive()

    def _receive(self, receiver: Receiver, store: Callable[[Any], None]) -> None:
        try:
            self.ended = receiver.receive(store if isinstance(store, Store) else Store(store), self.stopping)
        except Exception as error:
            self.ended = error


def listening(
    *, compressed: bool = False, store: Callable[[Any], None] | None = None
) -> tuple[int, Received]:
    port = free_port()
    return port, Received(FlumeReceiver("127.0.0.1", port, compressed), store)


def polling(*ports: int, parallelism: int = 5, store: Callable[[Any], None] | None = None) -> Received:
    return Received(
        FlumePollingReceiver(tuple(("127.0.0.1", port) for port in ports), 100, parallelism), store
    )


@contextlib.contextmanager
def pair(*, compressed: bool = False) -> Iterator[tuple[Frames, Frames]]:
    one, other = socket.socketpair()
    with one, other:
        yield Frames(one, compressed=compressed), Frames(other, compressed=compressed)


def is_closed(connection: socket.socket) -> bool:
    """Whether the other side ends the connection, without an answer."""
    try:
        return connection.recv(1) == b""
    except ConnectionResetError:
        return True


@pytest.mark.parametrize("compressed", [False, True])
def test_messages_of_any_size_pass(compressed: bool) -> None:
    """One that is much smaller when it is compressed, and one that is not."""
    messages = [b"", b"a", bytes(3_000_000), os.urandom(3_000_000)]
    with pair(compressed=compressed) as (sender, taker):
        sending = threading.Thread(target=lambda: [sender.write(*each) for each in enumerate(messages)])
        sending.start()
        assert [taker.read() for _ in messages] == list(enumerate(messages))
        sending.join()


def test_a_message_may_have_several_buffers() -> None:
    one, other = socket.socketpair()
    with one, other:
        one.sendall(struct.pack("!II", 7, 3) + b"\0\0\0\1a" + b"\0\0\0\0" + b"\0\0\0\2bc")
        one.sendall(struct.pack("!II", 8, 0))
        assert [Frames(other).read(), 0] == [(7, b"abc"), 0]


def test_memory_is_taken_for_what_has_come() -> None:
    one, other = socket.socketpair()
    with other:
        with one:
            one.sendall(struct.pack("!III", 1, 1, netty.LARGEST - 4) + b"a")
        frames = Frames(other)
        tracemalloc.start()
        with pytest.raises(ConnectionError, match="within a message"):
            frames.read()
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert peak < 1_000_000


def requests(count: int) -> bytes:
    """Requests to store EVENT, as one connection has them."""
    sent = io.BytesIO()

    class Told:
        def write(self, serial: int, message: bytes) -> None:
            sent.write(struct.pack("!III", serial, 1, len(message)) + message)
            self.serial = serial

        def read(self) -> tuple[int, bytes]:
            handshake = b"\x00\x00\x00\x00" if self.serial == 1 else b""
            return self.serial, handshake + b"\x00" + b"\x00" + b"\x00"

    requestor = NettyRequestor(SOURCE, Told(), "nobody")  # type: ignore[arg-type]
    for _ in range(count):
        requestor.request("append", {"event": {"headers": EVENT[0], "body": EVENT[1]}})
    return sent.getvalue()


def test_requests_may_be_sent_ahead_of_answers() -> None:
    port, received = listening()
    with received, connected(port) as agent:
        agent.sendall(requests(3))
        frames = Frames(agent)
        assert [frames.read()[0] for _ in range(3)] == [1, 2, 3]  # type: ignore[index]
    assert received.found == [EVENT] * 3


BROKEN = {
    "a length below 0": struct.pack("!III", 1, 1, 2**31),
    "a large length": struct.pack("!III", 1, 1, 2**32 - 1),
    "many buffers": struct.pack("!II", 1, 2**31),
    "large buffers": struct.pack("!III", 1, 2, netty.LARGEST - 7),
    "no handshake": struct.pack("!III", 1, 1, 5) + b"hello",
    "a handshake alone": struct.pack("!III", 1, 1, 34) + SOURCE.md5 + b"\0" + SOURCE.md5 + b"\0",
    "many events": struct.pack("!III", 1, 1, 52)
    + (SOURCE.md5 + b"\0" + SOURCE.md5 + b"\0" + b"\0" + b"\x16appendBatch" + b"\xfe\xff\xff\xff\x0f"),
    "another message": struct.pack("!III", 1, 1, 42)
    + (SOURCE.md5 + b"\0" + SOURCE.md5 + b"\0" + b"\0" + b"\x0aother" + b"\0"),
    "another protocol": b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
}


@pytest.mark.parametrize("compressed", [False, True])
@pytest.mark.parametrize("sent", BROKEN.values(), ids=BROKEN)
def test_what_is_no_message_closes_its_connection(
    sent: bytes, compressed: bool, caplog: pytest.LogCaptureFixture
) -> None:
    port, received = listening(compressed=compressed)
    with received, AvroSink(port, compressed=compressed) as other, connected(port) as agent:
        assert other.append(EVENT) == "OK"
        agent.sendall(zlib.compress(sent) if compressed else sent)
        assert is_closed(agent)
        assert other.append(EVENT) == "OK"
        warning = f"127.0.0.1:{port}: the connection of Flume's agent 127.0.0.1:"
        wait_until(lambda: warning in caplog.text, "a warning")
    assert received.found == [EVENT, EVENT]


def test_what_is_not_compressed_closes_its_connection() -> None:
    port, received = listening(compressed=True)
    with received, connected(port) as agent:
        agent.sendall(requests(1))
        assert is_closed(agent)
    assert received.found == []


def test_an_agent_may_go_away_within_a_message() -> None:
    port, received = listening()
    with received, AvroSink(port) as other:
        whole = requests(1)
        for length in (3, 8, 11, 40, len(whole) - 1):
            with connected(port) as agent:
                agent.sendall(whole[:length])
        assert other.append(EVENT) == "OK"
    assert received.found == [EVENT]


def test_an_agent_whose_protocol_has_another_text_sends_it() -> None:
    """That of Flume has comments, which are a part of it."""
    described = json.loads(str(SOURCE))
    described["messages"]["ping"] = {"request": [], "response": "Status"}
    protocol = parse(json.dumps(described))
    assert protocol.md5 != SOURCE.md5
    port, received = listening()
    with received, AvroSink(port, protocol=protocol) as agent:
        assert [agent.append(EVENT), agent.append_batch([EVENT, EVENT])] == ["OK", "OK"]
    assert received.found == [EVENT] * 3


def test_an_agent_gets_no_answer_for_what_the_end_has_cut() -> None:
    found: list[Any] = []

    def store(event: Any) -> None:
        found.append(event)
        received.stopping.set()

    port, received = listening(store=store)
    with received, AvroSink(port) as agent, pytest.raises(ConnectionError):
        agent.append_batch([EVENT, EVENT])
    assert found == [EVENT, EVENT]
    assert received.ended == f"No more events are taken at 127.0.0.1:{port}"


def settling(found: list[Any], answers: list[Exception | None]) -> Store:
    """A store that is asked to write down what it has got, and answers by the list."""

    def settle() -> None:
        answer = answers.pop(0)
        if answer is not None:
            raise answer

    return Store(found.append, settle)


def test_an_agent_gets_no_answer_before_its_events_are_written_down() -> None:
    found: list[Any] = []
    port, received = listening(store=settling(found, [OSError("the disk is full"), None]))
    with received:
        with AvroSink(port) as agent, pytest.raises(ConnectionError):
            agent.append(EVENT)
        with AvroSink(port) as agent:
            assert agent.append(EVENT) == "OK"
    assert found == [EVENT, EVENT]


def test_a_batch_is_acknowledged_when_it_is_written_down() -> None:
    store = settling([], [OSError("the disk is full"), None])
    with SparkSink() as sink, polling(sink.port, store=store):
        sink.put(EVENT)
        wait_until(lambda: len(sink.told) == 2, "the acknowledgement")
    assert [how for how, _ in sink.told] == ["nack", "ack"]


@pytest.mark.parametrize("hostname", ["192.0.2.1", "no such host"])
def test_a_hostname_of_another_machine_is_refused(hostname: str) -> None:
    with pytest.raises(ConnectionError, match=f"received at {hostname}:41414: .* address of the driver's"):
        FlumeReceiver(hostname, 41414, False).receive(Store(print), Stopping())


def test_a_receiver_is_pickled_with_the_program() -> None:
    for receiver in (FlumeReceiver("a", 1, True), FlumePollingReceiver((("a", 1), ("b", 2)), 10, 2)):
        assert pickle.loads(pickle.dumps(receiver)) == receiver
    assert receiver.place == "a:1,b:2"


def test_a_batch_that_is_not_stored_is_given_again() -> None:
    failing = [True, False, True, False, False]
    found: list[Any] = []

    def store(event: Any) -> None:
        if failing.pop(0):
            raise RuntimeError("no place")
        found.append(event)

    with SparkSink() as sink, polling(sink.port, store=store):
        sink.put(EVENT, EVENT)
        wait_until(lambda: len(sink.told) == 3, "the acknowledgement")
    assert [how for how, _ in sink.told] == ["nack", "nack", "ack"]
    assert found == [EVENT] * 3, "the second batch failed after its first event"


def test_a_batch_that_the_end_has_cut_is_not_acknowledged() -> None:
    with SparkSink() as sink:
        with polling(sink.port, store=lambda event: received.stopping.set()) as received:
            sink.put(EVENT)
            wait_until(lambda: bool(sink.told), "what the agent is told")
        assert [how for how, _ in sink.told] == ["nack"]
    assert received.ended == f"No more events are fetched from 127.0.0.1:{sink.port}"


def test_an_error_is_asked_again_and_an_empty_batch_acknowledged(caplog: pytest.LogCaptureFixture) -> None:
    with SparkSink() as sink:
        sink.replies.append({"errorMsg": "the channel is full", "sequenceNumber": "", "events": []})
        sink.replies.append({"errorMsg": "", "sequenceNumber": "empty", "events": []})
        with polling(sink.port) as received:
            sink.put(EVENT)
            wait_until(lambda: len(sink.told) == 2, "two acknowledgements")
    assert sink.told == [("ack", "empty"), ("ack", "batch-3")]
    assert received.found == [EVENT]
    assert "the channel is full" in caplog.text


@pytest.mark.parametrize("parallelism", [1, 5])
def test_an_agent_that_is_away_does_not_keep_others_from_being_asked(parallelism: int) -> None:
    late = free_port()
    with SparkSink() as sink:
        # With one thread an agent without events would be waited for.
        sink.replies.extend({"errorMsg": "nothing", "sequenceNumber": "", "events": []} for _ in range(1000))
        with polling(late, sink.port, parallelism=parallelism) as received:
            wait_until(lambda: len(sink.asked) > 2, "the agent to be asked")
            with SparkSink(late) as other:
                other.put(EVENT)
                wait_until(lambda: bool(other.told), "the acknowledgement")
    assert received.found == [EVENT]


def test_without_any_agent_the_connection_has_ended() -> None:
    ports = free_port(), free_port()
    received = polling(*ports)
    received.join()
    for port in ports:
        assert f"Flume's agent at 127.0.0.1:{port}: [Errno" in str(received.ended)


def test_an_agent_that_answers_anything_else_is_left() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        for answer in (
            struct.pack("!III", 1, 1, 2**31),
            struct.pack("!III", 2, 1, 0),
            BROKEN["no handshake"],
        ):
            received = polling(port)
            connection, _ = listener.accept()
            with connection:
                connection.sendall(answer)
                received.join()
            assert str(received.ended).startswith(f"Flume's agent at 127.0.0.1:{port}: ")
