"""What the workloads read, and how their input gets there."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

from compat.streaming import DStream, StreamingContext

Texts = Callable[[int], Sequence[str]]
"""The texts that a batch gets; the number of the first is 1."""


class Source(Protocol):
    """The input of a run."""

    def stream(self, context: StreamingContext) -> DStream[str]:
        """Its lines."""

    def put(self, number: int) -> None:
        """Bring what the batch of this number gets."""

    def close(self) -> None:
        """End what was started for it."""

    @property
    def helpers(self) -> frozenset[int]:
        """Processes below this one whose work is not that of the engine."""


class Files:
    """A watched directory, in which each text is a file."""

    helpers: frozenset[int] = frozenset()

    def __init__(self, work: Path, texts: Texts) -> None:
        self._work = work
        self._texts = texts
        (work / "in").mkdir()

    def stream(self, context: StreamingContext) -> DStream[str]:
        """See `Source`."""
        return context.textFileStream(str(self._work / "in"))

    def put(self, number: int) -> None:
        """See `Source`."""
        for place, text in enumerate(self._texts(number)):
            file = self._work / f"{number}-{place}"
            file.write_text(text)
            # Between the batch before and this one, by the clock that is moved by hand.
            os.utime(file, (number - 0.5, number - 0.5))
            file.rename(self._work / "in" / file.name)

    def close(self) -> None:
        """See `Source`."""


class Kinesis:
    """A stream of four shards, by moto, in which each text is a record."""

    NAME = "costs"
    SHARDS = 4
    AT_ONCE = 500
    """The records that Kinesis takes in one request."""

    def __init__(self, work: Path, texts: Texts) -> None:
        from tests.compat.kinesis.server import Amazon, KinesisServer  # needs boto3 and moto

        self._texts = texts
        self._server = KinesisServer()
        os.environ["AWS_ENDPOINT_URL_DYNAMODB"] = self._server.url  # the table of leases
        self._amazon = Amazon(self._server, self.NAME)
        self._amazon.create(self.SHARDS)

    @property
    def helpers(self) -> frozenset[int]:
        """See `Source`."""
        return frozenset({self._server.pid})

    def stream(self, context: StreamingContext) -> DStream[str]:
        """See `Source`."""
        from compat.streaming.kinesis import InitialPositionInStream, KinesisUtils
        from tests.compat.kinesis.server import REGION

        start = InitialPositionInStream.TRIM_HORIZON
        return KinesisUtils.createStream(
            context,
            self.NAME,
            self.NAME,
            self._server.url,
            REGION,
            start,
            1,
            awsAccessKeyId="AKIATEST",
            awsSecretKey="secret",
        )

    def put(self, number: int) -> None:
        """See `Source`."""
        records = [
            {"Data": text.encode(), "PartitionKey": str(place)}
            for place, text in enumerate(self._texts(number))
        ]
        for first in range(0, len(records), self.AT_ONCE):
            part = records[first : first + self.AT_ONCE]
            self._amazon.kinesis.put_records(StreamName=self.NAME, Records=part)

    def close(self) -> None:
        """See `Source`."""
        self._amazon.close()
        self._server.close()
