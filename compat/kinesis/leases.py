"""The DynamoDB table in which Amazon's client library keeps who reads a shard, and how far.

A row is a lease. Whoever holds it counts it up, so that others see it alive. The names of the attributes are
those of versions 1 and 2 of the library, which goes on where we stopped and the other way round."""

from __future__ import annotations

from collections.abc import Iterable
from threading import Event
from typing import Any, NamedTuple

SHARD_END = "SHARD_END"
LATEST = "LATEST"
TRIM_HORIZON = "TRIM_HORIZON"


class Checkpoint(NamedTuple):
    """The last record that was read, or one of the words above.

    Args:
        sequence: its sequence number in digits.
        sub: its number within an aggregated record.
        since: where ``LATEST`` was, in seconds, as far as that is known; the table does not have it.
    """

    sequence: str
    sub: int = 0
    since: float | None = None

    @property
    def position(self) -> tuple[int, int] | None:
        """What can be compared; None: there is no record."""
        return (int(self.sequence), self.sub) if self.sequence.isdigit() else None

    @property
    def ended(self) -> bool:
        """Whether all records of the shard were read, and no others will come."""
        return self.sequence == SHARD_END

    @property
    def order(self) -> tuple[bool, tuple[int, int], bool]:
        """Of two checkpoints of a shard the greater one is further."""
        return self.ended, self.position or (-1, 0), self.since is not None


class Lease(NamedTuple):
    """A row."""

    shard: str
    owner: str | None
    counter: int
    checkpoint: Checkpoint


class LeaseTable:
    """The rows, as one worker sees and changes them.

    Args:
        client: of DynamoDB.
        name: the table's name.
        worker: owns leases under this name.
    """

    def __init__(self, client: Any, name: str, worker: str) -> None:
        self._client = client
        self._name = name
        self._worker = worker

    def make(self, stopping: Event) -> None:
        """Create the table if there is none, and wait for it."""
        errors = self._client.exceptions
        while not stopping.is_set():
            try:
                state = self._client.describe_table(TableName=self._name)["Table"]["TableStatus"]
                if state in ("ACTIVE", "UPDATING"):
                    return
            except errors.ResourceNotFoundException:
                self._create()
                continue
            stopping.wait(0.5)

    def leases(self) -> dict[str, Lease]:
        """All leases, by their shards."""
        pages = self._client.get_paginator("scan").paginate(TableName=self._name, ConsistentRead=True)
        rows = (row for page in pages for row in page["Items"])
        # The library's version 3 keeps more than leases here.
        found = (_lease(row) for row in rows if "checkpoint" in row)
        return {lease.shard: lease for lease in found}

    def add(self, shard: str, parents: Iterable[str], checkpoint: str) -> None:
        """A lease that nobody owns, unless there is one."""
        row = {
            **_key(shard),
            "leaseCounter": {"N": "0"},
            "ownerSwitchesSinceCheckpoint": {"N": "0"},
            "checkpoint": {"S": checkpoint},
            "checkpointSubSequenceNumber": {"N": "0"},
        }
        if above := sorted(parents):
            row["parentShardId"] = {"SS": above}
        self._done(
            self._client.put_item,
            Item=row,
            ConditionExpression="attribute_not_exists(leaseKey)",
        )

    def take(self, lease: Lease) -> bool:
        """Own a lease; returns False if somebody renewed or took it meanwhile."""
        return self._update(
            lease.shard,
            "SET leaseOwner = :me ADD leaseCounter :one, ownerSwitchesSinceCheckpoint :one",
            "leaseCounter = :seen",
            {":one": {"N": "1"}, ":me": {"S": self._worker}, ":seen": {"N": str(lease.counter)}},
        )

    def renew(self, shard: str) -> bool:
        """Count a lease up; returns False if it is not ours any more."""
        return self._update_own(shard, "ADD leaseCounter :one", {})

    def write(self, shard: str, checkpoint: Checkpoint) -> bool:
        """Write how far a shard was read; returns False if the lease is not ours any more."""
        return self._update_own(
            shard,
            "SET #checkpoint = :sequence, checkpointSubSequenceNumber = :sub,"
            " ownerSwitchesSinceCheckpoint = :zero ADD leaseCounter :one"
            " REMOVE pendingCheckpoint, pendingCheckpointSubSequenceNumber, pendingCheckpointState",
            {
                ":sequence": {"S": checkpoint.sequence},
                ":sub": {"N": str(checkpoint.sub)},
                ":zero": {"N": "0"},
            },
            ExpressionAttributeNames={"#checkpoint": "checkpoint"},
        )

    def release(self, shard: str) -> None:
        """Own a lease no more."""
        self._update_own(shard, "REMOVE leaseOwner ADD leaseCounter :one", {})

    def _create(self) -> None:
        try:
            self._client.create_table(
                TableName=self._name,
                AttributeDefinitions=[{"AttributeName": "leaseKey", "AttributeType": "S"}],
                KeySchema=[{"AttributeName": "leaseKey", "KeyType": "HASH"}],
                BillingMode="PAY_PER_REQUEST",
            )
        except self._client.exceptions.ResourceInUseException:
            return  # somebody else was quicker

    def _update_own(self, shard: str, update: str, values: dict[str, Any], **names: Any) -> bool:
        values = {**values, ":one": {"N": "1"}, ":me": {"S": self._worker}}
        return self._update(shard, update, "leaseOwner = :me", values, **names)

    def _update(self, shard: str, update: str, condition: str, values: Any, **names: Any) -> bool:
        return self._done(
            self._client.update_item,
            Key=_key(shard),
            UpdateExpression=update,
            ConditionExpression=condition,
            ExpressionAttributeValues=values,
            **names,
        )

    def _done(self, change: Any, **what: Any) -> bool:
        try:
            change(TableName=self._name, **what)
        except self._client.exceptions.ConditionalCheckFailedException:
            return False
        return True


def _key(shard: str) -> dict[str, Any]:
    return {"leaseKey": {"S": shard}}


def _lease(row: dict[str, Any]) -> Lease:
    sub = int(row.get("checkpointSubSequenceNumber", {"N": "0"})["N"])
    return Lease(
        row["leaseKey"]["S"],
        row.get("leaseOwner", {}).get("S"),
        int(row.get("leaseCounter", {"N": "0"})["N"]),
        Checkpoint(row["checkpoint"]["S"], sub),
    )
