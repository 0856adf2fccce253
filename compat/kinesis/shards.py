"""The shards of a stream, and where reading them begins."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Mapping
from email.utils import parsedate_to_datetime
from typing import Any, NamedTuple

from compat.kinesis.leases import LATEST, TRIM_HORIZON
from compat.kinesis.records import HashRange


class Shard(NamedTuple):
    """A shard, which is closed when it was split or merged."""

    name: str
    parents: tuple[str, ...]
    hashes: HashRange
    is_open: bool


def list_shards(client: Any, stream: str) -> dict[str, Shard]:
    """The shards of a stream that have records still, by their names."""
    found = {}
    asked = {"StreamName": stream}
    while True:
        page = client.list_shards(**asked)
        for shard in page["Shards"]:
            parents = (shard.get("ParentShardId"), shard.get("AdjacentParentShardId"))
            keys = shard["HashKeyRange"]
            found[shard["ShardId"]] = Shard(
                shard["ShardId"],
                tuple(name for name in parents if name),
                HashRange(int(keys["StartingHashKey"]), int(keys["EndingHashKey"])),
                "EndingSequenceNumber" not in shard["SequenceNumberRange"],
            )
        if not page.get("NextToken"):
            return found
        asked = {"NextToken": page["NextToken"]}


def beginnings(
    shards: Mapping[str, Shard], leased: Iterable[str], initial: str
) -> Iterator[tuple[Shard, str]]:
    """The shards that need a lease, and where they begin.

    From TRIM_HORIZON on all are read. From LATEST on those are that are open, and the descendants of such as
    have a lease: these begin with their first record, for what was put into them since belongs to the stream
    that is read.
    """
    known = set(leased)

    @functools.cache
    def descends(name: str) -> bool:
        above = shards[name].parents if name in shards else ()
        return any(parent in known or descends(parent) for parent in above)

    for shard in shards.values():
        if shard.name in known:
            continue
        if initial == TRIM_HORIZON or descends(shard.name):
            yield shard, TRIM_HORIZON
        elif shard.is_open:
            yield shard, LATEST


def latest(client: Any, stream: str, shard: str) -> tuple[str, float]:
    """An iterator for what is put into a shard from now on, and when that was, in seconds.

    An iterator expires, and what has come by then must not be left out.
    """
    answer = client.get_shard_iterator(StreamName=stream, ShardId=shard, ShardIteratorType=LATEST)
    since = parsedate_to_datetime(answer["ResponseMetadata"]["HTTPHeaders"]["date"])
    return answer["ShardIterator"], since.timestamp()
