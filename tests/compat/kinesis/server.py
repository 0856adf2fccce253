"""Kinesis, DynamoDB and STS on a port of this machine, by moto, as a process of its own.

Where moto differs from Kinesis, which keeps a closed shard's records there and says when they are all read,
it is mended. ``python -m tests.compat.kinesis.server PORT`` runs until its standard input ends."""

from __future__ import annotations

import base64
import os
import socket
import subprocess
import sys
from collections import OrderedDict
from pathlib import Path
from typing import Any

from boto3.session import Session

from compat.kinesis.access import Access, Key
from compat.kinesis.application import Application

REGION = "eu-central-1"
LOW, HIGH = "0", str(2**127 + 1)
"""Hash keys of the first and of the second of two shards."""
FIRST, SECOND = "shardId-000000000000", "shardId-000000000001"
SESSION = Session("AKIATEST", "secret", region_name=REGION)
AGGREGATED = base64.b64decode(
    "84mawgoBYQoBYgoBYxIBMBoHCAAaA29uZRoLCAEaB3p3ZWkgw6kaBggAEAAaABoHCAIaA////+OjrSMLrfw220jY/TjPe8g="
)
"""Made with Amazon's aws-kinesis-agg 1.2.3; the third record has an explicit hash key, 0."""
UNPACKED = [b"one", "zwei é".encode(), b"", b"\xff" * 3]


class KinesisServer:
    """The process.

    Args:
        begin: whether it listens from now on; else from `begin` on.
    """

    def __init__(self, *, begin: bool = True) -> None:
        self._port = free_port()
        self._process: subprocess.Popen[bytes] | None = None
        self.url = f"http://127.0.0.1:{self._port}"
        if begin:
            self.begin()

    def begin(self) -> None:
        """Start it, and wait until it listens."""
        self._process = subprocess.Popen(
            [sys.executable, "-m", __name__, str(self._port)],
            cwd=Path(__file__).parents[3],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        assert self._process.stdout is not None
        assert self._process.stdout.readline() == b"listening\n"

    @property
    def pid(self) -> int:
        """Its number."""
        assert self._process is not None
        return self._process.pid

    def send(self, signal: int) -> None:
        """Stop it for a while, or let it go on."""
        assert self._process is not None
        self._process.send_signal(signal)

    def close(self) -> None:
        """End it, if it was begun."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


class Amazon:
    """A stream of its own for a test, and clients.

    Args:
        server: has the stream.
        name: of the stream and of the application.
    """

    def __init__(self, server: KinesisServer, name: str) -> None:
        self.url, self.name = server.url, name
        self.kinesis = SESSION.client("kinesis", endpoint_url=server.url)
        self.dynamodb = SESSION.client("dynamodb", endpoint_url=server.url)

    def close(self) -> None:
        self.kinesis.close()
        self.dynamodb.close()

    def create(self, shards: int = 1) -> None:
        self.kinesis.create_stream(StreamName=self.name, ShardCount=shards)

    def put(self, *records: bytes, key: str = LOW) -> list[str]:
        """Sequence numbers."""
        return [
            self.kinesis.put_record(StreamName=self.name, Data=data, PartitionKey="any", ExplicitHashKey=key)[
                "SequenceNumber"
            ]
            for data in records
        ]

    def rows(self) -> dict[str, dict[str, Any]]:
        """The lease table; none is an empty one."""
        try:
            items = self.dynamodb.scan(TableName=self.name)["Items"]
        except self.dynamodb.exceptions.ResourceNotFoundException:
            return {}
        rows = [{name: next(iter(value.values())) for name, value in row.items()} for row in items]
        return {row["leaseKey"]: row for row in rows}

    def lease(self, shard: str, checkpoint: str, sub: int = 0, **more: Any) -> None:
        """A row as version 1 of the Kinesis Client Library writes it."""
        if not self.rows():
            self.dynamodb.create_table(
                TableName=self.name,
                AttributeDefinitions=[{"AttributeName": "leaseKey", "AttributeType": "S"}],
                KeySchema=[{"AttributeName": "leaseKey", "KeyType": "HASH"}],
                ProvisionedThroughput={"ReadCapacityUnits": 10, "WriteCapacityUnits": 10},
            )
        row = {
            "leaseKey": {"S": shard},
            "leaseCounter": {"N": "41"},
            "ownerSwitchesSinceCheckpoint": {"N": "0"},
            "checkpoint": {"S": checkpoint},
            "checkpointSubSequenceNumber": {"N": str(sub)},
        }
        self.dynamodb.put_item(TableName=self.name, Item={**row, **more})

    def application(self, seconds: float = 1, initial: str = "TRIM_HORIZON") -> Application:
        asked = Access(self.url, REGION, Key("AKIATEST", "secret"))
        return Application(self.name, self.name, asked, initial, seconds)


def _mend() -> None:
    from moto.kinesis import models
    from moto.kinesis.utils import decompose_shard_iterator

    stream: Any = models.Stream
    backend: Any = models.KinesisBackend
    split, find, get = stream.split_shard, stream.get_shard_for_key, backend.get_records

    def split_shard(self: Any, name: str, key: str) -> None:
        shard = self.shards[name]
        kept, shard.records = shard.records, OrderedDict()
        split(self, name, key)
        shard.records = kept

    def get_shard_for_key(self: Any, *keys: Any) -> Any:
        every = self.shards
        self.shards = {name: shard for name, shard in every.items() if shard.is_open}
        try:
            return find(self, *keys)
        finally:
            self.shards = every

    def get_records(self: Any, stream_arn: Any, shard_iterator: str, limit: Any) -> Any:
        following, records, behind = get(self, stream_arn, shard_iterator, limit)
        name, shard_id, last = decompose_shard_iterator(following)
        shard = self.describe_stream(stream_arn=stream_arn, stream_name=name).get_shard(shard_id)
        if not shard.is_open and int(last) >= shard.get_max_sequence_number():
            following = None
        return following, records, behind

    stream.split_shard, stream.get_shard_for_key = split_shard, get_shard_for_key
    backend.get_records = get_records


if __name__ == "__main__":
    from moto.server import ThreadedMotoServer

    _mend()
    server = ThreadedMotoServer("127.0.0.1", int(sys.argv[1]), verbose=False)
    server.start()
    print("listening", flush=True)
    sys.stdin.read()
    server.stop()
