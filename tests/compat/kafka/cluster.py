"""A Kafka that is made up."""

from __future__ import annotations

from collections.abc import Collection

from compat.kafka.places import Place


class Cluster:
    """Partitions with the offsets of their first message and of the next one."""

    address = "kafka:9092"

    def __init__(self, **topics: list[tuple[int, int]]) -> None:
        self.topics = topics
        self.groups: dict[str, dict[Place, int]] = {}

    def partitions(self, topics: Collection[str]) -> dict[str, int]:
        return {topic: len(self.topics[topic]) for topic in topics if topic in self.topics}

    def earliest(self, places: Collection[Place]) -> dict[Place, int]:
        return {place: self.topics[place.topic][place.partition][0] for place in places}

    def latest(self, places: Collection[Place]) -> dict[Place, int]:
        return {place: self.topics[place.topic][place.partition][1] for place in places}

    def committed(self, group: str, places: Collection[Place]) -> dict[Place, int]:
        return {place: n for place, n in self.groups.get(group, {}).items() if place in places}

    def commit(self, group: str, offsets: dict[Place, int]) -> None:
        self.groups.setdefault(group, {}).update(offsets)
