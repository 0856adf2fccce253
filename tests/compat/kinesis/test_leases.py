"""Who may read a shard, and where it begins."""

from __future__ import annotations

from threading import Event

from compat.kinesis.access import Access, Key, Role
from compat.kinesis.leases import Checkpoint, Lease, LeaseTable
from compat.kinesis.shards import beginnings, list_shards
from tests.compat.kinesis.server import FIRST, REGION, SECOND, Amazon


def test_of_two_that_want_a_lease_one_gets_it(amazon: Amazon) -> None:
    tables = [LeaseTable(amazon.dynamodb, amazon.name, worker) for worker in ("one", "two")]
    for table in tables:
        table.make(Event())
        table.add(FIRST, ["b", "a"], "TRIM_HORIZON")
    free = tables[0].leases()[FIRST]
    assert free == Lease(FIRST, None, 0, Checkpoint("TRIM_HORIZON"))
    assert [table.take(free) for table in tables] == [True, False]
    assert [table.renew(FIRST) for table in tables] == [True, False]
    assert [table.write(FIRST, Checkpoint("7", number)) for number, table in enumerate(tables)] == [
        True,
        False,
    ]
    tables[1].release(FIRST)
    held = tables[1].leases()[FIRST]
    assert held == Lease(FIRST, "one", 3, Checkpoint("7"))
    assert tables[1].take(held)
    assert not tables[0].renew(FIRST)
    assert amazon.rows()[FIRST]["ownerSwitchesSinceCheckpoint"] == "1"


def test_shards_without_leases_begin_as_in_the_client_library(amazon: Amazon) -> None:
    amazon.create()
    amazon.kinesis.split_shard(StreamName=amazon.name, ShardToSplit=FIRST, NewStartingHashKey=str(2**127))
    found = list_shards(amazon.kinesis, amazon.name)
    children = [SECOND, "shardId-000000000002"]

    def begins(leased: list[str], initial: str) -> list[tuple[str, str]]:
        return [(shard.name, where) for shard, where in beginnings(found, leased, initial)]

    assert begins([], "TRIM_HORIZON") == [(name, "TRIM_HORIZON") for name in (FIRST, *children)]
    assert begins([], "LATEST") == [(name, "LATEST") for name in children]
    assert begins([FIRST], "LATEST") == [(name, "TRIM_HORIZON") for name in children]
    assert begins([FIRST, *children], "LATEST") == []


def test_a_role_is_assumed(amazon: Amazon) -> None:
    role = Role("arn:aws:iam::123456789012:role/reader", "session", "external")
    clients = Access(amazon.url, REGION, Key("AKIATEST", "secret"), role).clients()
    try:
        amazon.create()
        assert list_shards(clients[0], amazon.name)
        for client in clients:
            credentials = client._request_signer._credentials
            assert credentials.method == "assume-role"
            assert credentials.get_frozen_credentials().access_key != "AKIATEST"
    finally:
        for client in clients:
            client.close()


def test_the_further_of_two_checkpoints() -> None:
    found = ["LATEST", "9", "10", "SHARD_END"]
    assert sorted(found, key=lambda sequence: Checkpoint(sequence).order) == found
    assert Checkpoint("LATEST").order < Checkpoint("LATEST", since=5.0).order < Checkpoint("1").order
    assert Checkpoint("10", 1).order < Checkpoint("10", 2).order
