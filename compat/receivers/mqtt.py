"""Messages from an MQTT broker, as the ``MQTTReceiver`` of Spark 1.6 and of Apache Bahir takes them."""

from __future__ import annotations

import logging
import re
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from compat.credentials import resolved
from compat.receivers.receiver import Receiver, Stopping, Store
from compat.utf8 import decoded

if TYPE_CHECKING:
    from paho.mqtt.client import Client, MQTTMessage

_log = logging.getLogger(__name__)

_PORTS = {"tcp": 1883, "ssl": 8883, "ws": 80, "wss": 443}
_URL = re.compile(
    rf"(?P<scheme>{'|'.join(_PORTS)})://"
    r"(?:\[(?P<ipv6>[0-9A-Fa-f:.]+)\]|(?P<host>[^\s/?#@:\[\]]+))"
    r"(?::(?P<port>[0-9]{1,5}))?"
    r"(?P<path>(?:/[!-~]*)?)"
)
_QOS = 1
_KEEP_ALIVE_SECONDS = 60
_CONNECT_SECONDS = 5
_TURN_SECONDS = 0.2
"""How long the end of the program may go unseen."""


@dataclass(frozen=True)
class Broker:
    """Where a broker is."""

    url: str
    scheme: str
    host: str
    port: int
    path: str

    @classmethod
    def of(cls, url: str) -> Broker:
        """The broker at a URL such as Paho's client for Java takes.

        Raises:
            ValueError: it is none.
        """
        if "@" in url:  # what stands before it may be secret: the message does not repeat it
            raise ValueError("the URL of an MQTT broker holds no user and no password")
        parts = _URL.fullmatch(url)
        if parts is None or (parts["path"] and not parts["scheme"].startswith("ws")):
            raise ValueError(
                f"the URL of an MQTT broker is tcp://host:port, ssl://host:port, ws://host:port/path or"
                f" wss://host:port/path, not {url!r}"
            )
        scheme, port = parts["scheme"], int(parts["port"] or _PORTS[parts["scheme"]])
        if not 0 < port < 65536:
            raise ValueError(f"the port must be between 1 and 65535, not {port}")
        return cls(url, scheme, parts["ipv6"] or parts["host"], port, parts["path"] or "/mqtt")


def check_filter(topic: str) -> None:
    """Refuse a topic to which nobody can subscribe.

    Raises:
        ValueError: it is empty, too long, or has a wildcard where none may be.
    """
    if not 0 < len(topic.encode("utf-8", "surrogatepass")) < 65536:
        raise ValueError("a topic has between 1 and 65535 bytes")
    levels = topic.split("/")
    alone = all(level in ("#", "+") or not {"#", "+"} & set(level) for level in levels)
    if not alone or "#" in levels[:-1] or re.search("[\0\ud800-\udfff]", topic):
        raise ValueError(
            f"no topic: {topic!r}. Wildcards have a level of their own, and # the last one;"
            " NUL and surrogates stand nowhere"
        )


@dataclass(frozen=True)
class MQTTReceiver(Receiver):
    """Stores messages as text; what is no UTF-8 becomes U+FFFD, as in Java."""

    name: ClassVar[str] = "MQTTReceiver"
    broker: Broker
    topics: tuple[str, ...]
    user: str | None = None
    password: str | None = field(default=None, repr=False)

    @property
    def place(self) -> str:
        """The broker's URL."""
        return self.broker.url

    @property
    def credentials(self) -> Mapping[str, str]:
        """See `Receiver`."""
        return {} if self.password is None else {"password": self.password}

    def element(self, message: MQTTMessage) -> Any:
        """The element for a message."""
        return decoded(message.payload)

    def receive(self, store: Store, stopping: Stopping) -> str:
        """See `Receiver`."""
        from paho.mqtt.client import error_string

        # Nothing that the client calls may refer to it: it closes its sockets when the last reference goes.
        client = self._client(_Session(self, store))
        try:
            code = client.connect(self.broker.host, self.broker.port, _KEEP_ALIVE_SECONDS)
        except (OSError, UnicodeError) as error:  # UnicodeError: a host name that DNS cannot have
            raise ConnectionError(f"Error connecting to {self.place}: {error}") from error
        try:
            while not (stopping or code):
                code = client.loop(_TURN_SECONDS)
        finally:
            client.disconnect()
        return f"Connection to {self.place} lost: {error_string(code)}"

    def _client(self, session: _Session) -> Client:
        from paho.mqtt.client import Client
        from paho.mqtt.enums import CallbackAPIVersion

        client = Client(
            CallbackAPIVersion.VERSION2,
            client_id=f"paho{uuid.uuid4().hex[:16]}",  # MQTT 3.1 allows 23 characters
            clean_session=True,
            transport="websockets" if self.broker.scheme.startswith("ws") else "tcp",
        )
        client.connect_timeout = _CONNECT_SECONDS
        if self.user is not None:
            client.username_pw_set(resolved(self.user), self.password and resolved(self.password))
        if self.broker.scheme in ("ssl", "wss"):
            client.tls_set()
        if client.transport == "websockets":
            client.ws_set_options(self.broker.path)
        client.on_connect = session.connected
        client.on_subscribe = session.subscribed
        client.on_message = session.arrived
        return client


@dataclass(frozen=True)
class MQTTPairReceiver(MQTTReceiver):
    """Stores pairs of topic and text."""

    name: ClassVar[str] = "MQTTPairReceiver"

    def element(self, message: MQTTMessage) -> Any:
        """See `MQTTReceiver`."""
        return message.topic, super().element(message)


@dataclass(frozen=True)
class MQTTBytesReceiver(MQTTReceiver):
    """Stores messages as bytes."""

    def element(self, message: MQTTMessage) -> Any:
        """See `MQTTReceiver`."""
        return bytes(message.payload)


class _Session:
    """The callbacks of the client; an exception in one ends the connection."""

    def __init__(self, receiver: MQTTReceiver, store: Store) -> None:
        self._receiver = receiver
        self._store = store

    def connected(self, client: Client, _data: Any, _flags: Any, reason: Any, _properties: Any) -> None:
        if reason.is_failure:
            raise ConnectionError(f"{self._receiver.place} refuses the connection: {reason}")
        client.subscribe([(topic, _QOS) for topic in self._receiver.topics])

    def subscribed(
        self, _client: Client, _data: Any, _mid: int, reasons: Sequence[Any], _properties: Any
    ) -> None:
        answers = zip(self._receiver.topics, reasons, strict=False)
        refused = [topic for topic, reason in answers if reason.is_failure]
        if refused:
            message = f"{self._receiver.place} refuses the subscription to {', '.join(refused)}"
            if len(refused) == len(self._receiver.topics):
                raise ConnectionError(message)
            _log.warning("%s; the other topics are received", message)

    def arrived(self, _client: Client, _data: Any, message: MQTTMessage) -> None:
        self._store(self._receiver.element(message))
