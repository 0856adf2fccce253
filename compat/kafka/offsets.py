"""Places in Kafka as programs name them.

Callbacks may capture these, and executors do not have `compat`: the module is pickled by value (see
`reading`), so it imports nothing of this package."""

from __future__ import annotations


class _Same:
    """Equal by class and content; the class counts by its name, since pickled by value it becomes another."""

    def __eq__(self, other: object) -> bool:
        return type(other).__qualname__ == type(self).__qualname__ and vars(other) == vars(self)

    def __hash__(self) -> int:
        return hash(tuple(vars(self).values()))


class OffsetRange(_Same):
    """The messages of a partition of a topic from `fromOffset` to `untilOffset`, which is not among them."""

    def __init__(self, topic: str, partition: int, fromOffset: int, untilOffset: int) -> None:
        self.topic = topic
        self.partition = partition
        self.fromOffset = fromOffset
        self.untilOffset = untilOffset

    def __str__(self) -> str:
        return (
            f"OffsetRange(topic: {self.topic}, partition: {self.partition},"
            f" range: [{self.fromOffset} -> {self.untilOffset}]"
        )

    __repr__ = __str__


class TopicAndPartition(_Same):
    """A partition of a topic, as a key of `fromOffsets`."""

    def __init__(self, topic: str, partition: int) -> None:
        self._topic = topic
        self._partition = partition

    def __repr__(self) -> str:
        return f"TopicAndPartition({self._topic!r}, {self._partition})"


class Broker(_Same):
    """The host and port of a broker."""

    def __init__(self, host: str, port: int) -> None:
        self._host = host
        self._port = port

    def __repr__(self) -> str:
        return f"Broker({self._host!r}, {self._port})"
