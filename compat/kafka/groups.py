"""Consumer groups of Kafka: streams that share one, and what they tell it."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from compat import graph
from compat.kafka.brokers import Brokers, KafkaError

if TYPE_CHECKING:
    from compat.kafka.places import Place

_log = logging.getLogger(__name__)


def sharing(node: graph.KafkaStream, nodes: Iterable[graph.Node]) -> list[graph.KafkaStream]:
    """The streams that share the partitions of their topics with `node`, itself among them, in their order.

    Those are receivers of one group: programs make several to receive in parallel, and unite them.
    """
    if not isinstance(node, graph.KafkaReceiverStream):
        return [node]
    return [
        other
        for other in nodes
        if isinstance(other, graph.KafkaReceiverStream) and other.group_key == node.group_key
    ]


class Commits:
    """Tells a consumer group how far a stream was worked off, for those who watch its lag.

    A batch does not depend on it: where Kafka does not take the offsets, that is logged.

    Args:
        group: the group; None: nobody is told.
        brokers: take the offsets.
    """

    def __init__(self, group: str | None, brokers: Brokers) -> None:
        self._group = group
        self._brokers = brokers
        self._told: dict[Place, int] = {}
        self._warned: set[str] = set()

    def commit(self, offsets: Mapping[Place, int]) -> None:
        """All before these offsets is done."""
        new = {place: offset for place, offset in offsets.items() if self._told.get(place) != offset}
        if self._group is None or not new:
            return
        try:
            self._look_for_others(self._group)
            self._brokers.commit(self._group, new)
            self._told.update(new)
        except KafkaError as error:
            self._warn(str(error))

    def _look_for_others(self, group: str) -> None:
        found = self._brokers.committed(group, self._told.keys())
        if any(found.get(place, offset) != offset for place, offset in self._told.items()):
            self._warn(
                f"another program commits offsets to group {group} as well: each reads all messages, and the"
                " group's lag is that of whichever came last"
            )

    def _warn(self, text: str) -> None:
        if text not in self._warned:
            self._warned.add(text)
            _log.warning("%s", text)
