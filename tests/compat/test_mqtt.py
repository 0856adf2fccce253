"""MQTT on both engines, from a broker that the tests start."""

from __future__ import annotations

import gc
import inspect
import logging
import pickle
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from pyspark import SparkContext
from pyspark.storagelevel import StorageLevel

from compat.receivers.mqtt import Broker as Address
from compat.receivers.mqtt import MQTTPairReceiver, check_filter
from compat.receivers.receiver import Stopping, Store
from compat.streaming import StreamingContext
from compat.streaming.mqtt import MQTTUtils
from tests.compat.mqtt_broker import TABOO, Broker, free_port
from tests.receiving import Program, receiving_context
from tests.statements import wait_until

many_messages = pytest.mark.skipif(
    sys.version_info >= (3, 13),
    reason="amqtt, the tests' broker, loses some of many messages on Python 3.13, whoever subscribes",
)
READY = "ready"
"""What a subscription begins with: it is retained."""


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Broker]:
    """It does not run yet."""
    found = Broker(tmp_path)
    yield found
    found.kill()


@pytest.fixture
def ssc(spark_context: SparkContext, engine: str) -> Iterator[StreamingContext]:
    yield from receiving_context(spark_context, engine)


def ready(broker: Broker, topic: str, message: str | bytes = READY) -> None:
    broker.retain(topic, message)


@many_messages
def test_messages_arrive_whole_and_in_order(ssc: StreamingContext, broker: Broker) -> None:
    broker.start()
    ready(broker, "a")
    program = Program(ssc, MQTTUtils.createStream(ssc, broker.url, "a"))
    program.wait_for(1)
    sent: list[str | bytes] = [
        "é 𝄞",
        "",
        b"a\xffb",
        b"\xed\xa0\x80",
        "line\nline",
        "x" * 200_000,
        *map(str, range(20)),
    ]
    broker.publish("b", ["another topic"])
    broker.publish("a", sent)
    program.wait_for(1 + len(sent))
    as_text = ["é 𝄞", "", "a\ufffdb", "\ufffd", *sent[4:]]
    assert program.found == [READY, *as_text]


def test_pairs_have_the_topic_and_topics_have_wildcards(ssc: StreamingContext, broker: Broker) -> None:
    broker.start()
    ready(broker, "lights/hall")
    topics = ["rooms/+/temperature", "doors/#", "lights/hall"]
    program = Program(ssc, MQTTUtils.createPairedStream(ssc, broker.url, topics))
    program.wait_for(1)
    sent: dict[str, list[str | bytes]] = {
        "rooms/küche/temperature": ["21"],
        "rooms/küche/humidity": ["not asked for"],
        "doors/front/lock": ["open", "shut"],
        "doors": [b"\xff"],
        "lights/hall": [""],
    }
    for topic, messages in sent.items():
        broker.publish(topic, messages)
    program.wait_for(6)
    assert program.found == [
        ("lights/hall", READY),
        ("rooms/küche/temperature", "21"),
        ("doors/front/lock", "open"),
        ("doors/front/lock", "shut"),
        ("doors", "\ufffd"),
        ("lights/hall", ""),
    ]


def test_pickles_are_unpickled(ssc: StreamingContext, broker: Broker) -> None:
    broker.start()
    ready(broker, "a", pickle.dumps(READY))
    program = Program(ssc, MQTTUtils.createPickleStream(ssc, broker.url, "a"))
    program.wait_for(1)
    sent: list[Any] = [{"é": [1, 2.5, None]}, (b"\xff", "text"), 7]
    broker.publish("a", [pickle.dumps(sent[0], 0), pickle.dumps(sent[1], 2), pickle.dumps(sent[2], 5)])
    broker.publish("a", [b"S'Python 2 \\xe9'\np0\n."])
    program.wait_for(5)
    assert program.found == [READY, *sent, b"Python 2 \xe9"]


def test_a_broker_may_come_later_and_come_back(ssc: StreamingContext, broker: Broker) -> None:
    program = Program(ssc, MQTTUtils.createStream(ssc, broker.url, "a"))
    assert program.found == []
    expected = []
    for run in ("first", "second"):
        broker.start()
        ready(broker, "a", run)
        program.until(lambda: run in program.found, "what is retained")  # noqa: B023
        broker.publish("a", [f"of the {run}"])
        program.until(lambda: f"of the {run}" in program.found, "a message")  # noqa: B023
        broker.kill()
        expected += [run, f"of the {run}"]
    # what is published while a client subscribes may come twice
    assert list(dict.fromkeys(program.found)) == expected


