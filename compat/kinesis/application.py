"""Which stream an application reads, and where it keeps how far it has come."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from compat.kinesis.access import Access


@dataclass(frozen=True)
class Application:
    """Settings, which streams of one program that share the shards have alike.

    Args:
        name: the name of the DynamoDB table with leases and checkpoints.
        stream: the stream's name.
        access: makes clients.
        initial: ``LATEST`` or ``TRIM_HORIZON``, for shards without a lease.
        checkpoint_seconds: how often checkpoints are written.
    """

    name: str
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
        """Secrets that it was given, or names in their place (see `compat.credentials`), by arguments."""
        return self.access.credentials

    def told(self, error: Exception) -> str:
        """The text for a user about an error of boto3's."""
        answer = getattr(error, "response", None) or {}  # None where nothing was answered
        code = answer.get("Error", {}).get("Code", "")
        return self.told_of(code, getattr(error, "operation_name", ""), str(error))

    def told_of(self, code: str, operation: str, text: str) -> str:
        """The same for an error on an executor."""
        if (code, operation) == ("ResourceNotFoundException", "ListShards"):
            return f"There is no {self.place} in region {self.access.region}"
        if (code, operation) == ("InvalidArgumentException", "GetShardIterator"):
            return (
                f"{self.place} does not have the records at which the DynamoDB table {self.name}, or the"
                " checkpoint directory, says that reading stopped: if the stream was made anew, delete the"
                f" table, and begin in another directory. {text}"
            )
        return f"Error reading {self.place}: {text}"
