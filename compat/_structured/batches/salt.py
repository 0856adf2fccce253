"""Ints by which Spark's hash partitioning sends rows where `RDD.partitionBy` wants them."""

from __future__ import annotations

import functools

SEED = 42
_MASK = 0xFFFFFFFF


def murmur3(value: int) -> int:
    """Spark's hash of one 32-bit int column: ``Murmur3_x86_32.hashInt`` with seed 42, as a signed int."""
    k1 = value & _MASK
    k1 = (k1 * 0xCC9E2D51) & _MASK
    k1 = ((k1 << 15) | (k1 >> 17)) & _MASK
    k1 = (k1 * 0x1B873593) & _MASK
    h1 = SEED ^ k1
    h1 = ((h1 << 13) | (h1 >> 19)) & _MASK
    h1 = (h1 * 5 + 0xE6546B64) & _MASK
    h1 ^= 4  # the length in bytes
    h1 ^= h1 >> 16
    h1 = (h1 * 0x85EBCA6B) & _MASK
    h1 ^= h1 >> 13
    h1 = (h1 * 0xC2B2AE35) & _MASK
    h1 ^= h1 >> 16
    return h1 - (1 << 32) if h1 >= 1 << 31 else h1


@functools.lru_cache(maxsize=64)
def salts(partitions: int) -> tuple[int, ...]:
    """For each partition the smallest int >= 0 that ``repartition(partitions, column)`` puts there."""
    found: dict[int, int] = {}
    value = 0
    while len(found) < partitions:
        found.setdefault(murmur3(value) % partitions, value)
        value += 1
    return tuple(found[partition] for partition in range(partitions))
