"""Which messages each batch gets: from where the last one ended to what is there now.

As Kafka 0.8's ``DirectKafkaInputDStream`` does it, with two mends: partitions that a topic gains while the
program runs are read, from their first message; and messages that are gone are told of once, by a failed
batch, after which the stream goes on with those that are there."""

from __future__ import annotations

import logging
import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from compat import graph
from compat.kafka.places import Place, Span

if TYPE_CHECKING:
    from compat.kafka.brokers import Brokers

_log = logging.getLogger(__name__)


class MessagesLostError(RuntimeError):
    """Messages that no batch has got are not in Kafka any more."""


class Planner:
    """How far a stream has been read.

    Args:
        node: the stream.
        siblings: the streams of the program, this one among them, that share its consumer group.
        brokers: tell what is there.
    """

    def __init__(
        self, node: graph.KafkaStream, siblings: Sequence[graph.KafkaStream], brokers: Brokers
    ) -> None:
        self._node = node
        self._siblings = siblings
        self._brokers = brokers
        self.position = {
            Place(topic, partition): offset
            for topic, partition, offset in node.start
            if self._is_own(Place(topic, partition))
        }
        """The offset after the last one that was given to a batch."""

    def next(self) -> list[Span]:
        """The messages for the next batch: a span for each partition, empty ones too, in their order.

        Raises:
            MessagesLostError: messages have expired, or their topic was made anew. The next call goes on.
            KafkaError: Kafka does not answer. The next call asks again.
        """
        lost = self._follow() if self._node.follows else []
        latest = self._brokers.latest(self.position)
        moved = [place for place, offset in self.position.items() if latest[place] != offset]
        for place, first in self._brokers.earliest(moved).items():
            position = self.position[place]
            if position < first or position > latest[place]:
                lost.append(_gone(place, position, first, latest[place]))
                self.position[place] = first
        if lost:
            self._tell(lost)
        return [self._span(place, latest[place]) for place in sorted(self.position, key=self._order)]

    def restore(self, given: Iterable[Span]) -> None:
        """An earlier run has given these to a batch."""
        for span in given:
            self.position[span.place] = max(span.until, self.position.get(span.place, 0))

    def take_back(self, given: Iterable[Span]) -> None:
        """Nobody has read these: they go to the next batch."""
        for span in given:
            if span.place in self.position:
                self.position[span.place] = min(span.first, self.position[span.place])

    def _follow(self) -> list[str]:
        """Begin with partitions that are new; returns a text for each one that is gone."""
        there = self._brokers.partitions(self._node.topics)
        for topic in self._node.topics:
            if topic not in there and any(place.topic == topic for place in self.position):
                raise MessagesLostError(f"there is no topic {topic} at {self._brokers.address} any more")
        gone = [place for place in self.position if place.partition >= there[place.topic]]
        for place in gone:
            del self.position[place]
        found = [Place(topic, number) for topic, count in there.items() for number in range(count)]
        new = [place for place in found if place not in self.position and self._is_own(place)]
        for place, first in self._brokers.earliest(new).items():
            _log.info("%s is new and read from offset %d", place, first)
            self.position[place] = first
        return [f"{place} is not there any more" for place in gone]

    def _is_own(self, place: Place) -> bool:
        """Streams of one group share a topic, as receivers of one group do."""
        sharing = [node.identity for node in self._siblings if place.topic in node.topics]
        return sharing[place.partition % len(sharing)] == self._node.identity

    def _span(self, place: Place, latest: int) -> Span:
        first = self.position[place]
        until = latest if self._node.limit is None else min(latest, first + self._node.limit)
        self.position[place] = until
        return Span(*place, first, until)

    def _order(self, place: Place) -> tuple[int, int]:
        return self._node.topics.index(place.topic), place.partition

    def _tell(self, lost: list[str]) -> None:
        text = f"messages are lost that no batch has got: {'; '.join(lost)}"
        if self._node.fail_on_data_loss:
            raise MessagesLostError(
                f"{text}. The next batch goes on with what is there; COMPAT_KAFKA_FAIL_ON_DATA_LOSS=false, or"
                " the setting spark.compat.kafka.failOnDataLoss, does so without an error"
            )
        _log.warning("%s", text)


def _gone(place: Place, position: int, first: int, latest: int) -> str:
    if position > latest:
        return f"{place} ends at offset {latest}, before {position}: it was made anew"
    return f"offsets {position} to {first - 1} of {place} have expired"


def limit(rate: float, interval_ms: int) -> int | None:
    """How many messages of a partition a batch gets, for a rate in messages per second; 0 is no limit."""
    return max(1, math.floor(rate * interval_ms / 1000)) if rate > 0 else None
