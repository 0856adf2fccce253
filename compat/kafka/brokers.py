"""The driver's own questions to Kafka, by the admin client that the connector brings along."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Any

from py4j.protocol import Py4JJavaError

from compat.credentials import all_resolved
from compat.kafka.connector import connected
from compat.kafka.parameters import BOOTSTRAP
from compat.kafka.places import Place

if TYPE_CHECKING:
    from pyspark import SparkContext

_ANSWER_MS = 30_000
"""How long Kafka's client goes on trying before an answer counts as missing."""
_TIMEOUTS = ("request.timeout.ms", "default.api.timeout.ms")


class KafkaError(RuntimeError):
    """Kafka did not answer, or refused; the text is one sentence that names the brokers."""


class Brokers:
    """A Kafka cluster.

    Args:
        spark_context: whose class path has the connector.
        settings: a consumer's, ``bootstrap.servers`` and what is needed to be let in among them.

    Raises:
        RuntimeError: there is no connector.
        KafkaError: the settings are none that a client can begin with, as an address without a host.
    """

    def __init__(self, spark_context: SparkContext, settings: Mapping[str, str]) -> None:
        self._jvm = connected(spark_context)
        settings = all_resolved(settings)
        self.address = settings[BOOTSTRAP]
        request_ms = int(settings.get(_TIMEOUTS[0], 10_000))
        self._answer_ms = max(int(settings.get(_TIMEOUTS[1], _ANSWER_MS)), request_ms)
        client = self._jvm.java.util.HashMap()
        waits = dict(zip(_TIMEOUTS, map(str, (request_ms, self._answer_ms)), strict=True))
        for name, value in {**settings, **waits}.items():
            client.put(name, value)
        committed_only = settings.get("isolation.level", "").lower() == "read_committed"
        levels = self._jvm.org.apache.kafka.common.IsolationLevel
        level = levels.READ_COMMITTED if committed_only else levels.READ_UNCOMMITTED
        admin = self._jvm.org.apache.kafka.clients.admin
        self._listing = admin.ListOffsetsOptions(level)
        self._spec = admin.OffsetSpec
        self._offset = self._jvm.org.apache.kafka.clients.consumer.OffsetAndMetadata
        self._places: dict[Place, Any] = {}
        try:
            self._admin = admin.AdminClient.create(client)
        except Py4JJavaError as error:
            raise self._error("cannot be used", error.java_exception) from error

    def __enter__(self) -> Brokers:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the connections."""
        self._admin.close(self._jvm.java.time.Duration.ofSeconds(1))

    def partitions(self, topics: Collection[str]) -> dict[str, int]:
        """How many partitions each of the topics has; a topic that there is not is left out."""
        names = self._jvm.java.util.ArrayList()
        for topic in topics:
            names.add(topic)
        asked = self._admin.describeTopics(names).topicNameValues()
        found = {topic: self._described(topic, asked.get(topic)) for topic in topics}
        return {topic: len(description.partitions()) for topic, description in found.items() if description}

    def earliest(self, places: Collection[Place]) -> dict[Place, int]:
        """The offset of the oldest message of each partition."""
        return self._offsets(places, self._spec.earliest())

    def latest(self, places: Collection[Place]) -> dict[Place, int]:
        """The offset that the next message of each partition will have."""
        return self._offsets(places, self._spec.latest())

    def committed(self, group: str, places: Collection[Place]) -> dict[Place, int]:
        """The offsets that a consumer group has committed; a partition without one is left out."""
        future = self._admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata()
        answer = self._answer(future, f"does not tell the offsets of group {group}")
        found = {place: answer.get(self._java(place)) for place in places}
        return {place: offset.offset() for place, offset in found.items() if offset is not None}

    def commit(self, group: str, offsets: Mapping[Place, int]) -> None:
        """Make these the offsets of a consumer group.

        Raises:
            KafkaError: also where consumers that Kafka assigns partitions to are at work in the group.
        """
        new = self._jvm.java.util.HashMap()
        for place, offset in offsets.items():
            new.put(self._java(place), self._offset(offset))
        future = self._admin.alterConsumerGroupOffsets(group, new).all()
        self._answer(future, f"does not take the offsets of group {group}")

    def _described(self, topic: str, future: Any) -> Any:
        try:
            return self._answer(future, f"tells nothing of topic {topic}")
        except KafkaError as error:
            if "UnknownTopicOrPartition" in str(error):
                return None
            raise

    def _offsets(self, places: Collection[Place], spec: Any) -> dict[Place, int]:
        if not places:
            return {}
        asked = self._jvm.java.util.HashMap()
        for place in places:
            asked.put(self._java(place), spec)
        answer = self._answer(
            self._admin.listOffsets(asked, self._listing).all(), f"does not tell the offsets of {_of(places)}"
        )
        return {place: answer.get(self._java(place)).offset() for place in places}

    def _java(self, place: Place) -> Any:
        if place not in self._places:
            self._places[place] = self._jvm.org.apache.kafka.common.TopicPartition(*place)
        return self._places[place]

    def _answer(self, future: Any, without: str) -> Any:
        unit = self._jvm.java.util.concurrent.TimeUnit.MILLISECONDS
        try:
            return future.get(self._answer_ms + 5_000, unit)
        except Py4JJavaError as error:
            raise self._error(without, error.java_exception) from error

    def _error(self, what: str, java: Any) -> KafkaError:
        while java.getCause() is not None:
            java = java.getCause()
        return KafkaError(
            f"Kafka at {self.address} {what}: {java.getClass().getSimpleName()}: {java.getMessage()}"
        )


def _of(places: Iterable[Place]) -> str:
    return "topic " + ", ".join(sorted({place.topic for place in places}))
