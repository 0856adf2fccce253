"""Where in Kafka a new job begins, so that nothing is lost or read twice."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from typing import Protocol

from compat.kafka.places import Place
from compat.kafka.stopped import Offsets


class Kafka(Protocol):
    """What is asked of Kafka: see `compat.kafka.brokers.Brokers`."""

    def partitions(self, topics: Collection[str]) -> dict[str, int]:
        """How many partitions each of the topics has; a topic that there is not is left out."""

    def earliest(self, places: Collection[Place]) -> dict[Place, int]:
        """The offset of the oldest message of each partition."""

    def latest(self, places: Collection[Place]) -> dict[Place, int]:
        """The offset that the next message of each partition will have."""


class HandoverError(ValueError):
    """The new job cannot begin where the old one stopped; the text has a line for each partition."""


def complete(
    stopped: Mapping[Place, int],
    topics: Collection[str],
    kafka: Kafka,
    *,
    unread: str | None = None,
    expired: str | None = None,
) -> Offsets:
    """An offset for every partition of the topics.

    Args:
        stopped: the next offset of the partitions that the old job has read of; other topics' are left out.
        topics: those that the new job reads.
        kafka: tells which partitions there are, and which messages.
        unread: ``earliest`` or ``latest``: where to begin with a partition of which the old job has left no
            offset, though it has messages. Without messages it makes no difference.
        expired: ``earliest``: begin with the oldest message where those at the offset are gone.

    Raises:
        HandoverError: a topic does not exist; a partition has no offset, its messages are gone, or it has not
            come as far yet, as where the topic was made anew or the offsets are another cluster's.
        RuntimeError: Kafka does not answer.
    """
    counts = kafka.partitions(topics)
    wrong = [f"topic {topic} does not exist" for topic in topics if topic not in counts]
    places = [Place(topic, number) for topic in topics for number in range(counts.get(topic, 0))]
    first, last = kafka.earliest(places), kafka.latest(places)
    ends = {"earliest": first, "latest": last}
    found: Offsets = {}
    for place in places:
        offset = stopped.get(place)
        if offset is None:
            found[place] = ends[unread][place] if unread is not None else last[place]
            if unread is None and first[place] < last[place]:
                wrong.append(
                    f"{place}: the old job has left no offset, and there are messages from {first[place]} to"
                    f" {last[place] - 1}: begin with the earliest, or with what comes (unread)"
                )
        elif offset > last[place]:
            wrong.append(
                f"{place}: the old job stopped at {offset}, and Kafka has come to {last[place]} only"
            )
        elif offset < first[place] and expired is None:
            wrong.append(
                f"{place}: the messages from {offset} to {first[place] - 1} are gone, unread; begin with the"
                " earliest that there is (expired) to go on without them"
            )
        else:
            found[place] = max(offset, first[place])
    gone = [place for place in stopped if place.topic in counts and place not in first]
    wrong += [f"{place}: there is no such partition" for place in gone]
    if wrong:
        raise HandoverError("\n".join(wrong))
    return found


def starting_offsets(offsets: Mapping[Place, int]) -> str:
    """The offsets as the option ``startingOffsets`` of Spark's Kafka source takes them."""
    by_topic: dict[str, dict[str, int]] = {}
    for place in sorted(offsets):
        by_topic.setdefault(place.topic, {})[str(place.partition)] = offsets[place]
    return json.dumps(by_topic)
