"""`pyspark.streaming.mqtt` as PySpark 1.6 had it last, and the `mqtt` of Apache Bahir, which took it over.

No Java library is needed, but paho-mqtt: ``python -m pip install 'dstream-migrate[mqtt]'``."""

from __future__ import annotations

import pickle
import uuid
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pyspark.storagelevel import StorageLevel

from compat import graph
from compat.receivers.mqtt import Broker, MQTTBytesReceiver, MQTTPairReceiver, MQTTReceiver, check_filter

if TYPE_CHECKING:
    from compat.streaming.context import StreamingContext
    from compat.streaming.dstream import DStream

__all__ = ["MQTTUtils"]


class MQTTUtils:
    """Streams of MQTT's messages.

    As by Spark's MQTTReceiver, which Bahir has gone on with, messages are subscribed to with QoS 1 in a clean
    session, with a client id of its own for each connection; what is sent between two connections is lost,
    and a retained message comes again with the next one. The driver receives, and connects again, with a
    message in the log, when the connection ends or is refused. Messages that were received and not put out
    are lost in a crash, as they are with Spark's receivers without a write-ahead log; on Structured Streaming
    with a checkpoint directory only those of the last ``spark.streaming.blockInterval``.

    Brokers are at ``tcp://host:port``, with TLS at ``ssl://host:port``, by WebSocket at
    ``ws://host:port/path`` or ``wss://host:port/path``. Without a port it is 1883, 8883, 80 or 443; without
    a path ``/mqtt``.

    With TLS, certificates are checked against those that OpenSSL trusts on the driver, or that
    ``SSL_CERT_FILE`` names, and not against Java's; and they must be for the broker's host, which Paho's
    client of that time did not check.

    A user or a password may be a name, so that no checkpoint holds it: ``${env:NAME}`` for a variable of the
    driver's environment, ``${spark.name}`` for a setting.

    Topics may have the wildcards ``+`` and ``#``. Bytes that are no UTF-8 become U+FFFD, as many as in Java.
    """

    @staticmethod
    def createStream(
        ssc: StreamingContext,
        brokerUrl: str,
        topic: str,
        username: str | StorageLevel | None = None,
        password: str | None = None,
        storageLevel: StorageLevel = StorageLevel.MEMORY_AND_DISK_2,
    ) -> DStream[str]:
        """Messages of `topic` as text. `storageLevel` changes nothing.

        Bahir's module has this function twice: as Spark had it, which is overwritten, and with a user and a
        password before the storage level. Both orders are taken: a StorageLevel in the place of `username` is
        the storage level.

        Raises:
            TypeError: the URL, the topic, the user or the password is no string, or `storageLevel` no
                StorageLevel.
            ValueError: no broker can have that URL, nobody can subscribe to that topic, or there is a
                password without a user.
            ImportError: paho-mqtt is not installed, or older than 2.
        """
        if isinstance(username, StorageLevel):
            return _stream(ssc, MQTTReceiver, brokerUrl, (topic,), username)
        return _stream(ssc, MQTTReceiver, brokerUrl, (topic,), storageLevel, username, password)

    @staticmethod
    def createPickleStream(
        ssc: StreamingContext,
        brokerUrl: str,
        topic: str,
        storageLevel: StorageLevel = StorageLevel.MEMORY_AND_DISK_2,
    ) -> DStream[Any]:
        """What was pickled into the messages of `topic`; strings of Python 2 are bytes. Bahir has this.

        Whoever may publish there can run code of theirs on the executors: a pickle is a program. A message
        that is no pickle fails its batch. Spark's receiver makes text of messages before they are unpickled,
        which only pickles of protocol 0 survive; here all do. `storageLevel` changes nothing.

        Raises:
            TypeError: the URL or the topic is no string, or `storageLevel` no StorageLevel.
            ValueError: no broker can have that URL, or nobody can subscribe to that topic.
            ImportError: paho-mqtt is not installed, or older than 2.
        """
        messages = _stream(ssc, MQTTBytesReceiver, brokerUrl, (topic,), storageLevel)
        return messages.map(lambda message: pickle.loads(message, encoding="bytes"))

    @staticmethod
    def createPairedStream(
        ssc: StreamingContext,
        brokerUrl: str,
        topics: Sequence[str],
        storageLevel: StorageLevel = StorageLevel.MEMORY_AND_DISK_2,
    ) -> DStream[tuple[str, str]]:
        """Pairs of topic and text of the messages of all `topics`. Bahir has this.

        A topic that the broker refuses is missing, with a warning, as long as it does not refuse all.
        `storageLevel` changes nothing.

        Raises:
            TypeError: the URL or a topic is no string, `topics` no list, or `storageLevel` no StorageLevel.
            ValueError: no broker can have that URL, nobody can subscribe to one of the topics, or there is
                none.
            ImportError: paho-mqtt is not installed, or older than 2.
        """
        if not isinstance(topics, (list, tuple)):
            raise TypeError(f"topics must be a list, not {topics!r}")
        if not topics:
            raise ValueError("topics are missing")
        return _stream(ssc, MQTTPairReceiver, brokerUrl, tuple(topics), storageLevel)


def _stream(
    ssc: StreamingContext,
    kind: type[MQTTReceiver],
    url: str,
    topics: tuple[str, ...],
    storage_level: StorageLevel,
    user: str | None = None,
    password: str | None = None,
) -> DStream[Any]:
    if not isinstance(url, str):
        raise TypeError(f"brokerUrl must be a string, not {url!r}")
    for topic in topics:
        if not isinstance(topic, str):
            raise TypeError(f"a topic must be a string, not {topic!r}")
        check_filter(topic)
    if not isinstance(storage_level, StorageLevel):
        raise TypeError("storageLevel must be of type pyspark.StorageLevel")
    for name, given in (("username", user), ("password", password)):
        if given is not None and not isinstance(given, str):
            raise TypeError(f"{name} must be a string, not a {type(given).__name__}")
    if password is not None and user is None:
        raise ValueError("there is a password and no username")
    receiver = kind(Broker.of(url), topics, user, password)
    try:
        from paho.mqtt.enums import CallbackAPIVersion  # noqa: F401 - new in version 2
    except ImportError as error:
        raise ImportError(
            "MQTT is received with paho-mqtt 2: python -m pip install 'dstream-migrate[mqtt]'"
        ) from error
    return ssc._add_stream(
        graph.ReceiverStream(ssc._interval_ms, receiver, identity=f"compat-{uuid.uuid4()}")
    )
