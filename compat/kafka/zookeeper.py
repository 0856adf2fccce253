"""Offsets in ZooKeeper, where receivers of Kafka 0.8 kept them: the offset of the next message, in digits, at
``/consumers/GROUP/offsets/TOPIC/PARTITION``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

from compat.kafka.places import Place
from compat.kafka.stopped import NoOffsetsError, Offsets


def in_zookeeper(hosts: str, group: str, topics: Iterable[str]) -> Offsets:
    """The offsets that a consumer of Kafka 0.8 has committed to ZooKeeper, which is only read.

    Args:
        hosts: ``host:port,host:port``, with a path after them if Kafka has one of its own.
        group: the consumer group.
        topics: whose partitions.

    Raises:
        NoOffsetsError: the group has none there, or ZooKeeper does not answer.
        ImportError: kazoo is not installed; the text says how to.
    """
    found: Offsets = {}
    with _connected(hosts, read_only=True) as client:
        from kazoo.exceptions import NoNodeError

        for topic in topics:
            path = f"/consumers/{group}/offsets/{topic}"
            with suppress(NoNodeError):
                for partition in client.get_children(path):
                    found[Place(topic, int(partition))] = int(client.get(f"{path}/{partition}")[0])
    if not found:
        raise NoOffsetsError(f"ZooKeeper at {hosts} has no offsets of group {group} for these topics")
    return found


def into_zookeeper(hosts: str, group: str, offsets: Mapping[Place, int]) -> None:
    """Have a consumer of Kafka 0.8 begin there. It must have stopped: one that runs would overwrite them.

    Args:
        hosts: as for `in_zookeeper`.
        group: the consumer group.
        offsets: the next message of each partition.

    Raises:
        NoOffsetsError: ZooKeeper does not answer.
        ImportError: kazoo is not installed; the text says how to.
    """
    with _connected(hosts, read_only=False) as client:
        for (topic, partition), offset in offsets.items():
            path = f"/consumers/{group}/offsets/{topic}/{partition}"
            client.ensure_path(path)
            client.set(path, str(offset).encode())


@contextmanager
def _connected(hosts: str, *, read_only: bool) -> Iterator[Any]:
    try:
        from kazoo.client import KazooClient
        from kazoo.handlers.threading import KazooTimeoutError
    except ImportError as error:
        raise ImportError(
            "ZooKeeper is asked with kazoo: python -m pip install 'dstream-migrate[zookeeper]'"
        ) from error
    client = KazooClient(hosts=hosts, read_only=read_only)
    try:
        client.start(timeout=30)
    except KazooTimeoutError as error:
        raise NoOffsetsError(f"ZooKeeper at {hosts} does not answer") from error
    try:
        yield client
    finally:
        client.stop()
        client.close()
