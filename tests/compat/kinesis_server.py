"""Kinesis, DynamoDB and STS on a port of this machine, by moto, as a process of its own.

Where moto differs from Kinesis, which keeps a closed shard's records there and says when they are all read,
it is mended. ``python -m tests.compat.kinesis_server PORT`` runs until its standard input ends."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import OrderedDict
from pathlib import Path
from typing import Any


class KinesisServer:
    """The process.

    Args:
        port: where it listens.
        begin: whether it does from now on; else from `begin` on.
    """

    def __init__(self, port: int, *, begin: bool = True) -> None:
        self._port = port
        self._process: subprocess.Popen[bytes] | None = None
        self.url = f"http://127.0.0.1:{port}"
        if begin:
            self.begin()

    def begin(self) -> None:
        """Start it, and wait until it listens."""
        self._process = subprocess.Popen(
            [sys.executable, "-m", __name__, str(self._port)],
            cwd=Path(__file__).parents[2],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        assert self._process.stdout is not None
        assert self._process.stdout.readline() == b"listening\n"

    def send(self, signal: int) -> None:
        """Stop it for a while, or let it go on."""
        assert self._process is not None
        self._process.send_signal(signal)

    def close(self) -> None:
        """End it, if it was begun."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()


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
