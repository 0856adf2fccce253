"""Records of a Kinesis stream, as Spark's ``KinesisReceiver`` takes them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from compat.kinesis import ranges
from compat.kinesis.access import Access
from compat.kinesis.ranges import Range
from compat.kinesis.records import Record
from compat.kinesis.sharing import worker_of
from compat.receivers.receiver import Receiver, Stopping, Store


@dataclass(frozen=True)
class KinesisReceiver(Receiver):
    """Stores the data of records as bytes, a record for each that a producer aggregated.

    Args:
        application: the name of the DynamoDB table with leases and checkpoints.
        stream: the stream's name.
        access: makes clients.
        initial: ``LATEST`` or ``TRIM_HORIZON``, for shards without a lease.
        checkpoint_seconds: how often checkpoints are written.
    """

    name: ClassVar[str] = "KinesisReceiver"
    application: str
    stream: str
    access: Access
    initial: str
    checkpoint_seconds: float

    @property
    def place(self) -> str:
        """The stream and Kinesis' endpoint."""
        return f"Kinesis stream {self.stream} at {self.access.endpoint}"

    @property
    def credentials(self) -> Mapping[str, str]:
        """See `Receiver`."""
        return self.access.credentials

    def elements(self, stored: list[Record]) -> list[bytes]:
        """See `Receiver`: the data."""
        return [record.data for record in stored]

    def noted(self, stored: list[Record]) -> list[Range]:
        """See `Receiver`: Kinesis has them, so their sequence numbers."""
        return ranges.ranges(stored)

    def recalled(self, noted: list[list[Range]]) -> list[list[Record]]:
        """See `Receiver`: Kinesis is asked again."""
        return ranges.read(self.access, self.stream, noted)

    def receive(self, store: Store, stopping: Stopping) -> str:
        """See `Receiver`."""
        from botocore.exceptions import BotoCoreError, ClientError

        try:
            with worker_of(self).joined(store, stopping) as member:
                while not stopping:
                    member.work(store, stopping)
        except ClientError as error:
            raise ConnectionError(self._told(error.response["Error"]["Code"], error)) from error
        except BotoCoreError as error:
            raise ConnectionError(f"Error receiving from {self.place}: {error}") from error
        return f"{self.place} is read no more"

    def _told(self, code: str, error: Exception) -> str:
        operation = getattr(error, "operation_name", "")
        if (code, operation) == ("ResourceNotFoundException", "ListShards"):
            return f"There is no {self.place} in region {self.access.region}"
        if (code, operation) == ("InvalidArgumentException", "GetShardIterator"):
            return (
                f"{self.place} does not have the records at which the DynamoDB table {self.application} says"
                f" that reading stopped: if the stream was made anew, delete the table. {error}"
            )
        return f"Error receiving from {self.place}: {error}"
