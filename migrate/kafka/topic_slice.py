"""Reads a slice of somebody's topic, in a process of its own, and nothing but reads it.

No consumer group is joined and no offset is committed: Spark's batch source assigns itself the partitions.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from migrate.errors import EnvironmentProblemError
from migrate.kafka.jars import jars
from migrate.kafka.record import Record

_START = "import sys; from migrate.kafka.topic_slice import read; read(sys.argv[1], sys.argv[2])"
_RANGE = re.compile(r"(\d+):(\d+)-(\d+)")
_TIMEOUT = 600.0


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
        with tempfile.TemporaryDirectory(prefix="dstream-slice-") as work:
            request, answer = Path(work, "request.json"), Path(work, "answer")
            starts = {self.topic: {place: first for place, (first, _) in self.offsets.items()}}
            ends = {self.topic: {place: until for place, (_, until) in self.offsets.items()}}
            assigned = {self.topic: [int(place) for place in self.offsets]}
            options = {
                "kafka.bootstrap.servers": self.address,
                "assign": json.dumps(assigned),
                "startingOffsets": json.dumps(starts),
                "endingOffsets": json.dumps(ends),
            }
            given: dict[str, Any] = {"options": options, "jars": ",".join(map(str, jars().connector))}
            request.write_text(json.dumps(given), encoding="utf-8")
            command = [sys.executable, "-c", _START, str(request), str(answer)]
            done = subprocess.run(command, capture_output=True, text=True, timeout=_TIMEOUT, check=False)
            if done.returncode:
                said = "\n".join(done.stderr.splitlines()[-3:])
                raise EnvironmentProblemError(f"{self.topic} at {self.address} cannot be read:\n{said}")
            return answer.read_text(encoding="utf-8").split("\n")[:-1]


def read(request: str, answer: str) -> None:
    """Read what `request` asks for and write it to the file `answer`, a line for each record."""
    from pyspark.sql import SparkSession

    given = json.loads(Path(request).read_text(encoding="utf-8"))
    builder = SparkSession.builder.master("local[1]").config("spark.jars", given["jars"])
    spark = builder.config("spark.ui.enabled", "false").getOrCreate()
    frame = spark.read.format("kafka").options(**given["options"]).load()
    rows = frame.orderBy("timestamp", "partition", "offset").select("key", "value", "partition").collect()
    with Path(answer).open("w", encoding="utf-8") as out:
        for key, value, partition in rows:
            raw = [None if part is None else bytes(part) for part in (key, value)]
            out.write(Record(raw[0], raw[1], partition).line() + "\n")
    spark.stop()
