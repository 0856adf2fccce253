"""The format ``mqtt``: messages of an MQTT broker."""

from __future__ import annotations

import sys
from collections.abc import MutableMapping
from typing import Any

from pyspark import cloudpickle
from pyspark.sql.datasource import DataSource
from pyspark.sql.types import BinaryType, StructType

from compat import credentials
from compat.receivers import mqtt as receivers
from compat.receivers.mqtt import Broker, MQTTPairReceiver, MQTTReceiver, check_filter
from compat.sources.kept import Row
from compat.sources.received import ReceivedStream, positive, required
from compat.utf8 import decoded

for _module in (__name__, receivers.__name__, credentials.__name__):
    cloudpickle.register_pickle_by_value(sys.modules[_module])

SCHEMA = "topic STRING, value STRING"


class MqttSource(DataSource):
    """Messages as rows of `topic` and `value`.

    A value is text, in which bytes that are no UTF-8 are U+FFFD, or the bytes themselves under the schema
    ``topic STRING, value BINARY``.

    A broker does not give a message twice: what was received and not put out is lost when the driver dies,
    and so is what is sent while nobody is connected. With the option `directory` the rows of a batch are
    written there, on the driver's machine, before the batch gets them, and a query that goes on from its
    checkpoint has those of its last batch again. Each query has a directory of its own. Messages are
    subscribed to with QoS 1, in a clean session; the connection is made again when it ends.

    The Python of the workers needs paho-mqtt on the driver's machine; executors need nothing.

    Options:
        broker: ``tcp://host:port``, ``ssl://``, ``ws://`` or ``wss://``.
        topic: what to subscribe to, with the wildcards ``+`` and ``#`` if need be.
        topics: several of them, each on a line of its own.
        username, password: if the broker asks for them.
        maxRecordsPerTrigger: how many messages a batch gets at most.
        directory: see above.
    """

    def __init__(self, options: MutableMapping[str, str]) -> None:
        super().__init__(options)
        self._settings = {name.lower(): value for name, value in options.items()}
        Broker.of(required(self._settings, "broker", "tcp://host:1883"))
        for topic in self._topics():
            check_filter(topic)
        if "password" in self._settings and "username" not in self._settings:
            raise ValueError("there is a password without a user")
        positive(self._settings, "maxRecordsPerTrigger")

    @classmethod
    def name(cls) -> str:
        """What the format is called."""
        return "mqtt"

    def schema(self) -> str:
        """Topic and text."""
        return SCHEMA

    def streamReader(self, schema: StructType) -> MqttStream:
        """See `DataSource`.

        Raises:
            ValueError: the schema is another one.
        """
        binary = [field.dataType for field in schema.fields[1:]] == [BinaryType()]
        if schema.fieldNames() != ["topic", "value"]:
            raise ValueError(
                f"messages of MQTT have the columns `topic` and `value`, not {schema.fieldNames()}"
            )
        return MqttStream(self._settings, self._topics(), binary=binary)

    def _topics(self) -> tuple[str, ...]:
        if "topics" in self._settings and "topic" not in self._settings:
            return tuple(self._settings["topics"].split("\n"))
        return (required(self._settings, "topic", "what to subscribe to"),)


class MqttStream(ReceivedStream):
    """The stream of a subscription."""

    def __init__(self, settings: dict[str, str], topics: tuple[str, ...], *, binary: bool) -> None:
        super().__init__(settings)
        self._settings = settings
        self._topics = topics
        self._binary = binary

    def receiver(self) -> MQTTReceiver:
        """Receives topics and messages."""
        settings = self._settings
        broker, user, password = (
            Broker.of(settings["broker"]),
            settings.get("username"),
            settings.get("password"),
        )
        return _Receiver(broker, self._topics, user, password)

    def row(self, element: Any) -> Row:
        """Topic and message."""
        topic, payload = element
        return (topic, payload if self._binary else decoded(payload))


class _Receiver(MQTTPairReceiver):
    """Stores pairs of topic and bytes."""

    def element(self, message: Any) -> Any:
        return message.topic, bytes(message.payload)
