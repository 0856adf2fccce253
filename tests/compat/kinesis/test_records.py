"""What users put into a record."""

from __future__ import annotations

import hashlib

from compat.kinesis.records import HashRange, user_records
from tests.compat.kinesis.server import AGGREGATED, UNPACKED

ALL = HashRange(0, 2**128 - 1)


def test_aggregated_records_are_unpacked_and_others_are_not() -> None:
    assert user_records(AGGREGATED, ALL) == UNPACKED
    assert user_records(AGGREGATED, HashRange(1, 2**128 - 1)) == [], "a key of another shard"
    damaged = AGGREGATED[:-1] + b"?"
    no_message = AGGREGATED[:4] + b"\x0a\xff" + hashlib.md5(b"\x0a\xff").digest()
    no_key = AGGREGATED[:4] + b"\x1a\x02\x1a\x00" + hashlib.md5(b"\x1a\x02\x1a\x00").digest()
    for data in (b"", b"plain", AGGREGATED[:4], AGGREGATED[:20], damaged, no_message, no_key):
        assert user_records(data, ALL) == [data]
