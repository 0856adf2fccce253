"""What users put into a record: the Kinesis Producer Library packs many of theirs into one of Kinesis.

Such a record is a magic number, an ``AggregatedRecord`` of Protocol Buffers, and the MD5 digest of that. It
has tables of partition keys (field 1) and explicit hash keys (2), and records (3), each with the indexes of
its keys (1 and 2) and its data (3). The format is told in aggregation-format.md of
awslabs/amazon-kinesis-producer.

Executors do not have `compat`: this module is pickled by value (see `reading`), so it imports nothing but the
standard library, and holds no state."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import NamedTuple

_MAGIC = b"\xf3\x89\x9a\xc2"
_DIGEST = 16
_SIZES = {1: 8, 5: 4}
"""Bytes of the wire types that have a fixed length; the format has none of them yet."""


class HashRange(NamedTuple):
    """The hash keys of a shard, the last included."""

    first: int
    last: int


def user_records(data: bytes, hashes: HashRange) -> list[bytes]:
    """The data that users put into a record; their indexes are Kinesis' sub-sequence numbers.

    As in Amazon's client library, a record that is not aggregated, or damaged, is its own only one. One with
    a key that does not belong to the shard has none: after a reshard its producer sends all of it again.
    """
    if not data.startswith(_MAGIC) or len(data) <= len(_MAGIC) + _DIGEST:
        return [data]
    message, digest = data[len(_MAGIC) : -_DIGEST], data[-_DIGEST:]
    if hashlib.md5(message, usedforsecurity=False).digest() != digest:
        return [data]
    try:
        found = list(_unpacked(message))
    except (ValueError, IndexError, KeyError):
        return [data]
    if not all(hashes.first <= key <= hashes.last for key, _ in found):
        return []
    return [content for _, content in found]


def _unpacked(message: bytes) -> Iterator[tuple[int, bytes]]:
    """Hash keys and data."""
    partition_keys: list[bytes] = []
    hash_keys: list[bytes] = []
    records: list[bytes] = []
    tables = {1: partition_keys, 2: hash_keys, 3: records}
    for field, value in _fields(message):
        if field in tables:
            tables[field].append(_bytes(value))
    for record in records:
        fields = dict(_fields(record))
        if 2 in fields:
            key = int(hash_keys[_number(fields[2])])
        else:
            partition_key = partition_keys[_number(fields[1])]
            key = int.from_bytes(hashlib.md5(partition_key, usedforsecurity=False).digest(), "big")
        yield key, _bytes(fields[3])


def _fields(message: bytes) -> Iterator[tuple[int, int | bytes]]:
    """Numbers and values of the fields of a message of Protocol Buffers."""
    place = 0
    while place < len(message):
        tag, place = _varint(message, place)
        kind = tag & 7
        if kind == 0:
            number, place = _varint(message, place)
            yield tag >> 3, number
            continue
        if kind == 2:
            size, place = _varint(message, place)
        else:
            size = _SIZES[kind]
        if place + size > len(message):
            raise ValueError("the message ends within a field")
        yield tag >> 3, message[place : place + size]
        place += size


def _varint(message: bytes, place: int) -> tuple[int, int]:
    """A number, and the place after it."""
    number = shift = 0
    while True:
        byte = message[place]
        place += 1
        number |= (byte & 0x7F) << shift
        if byte < 0x80:
            return number, place
        shift += 7


def _bytes(value: int | bytes) -> bytes:
    if not isinstance(value, bytes):
        raise ValueError("a number in place of bytes")
    return value


def _number(value: int | bytes) -> int:
    if not isinstance(value, int):
        raise ValueError("bytes in place of a number")
    return value
