"""Kafka under the harness: topics of the run's own on a real broker, fed batch by batch.

A program that reads ``pages`` reads ``pages.<something>``, which no other program knows; reports say
``pages`` again. Some records from before the start lie there, which a stream that begins at the end must not
see. A batch is whole before anybody can read of it: the old program's clock moves on afterwards, and a native
query is held in its batch function meanwhile (`Gate`), so that each micro-batch ends where the batch does.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from typing import Any

from migrate.kafka.record import Record
from migrate.verify.child.session import Session, Unsupported

STALE = 2
"""Records of each partition from before the start."""
_MOST = 10_000
"""Offsets up to which a partition is filled to make an offset of the program valid."""


class Topics:
    """The topics of one program."""

    def __init__(self, session: Session) -> None:
        spec = session.spec.kafka
        assert spec is not None
        self._session = session
        self.address = spec.address
        self._suffix = spec.suffix
        self._partitions = spec.partitions
        self._ends: dict[str, list[int]] = {}
        """The offset after the last record of each partition, by the topic's name in the program."""
        self._stale: set[str] = set()

    def name(self, topic: str) -> str:
        """The name that a topic of the program has on the broker."""
        return f"{topic}.{self._suffix}"

    def use(self, topics: list[str], offsets: Mapping[str, Mapping[int, int]] | None = None) -> None:
        """Make topics that the program reads, if they are not there.

        Args:
            topics: as the program calls them.
            offsets: those that the program begins with, up to which partitions are filled.
        """
        for topic in sorted(set(topics)):
            self._session.source("topic", topic)
            wanted = (offsets or {}).get(topic, {})
            if topic not in self._ends:
                count = max([self._partitions, *(partition + 1 for partition in wanted)])
                self._create(topic, count)
            ends = self._ends[topic]
            stale = [max(0, wanted.get(place, 0) - end) for place, end in enumerate(ends)]
            if max(stale) > _MOST:
                raise Unsupported(f"verify cannot supply {topic} up to offset {max(stale)}")
            self._write(topic, [(place, None, b"stale") for place, n in enumerate(stale) for _ in range(n)])

    def add_stale(self, topics: list[str]) -> None:
        """Records that are there before a stream begins at the end; one that began before sees no more."""
        for topic in set(topics) - self._stale:
            self._stale.add(topic)
            count = len(self._ends[topic])
            self._write(topic, [(place, None, b"stale") for place in range(count) for _ in range(STALE)])

    def ends(self, topics: list[str]) -> dict[str, dict[str, int]]:
        """The end of each partition, by the names on the broker, as ``startingOffsets`` takes it."""
        return {
            self.name(topic): {str(place): end for place, end in enumerate(self._ends[topic])}
            for topic in topics
        }

    def feed(self, index: int) -> None:
        """Put a batch into every topic."""
        for topic in self._ends:
            number = self._session.source("topic", topic)
            records = [Record.of(line) for line in self._session.lines_for(number, index)]
            count = len(self._ends[topic])
            rows = [
                (record.partition_of(place, count), record.key, record.value)
                for place, record in enumerate(records)
            ]
            self._write(topic, rows)

    # --- the broker -----------------------------------------------------------------------------------------

    def _create(self, topic: str, partitions: int) -> None:
        jvm = _spark()._jvm
        settings = jvm.java.util.HashMap()
        settings.put("bootstrap.servers", self.address)
        admin = jvm.org.apache.kafka.clients.admin
        client = admin.AdminClient.create(settings)
        try:
            made = jvm.java.util.ArrayList()
            optional = jvm.java.util.Optional
            made.add(admin.NewTopic(self.name(topic), optional.of(partitions), optional.empty()))
            client.createTopics(made).all().get()
        finally:
            client.close()
        self._ends[topic] = [0] * partitions

    def _write(self, topic: str, rows: list[tuple[int, bytes | None, bytes | None]]) -> None:
        if not rows:
            return
        spark = _spark()
        schema = "partition int, key binary, value binary"
        frame = spark.createDataFrame(
            [(part, _array(key), _array(value)) for part, key, value in rows], schema
        )
        writer = frame.coalesce(1).write.format("kafka")
        writer = writer.option("kafka.bootstrap.servers", self.address)
        writer.option("topic", self.name(topic)).save()
        for partition, _, _ in rows:
            self._ends[topic][partition] += 1


def _array(value: bytes | None) -> bytearray | None:
    return None if value is None else bytearray(value)


def _spark() -> Any:
    from pyspark.sql import SparkSession

    return SparkSession.builder.getOrCreate()


class Gate:
    """Holds queries in their batch functions until the next batch is whole."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._fed = 0
        self._open = False

    def fed(self) -> None:
        """One more batch with records is there."""
        with self._changed:
            self._fed += 1
            self._changed.notify_all()

    def open(self) -> None:
        """There are no more batches."""
        with self._changed:
            self._open = True
            self._changed.notify_all()

    def wait(self, done: int) -> None:
        """Return when there are more batches than those that the query is done with, or none will come."""
        with self._changed:
            self._changed.wait_for(lambda: self._open or self._fed > done)


def parsed_offsets(text: str) -> dict[str, dict[int, int]]:
    """``startingOffsets`` in its JSON form."""
    return {
        topic: {int(partition): int(offset) for partition, offset in partitions.items()}
        for topic, partitions in json.loads(text).items()
    }
