"""What Spark's own tests of Kafka know as ``KafkaTestUtils``, over a broker that runs."""

from __future__ import annotations

import os
from collections.abc import Mapping

from tests.e2e.kafka.broker import Cluster


class KafkaTestUtils:
    """The members that the tests in Python use; the broker is ``COMPAT_KAFKA_BOOTSTRAP``'s."""

    def setup(self) -> None:
        """Begin."""
        self._cluster = Cluster(os.environ["COMPAT_KAFKA_BOOTSTRAP"])

    def teardown(self) -> None:
        """End: topics stay."""

    def brokerAddress(self) -> str:  # noqa: N802
        """The broker."""
        return self._cluster.address

    def zkAddress(self) -> str:  # noqa: N802
        """There is no ZooKeeper any more."""
        return "127.0.0.1:2181"

    def createTopic(self, topic: str) -> None:  # noqa: N802
        """Make a topic of one partition, anew if there is one: names are drawn from 10,000."""
        if self._cluster.partitions(topic):
            self._cluster.delete(topic)
        self._cluster.create(topic)

    def sendMessages(self, topic: str, counts: Mapping[str, int]) -> None:  # noqa: N802
        """Send each message so many times."""
        self._cluster.send(topic, *(message for message, times in counts.items() for _ in range(times)))
