"""A Kafka broker of one node, and what tests do with it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from confluent_kafka import (
    Consumer,
    ConsumerGroupTopicPartitions,
    KafkaError,
    KafkaException,
    Producer,
    TopicPartition,
)
from confluent_kafka.admin import (  # type: ignore[attr-defined]
    AdminClient,
    ConfigResource,
    NewPartitions,
    NewTopic,
)

from migrate.kafka.broker import Server
from tests.statements import wait_until

SECONDS = 60

# Retention and compaction come within a test.
SETTINGS = """\
log.retention.check.interval.ms=200
log.cleaner.backoff.ms=200
log.initial.task.delay.ms=200
file.delete.delay.ms=100
message.max.bytes=4000000
"""


class Cluster:
    """What tests ask of a Kafka that runs.

    Args:
        address: the brokers.
    """

    def __init__(self, address: str) -> None:
        self.address = address
        self._topics = 0

    @cached_property
    def admin(self) -> AdminClient:
        """Made when it is first asked for."""
        return AdminClient({"bootstrap.servers": self.address, "log_level": 0})

    @cached_property
    def _producer(self) -> Producer:
        settings = {"enable.idempotence": True, "message.max.bytes": 4_000_000}
        return Producer({"bootstrap.servers": self.address, "log_level": 0, **settings})

    def topic(self, partitions: int = 1, **config: str) -> str:
        """Make a topic; its name. Dots in the names of its settings are underscores."""
        self._topics += 1
        name = f"topic-{self._topics}"
        self.create(name, partitions, **config)
        return name

    def create(self, name: str, partitions: int = 1, **config: str) -> None:
        """Make a topic of that name."""
        settings = {key.replace("_", "."): value for key, value in config.items()}
        self.admin.create_topics([NewTopic(name, partitions, 1, config=settings)])[name].result(SECONDS)
        wait_until(lambda: self.partitions(name) == partitions, f"topic {name}", timeout=SECONDS)

    def configure(self, topic: str, **config: str) -> None:
        """Set a topic's settings anew."""
        settings = {key.replace("_", "."): value for key, value in config.items()}
        resource = ConfigResource(ConfigResource.Type.TOPIC, topic, set_config=settings)
        self.admin.alter_configs([resource])[resource].result(SECONDS)

    def delete(self, name: str) -> None:
        """Delete a topic."""
        self.admin.delete_topics([name])[name].result(SECONDS)
        wait_until(lambda: self.partitions(name) == 0, f"the end of topic {name}", timeout=SECONDS)

    def grow(self, topic: str, partitions: int) -> None:
        """Give a topic more partitions."""
        self.admin.create_partitions([NewPartitions(topic, partitions)])[topic].result(SECONDS)
        wait_until(lambda: self.partitions(topic) == partitions, f"partitions of {topic}", timeout=SECONDS)
        self._producer.list_topics(topic, timeout=SECONDS)  # it would not look by itself

    def partitions(self, topic: str) -> int:
        """How many partitions a topic has; 0: there is none of that name."""
        found = self.admin.list_topics(timeout=SECONDS).topics.get(topic)
        return 0 if found is None else len(found.partitions)

    def send(self, topic: str, *values: Any, partition: int = 0, key: Any = None) -> None:
        """Send values, text or bytes or None, to a partition."""
        for value in values:
            self._producer.produce(topic, value, key=key, partition=partition)
        assert self._producer.flush(SECONDS) == 0

    def ends(self, topic: str, partition: int = 0) -> tuple[int, int]:
        """The offsets of the first message of a partition and of the next one."""
        consumer = Consumer({"bootstrap.servers": self.address, "group.id": "ends", "log_level": 0})
        try:
            low, high = consumer.get_watermark_offsets(TopicPartition(topic, partition), timeout=SECONDS)
            return int(low), int(high)
        finally:
            consumer.close()

    def read(self, topic: str, partition: int = 0) -> list[Any]:
        """The values of a partition."""
        consumer = Consumer({"bootstrap.servers": self.address, "group.id": "read", "log_level": 0})
        place = TopicPartition(topic, partition)
        try:
            place.offset, end = consumer.get_watermark_offsets(place, timeout=SECONDS)
            consumer.assign([place])
            values = []
            while consumer.position([place])[0].offset < end and place.offset < end:
                message = consumer.poll(1)
                if message is None:
                    break
                values.append(message.value())
            return values
        finally:
            consumer.close()

    def commit(self, group: str, topic: str, offsets: Mapping[int, int]) -> None:
        """Commit a group's offsets, by the number of the partition."""
        places = [TopicPartition(topic, partition, offset) for partition, offset in offsets.items()]

        self._group(self.admin.alter_consumer_group_offsets, group, places)

    def committed(self, group: str, topic: str, partitions: Iterable[int] = (0,)) -> dict[int, int]:
        """The offsets that a group has committed; -1001 stands for none."""
        places = [TopicPartition(topic, partition) for partition in partitions]
        found = self._group(self.admin.list_consumer_group_offsets, group, places)
        return {place.partition: place.offset for place in found}

    def _group(self, ask: Any, group: str, places: list[TopicPartition]) -> list[TopicPartition]:
        answers: list[list[TopicPartition]] = []

        def answered() -> bool:
            # A broker that has just started does not know its groups yet.
            try:
                found = ask([ConsumerGroupTopicPartitions(group, places)])[group].result(SECONDS)
            except KafkaException as error:
                if error.args[0].code() != KafkaError.COORDINATOR_LOAD_IN_PROGRESS:
                    raise
                return False
            answers.append(found.topic_partitions)
            return all(place.error is None for place in found.topic_partitions)

        wait_until(answered, f"an answer about the offsets of group {group}", timeout=SECONDS)
        return answers[-1]


class Broker(Cluster):
    """A broker that runs, with an empty log when it is made.

    Args:
        work: a directory for its data.
    """

    def __init__(self, work: Path) -> None:
        self._server = Server(work, SETTINGS)
        self.port = self._server.port
        super().__init__(self._server.broker.address)
        self.start()

    def start(self) -> None:
        """Start it, and wait until it answers."""
        self._server.start()
        asked = AdminClient({"bootstrap.servers": self.address, "log_level": 0})

        def answers() -> bool:
            try:
                return bool(asked.list_topics(timeout=1).brokers)
            except KafkaException:
                return False

        wait_until(answers, "an answer of the broker", timeout=SECONDS)

    def stop(self) -> None:
        """Stop it; its data stays.

        The clients go with it: one that loses its only broker can end the process, by an assertion in the
        library (https://github.com/confluentinc/librdkafka/issues/3608).
        """
        for client in ("admin", "_producer"):
            vars(self).pop(client, None)
        self._server.stop(seconds=SECONDS)