def test_stopping_leaves_no_thread(ssc: StreamingContext, broker: Broker) -> None:
    """The engines wait for it, for 5 seconds at most."""
    broker.start()
    ready(broker, "a")
    program = Program(ssc, MQTTUtils.createStream(ssc, broker.url, "a"))
    program.wait_for(1)
    ssc.stop(stopSparkContext=False)
    left = [thread.name for thread in threading.enumerate() if broker.url in thread.name]
    assert left == []


class Reception:
    """`MQTTReceiver.receive` once, in a thread."""

    def __init__(self, url: str, *topics: str, login: tuple[str, str] | None = None) -> None:
        self.stored: list[Any] = []
        self.result: Any = None
        self.stopping = Stopping()
        self._receiver = MQTTPairReceiver(Address.of(url), topics or ("a",), *(login or ()))
        self._thread = threading.Thread(target=self._receive)
        self._thread.start()

    def _receive(self) -> None:
        try:
            self.result = self._receiver.receive(Store(self.stored.append), self.stopping)
        except Exception as error:
            self.result = f"{type(error).__name__}: {error}"

    def end(self) -> Any:
        self._thread.join(20)
        assert not self._thread.is_alive()
        return self.result


@pytest.fixture
def certificate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What the listener of a broker with TLS is told; the certificate is one that this machine trusts."""
    if shutil.which("openssl") is None:
        pytest.skip("openssl makes the certificate, and is not on the PATH")
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    command = "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost"
    names = "-addext subjectAltName=DNS:localhost,IP:127.0.0.1"
    files = ["-keyout", str(key), "-out", str(certificate)]
    subprocess.run([*f"{command} {names}".split(), *files], check=True, capture_output=True)
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    return {"ssl": True, "certfile": str(certificate), "keyfile": str(key)}


@many_messages
@pytest.mark.parametrize(
    ("url", "kind", "tls"),
    [
        ("ws://127.0.0.1:{}/anywhere", "ws", False),
        ("ssl://localhost:{}", "tcp", True),
        ("wss://127.0.0.1:{}", "ws", True),
    ],
)
def test_brokers_are_reached_by_websocket_and_with_tls(
    url: str, kind: str, tls: bool, broker: Broker, request: pytest.FixtureRequest
) -> None:
    broker.listener = {"type": kind, **(request.getfixturevalue("certificate") if tls else {})}
    broker.start()
    ready(broker, "a")
    sent = ["x" * 100_000, *map(str, range(100))]
    reception = Reception(url.format(broker.listener_port))
    wait_until(partial(_has, reception, 1), "the subscription")
    broker.publish("a", sent)
    wait_until(partial(_has, reception, 1 + len(sent)), "the messages")
    assert reception.result is None, (reception.result, broker.log)
    reception.stopping.set()
    reception.end()
    assert reception.stored == [("a", READY), *(("a", message) for message in sent)]


def _has(reception: Reception, number: int) -> bool:
    """Whether a number of messages came, or the connection has ended."""
    return len(reception.stored) >= number or reception.result is not None


# paho-mqtt leaves the socket of a handshake that failed to the garbage collector.
@pytest.mark.filterwarnings("ignore:unclosed <ssl.SSLSocket:ResourceWarning")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_certificate_that_nobody_trusts_is_refused(
    broker: Broker, certificate: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SSL_CERT_FILE")
    broker.listener = {"type": "tcp", **certificate}
    broker.start()
    result = Reception(f"ssl://localhost:{broker.listener_port}").end()
    assert result.startswith("ConnectionError: Error connecting to ssl://localhost:")
    assert "certificate verify failed" in result


def test_a_refused_connection_is_a_message_and_a_new_try(
    ssc: StreamingContext, broker: Broker, caplog: pytest.LogCaptureFixture
) -> None:
    broker.anonymous = False
    broker.start()
    program = Program(ssc, MQTTUtils.createStream(ssc, broker.url, "a"))
    expected = f"{broker.url} refuses the connection: Not authorized"
    with caplog.at_level(logging.WARNING, "compat"):
        program.until(lambda: caplog.text.count(expected) >= 2, "two refusals")


def test_a_broker_is_told_user_and_password(broker: Broker) -> None:
    broker.passwords = {"anna": "pass é"}
    broker.start()
    for login in (None, ("anna", "wrong"), ("bert", "pass é")):
        result = Reception(broker.url, login=login).end()
        assert result.startswith(f"ConnectionError: {broker.url} refuses the connection")
    reception = Reception(broker.url, login=("anna", "pass é"))
    with broker.publisher("anna", "pass é") as client:

        def arrived() -> bool:
            client.publish("a", "x", qos=1).wait_for_publish(30)
            return bool(reception.stored) or reception.result is not None

        wait_until(arrived, "a message")
    reception.stopping.set()
    reception.end()
    assert reception.stored[0] == ("a", "x")


def test_a_password_is_not_shown(spark_context: SparkContext) -> None:
    ssc = StreamingContext(spark_context, 1, engine="structured")
    MQTTUtils.createStream(ssc, "tcp://localhost", "a", "anna", "secret")
    MQTTUtils.createStream(ssc, "tcp://localhost", "a", StorageLevel.MEMORY_ONLY)
    sources: Any = ssc._engine.graph.sources
    first, second = (source.receiver for source in sources)
    assert (first.user, first.password) == ("anna", "secret")
    assert "secret" not in repr(first)
    assert (second.user, second.password) == (None, None)


def test_a_refused_subscription_ends_the_connection_if_it_is_all_there_is(broker: Broker) -> None:
    broker.start()
    result = Reception(broker.url, TABOO).end()
    assert result == f"ConnectionError: {broker.url} refuses the subscription to {TABOO}"


def test_one_of_several_subscriptions_may_be_refused(
    broker: Broker, caplog: pytest.LogCaptureFixture
) -> None:
    broker.start()
    ready(broker, "a")
    reception = Reception(broker.url, TABOO, "a")
    wait_until(lambda: bool(reception.stored), "the message")
    reception.stopping.set()
    reception.end()
    assert reception.stored == [("a", READY)]
    assert f"{broker.url} refuses the subscription to {TABOO}; the other topics are received" in caplog.text


def test_nobody_at_the_port() -> None:
    url = f"tcp://127.0.0.1:{free_port()}"
    assert Reception(url).end().startswith(f"ConnectionError: Error connecting to {url}: ")


def test_a_broker_that_goes_away_ends_the_connection(broker: Broker) -> None:
    broker.start()
    ready(broker, "a")
    reception = Reception(broker.url)
    wait_until(lambda: bool(reception.stored), "the message")
    broker.kill()
    assert reception.end() == f"Connection to {broker.url} lost: The connection was lost."


def test_a_broker_that_says_nothing_holds_nobody_up() -> None:
    """And the socket is closed without the help of the garbage collector."""
    gc.disable()
    try:
        with closing(socket.create_server(("127.0.0.1", 0))) as server:
            reception = Reception(f"tcp://127.0.0.1:{server.getsockname()[1]}")
            connection, _ = server.accept()
            with connection:
                connection.settimeout(20)
                assert connection.recv(1) == b"\x10", "CONNECT"
                reception.stopping.set()
                reception.end()
                while connection.recv(1000):
                    pass
    finally:
        gc.enable()


def test_a_broker_that_knows_only_mqtt_3_1_is_spoken_to_in_it() -> None:
    """As Paho's client for Java does."""
    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        server.settimeout(20)
        reception = Reception(f"tcp://127.0.0.1:{server.getsockname()[1]}")
        for protocol, answer in ((b"MQTT", b"\x20\x02\x00\x01"), (b"MQIsdp", b"\x20\x02\x00\x00")):
            connection, _ = server.accept()
            with connection:
                connection.settimeout(20)
                assert protocol in connection.recv(1000)
                connection.sendall(answer)
                asked = connection.recv(1000)
        reception.end()
    assert asked[:1] == b"\x82", "SUBSCRIBE"
    assert asked.endswith(b"\x00\x01a\x01"), "the topic with QoS 1"


