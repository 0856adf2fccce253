"""What Kafka is fed with: a line of text stands for a record."""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass

_MARK = "\x1dkafka:"


@dataclass(frozen=True)
class Record:
    """A record of Kafka: its key and value, and the partition that it was in, if that is known."""

    key: bytes | None
    value: bytes | None
    partition: int | None = None

    @classmethod
    def of(cls, line: str) -> Record:
        """The record that a line stands for: a text as its value, or what `line` made."""
        if not line.startswith(_MARK):
            text = line.encode()
            # a third has no key, as most producers have it, the others one of a few
            return cls(None if len(text) % 3 == 0 else b"key %d" % (sum(text) % 5), text)
        key, value, partition = json.loads(line.removeprefix(_MARK))
        return cls(_bytes(key), _bytes(value), partition)

    def line(self) -> str:
        """The record as a line."""
        return _MARK + json.dumps([_text(self.key), _text(self.value), self.partition])

    def partition_of(self, place: int, count: int) -> int:
        """Which of `count` partitions it goes to, as the one at that place of its batch."""
        return (place if self.partition is None else self.partition) % count


def _text(value: bytes | None) -> str | None:
    return None if value is None else base64.b64encode(value).decode()


def _bytes(text: str | None) -> bytes | None:
    return None if text is None else base64.b64decode(text)
