"""Reads a slice of somebody's topic, in a process of its own, and nothing but reads it.

No consumer group is joined and no offset is committed: Spark's batch source assigns itself the partitions.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from migrate.errors import EnvironmentProblemError
from migrate.kafka.child import ask
from migrate.kafka.record import Record

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_RANGE = re.compile(r"(\d+):(\d+)-(\d+)")


@dataclass(frozen=True)
class Slice:
    """Which records: of each partition those from an offset on, up to another."""

    address: str
    topic: str
    offsets: dict[str, tuple[int, int]]

    @classmethod
    def parse(cls, address: str, topic: str, offsets: str) -> Slice:
        """A slice as the command line has it: ``0:1000-1500,1:990-1200``.

        Raises:
            ValueError: `offsets` is not of this form.
        """
        found: dict[str, tuple[int, int]] = {}
        for part in offsets.split(","):
            match = _RANGE.fullmatch(part.strip())
            if match is None or int(match[2]) > int(match[3]):
                raise ValueError(f"--offsets takes PARTITION:FROM-UNTIL, several with commas, not {part!r}")
            found[match[1]] = (int(match[2]), int(match[3]))
        return cls(address, topic, found)

    def lines(self) -> list[str]:
        """The records in the order of their timestamps, each as a line that feeds Kafka.

        Raises:
            EnvironmentProblemError: they cannot be read.
        """
        starts = {self.topic: {place: first for place, (first, _) in self.offsets.items()}}
        ends = {self.topic: {place: until for place, (_, until) in self.offsets.items()}}
        options = {
            "kafka.bootstrap.servers": self.address,
            "assign": json.dumps({self.topic: [int(place) for place in self.offsets]}),
            "startingOffsets": json.dumps(starts),
            "endingOffsets": json.dumps(ends),
        }
        try:
            return ask(__name__, options).split("\n")[:-1]
        except EnvironmentProblemError as error:
            raise EnvironmentProblemError(
                f"{self.topic} at {self.address} cannot be read: {error}"
            ) from error


def answer(spark: SparkSession, options: dict[str, str]) -> str:
    """The records that the options of Spark's Kafka source name, a line for each."""
    frame = spark.read.format("kafka").options(**options).load()
    rows = frame.orderBy("timestamp", "partition", "offset").select("key", "value", "partition").collect()
    lines = []
    for key, value, partition in rows:
        raw = [None if part is None else bytes(part) for part in (key, value)]
        lines.append(Record(raw[0], raw[1], partition).line() + "\n")
    return "".join(lines)