def test_signatures_are_those_of_the_originals() -> None:
    topics = {"createStream": "topic", "createPickleStream": "topic", "createPairedStream": "topics"}
    for name, topic in topics.items():
        parameters = inspect.signature(getattr(MQTTUtils, name)).parameters
        login = {"username": None, "password": None} if name == "createStream" else {}
        assert list(parameters) == ["ssc", "brokerUrl", topic, *login, "storageLevel"]
        defaults = {p.name: p.default for p in parameters.values() if p.default is not p.empty}
        assert defaults == {**login, "storageLevel": StorageLevel.MEMORY_AND_DISK_2}


NO_CONTEXT: Any = None
"""What is refused is refused before the context is asked for anything."""


@pytest.mark.parametrize(
    "url",
    [
        "",
        "localhost:1883",
        "tcp:localhost",
        "tcp://",
        "tcp://:1883",
        "tcp://localhost:",
        "tcp://localhost:mqtt",
        "tcp://localhost:1883/",
        "tcp://localhost:1883/path",
        "tcp://localhost?a",
        " tcp://localhost",
        "tcp://local host",
        "tcp://localhost\n",
        "tcp://::1",
        "mqtt://localhost",
        "http://localhost",
        "local://localhost",
        "ws://localhost/a b",
        "ws://localhost/a\r\nX: y",
    ],
)
def test_a_url_that_cannot_be_one_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match=r"^the URL of an MQTT broker is tcp://host:port, "):
        MQTTUtils.createStream(NO_CONTEXT, url, "a")


