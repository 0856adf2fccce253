"""Partitions of topics, and spans of their messages, as this package and its logs have them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple


class Place(NamedTuple):
    """A partition of a topic."""

    topic: str
    partition: int

    def __str__(self) -> str:
        return f"topic {self.topic}, partition {self.partition}"


class Span(NamedTuple):
    """The messages of a partition from the offset `first` to the one before `until`."""

    topic: str
    partition: int
    first: int
    until: int

    @property
    def place(self) -> Place:
        """Where the messages are."""
        return Place(self.topic, self.partition)


def spans(logged: Iterable[Iterable[str | int]]) -> list[Span]:
    """Spans as they were before JSON made lists of them."""
    return [Span(*given) for given in logged]  # type: ignore[arg-type]


def by_topic(given: Mapping[str, Mapping[str, int]]) -> dict[Place, int]:
    """Offsets as Spark's Kafka source writes them in JSON, ``{"pages": {"0": 42}}``."""
    return {
        Place(topic, int(partition)): offset
        for topic, offsets in given.items()
        for partition, offset in offsets.items()
    }


def lowest(several: Iterable[Mapping[Place, int]]) -> dict[Place, int]:
    """How far all of several readers have come: of a partition that two read, the lower offset."""
    found: dict[Place, int] = {}
    for offsets in several:
        for place, offset in offsets.items():
            found[place] = min(offset, found.get(place, offset))
    return found