@pytest.mark.parametrize("port", [0, 65536])
def test_a_port_that_cannot_be_one_is_refused(port: int) -> None:
    with pytest.raises(ValueError, match=rf"^the port must be between 1 and 65535, not {port}$"):
        MQTTUtils.createStream(NO_CONTEXT, f"tcp://localhost:{port}", "a")


def test_a_password_is_refused_and_not_repeated() -> None:
    with pytest.raises(ValueError, match="holds no user and no password") as refusal:
        MQTTUtils.createStream(NO_CONTEXT, "tcp://user:secret@localhost", "a")
    assert "secret" not in str(refusal.value)


@pytest.mark.parametrize(
    ("url", "host", "port", "path"),
    [
        ("tcp://localhost", "localhost", 1883, "/mqtt"),
        ("ssl://broker.example", "broker.example", 8883, "/mqtt"),
        ("ws://localhost", "localhost", 80, "/mqtt"),
        ("wss://under_score/a?b=c", "under_score", 443, "/a?b=c"),
        ("tcp://[::1]:1884", "::1", 1884, "/mqtt"),
    ],
)
def test_what_a_url_leaves_out(url: str, host: str, port: int, path: str) -> None:
    address = Address.of(url)
    assert (address.url, address.host, address.port, address.path) == (url, host, port, path)


@pytest.mark.parametrize("topic", ["", "a/#/b", "a#", "#/#", "a+", "a/+b/c", "a\0", "\ud800", "x" * 65536])
def test_a_topic_that_cannot_be_one_is_refused(topic: str) -> None:
    with pytest.raises(ValueError, match="topic"):
        MQTTUtils.createStream(NO_CONTEXT, "tcp://localhost", topic)
    with pytest.raises(ValueError, match="topic"):
        MQTTUtils.createPairedStream(NO_CONTEXT, "tcp://localhost", ["a", topic])


@pytest.mark.parametrize("topic", ["#", "+", "+/+/#", "/", "a//b", "$SYS/#", "é", "a b"])
def test_a_topic_that_can_be_one(topic: str) -> None:
    check_filter(topic)


def test_wrong_types_are_refused() -> None:
    url: Any = "tcp://localhost"
    wrong: Any
    for wrong in (None, 1, b"tcp://localhost"):
        with pytest.raises(TypeError, match="brokerUrl must be a string"):
            MQTTUtils.createStream(NO_CONTEXT, wrong, "a")
    for wrong in (None, 1, b"a", ["a"]):
        with pytest.raises(TypeError, match="a topic must be a string"):
            MQTTUtils.createStream(NO_CONTEXT, url, wrong)
        with pytest.raises(TypeError, match="a topic must be a string"):
            MQTTUtils.createPairedStream(NO_CONTEXT, url, ["a", wrong])
    for wrong in (None, "a", {"a": 1}):
        with pytest.raises(TypeError, match="topics must be a list"):
            MQTTUtils.createPairedStream(NO_CONTEXT, url, wrong)
    with pytest.raises(ValueError, match="topics are missing"):
        MQTTUtils.createPairedStream(NO_CONTEXT, url, [])
    wrong = "MEMORY_ONLY"
    for create in (MQTTUtils.createStream, MQTTUtils.createPickleStream):
        with pytest.raises(TypeError, match="storageLevel must be of type"):
            create(NO_CONTEXT, url, "a", storageLevel=wrong)
    for login in ((1, "p"), ("u", b"p")):
        with pytest.raises(TypeError, match="must be a string, not a"):
            MQTTUtils.createStream(NO_CONTEXT, url, "a", *login)
    with pytest.raises(ValueError, match="a password and no username"):
        MQTTUtils.createStream(NO_CONTEXT, url, "a", None, "secret")


@pytest.mark.parametrize("missing", ["paho", "paho.mqtt.enums"])
def test_a_missing_or_old_library_is_named(missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith(f"{missing}.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(ImportError, match=r"python -m pip install 'dstream-migrate\[mqtt\]'"):
        MQTTUtils.createStream(NO_CONTEXT, "tcp://localhost", "a")
