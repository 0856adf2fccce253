"""What jobs in production do with lines. Every batch interval is a second."""

from __future__ import annotations

import functools
import operator
import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pyspark import RDD

from compat.streaming import DStream
from tests.bench.costs.sources import Files, Kinesis, Source, Texts

Pairs = DStream[tuple[str, int]]
KEYS = 1_000_000


@dataclass(frozen=True)
class Workload:
    """A program and its input."""

    program: Callable[[DStream[str]], DStream[Any]]
    texts: Texts
    """What is given to each batch: a text is a file, or a record."""
    warm: int
    """Batches that do not count."""
    batches: int
    """Batches that do."""
    output: Callable[[RDD[Any]], Any] = RDD.collect
    source: Callable[[Path, Texts], Source] = Files


def words(lines: DStream[str]) -> Pairs:
    """Each word with a one."""
    return lines.flatMap(lambda line: line.split(" ")).map(lambda word: (word, 1))


def totals(pairs: Pairs) -> Pairs:
    """How often there was each key."""
    return pairs.updateStateByKey(lambda new, last: sum(new) + (last or 0))


def kept(lines: DStream[str]) -> Pairs:
    """A window with an inverse, and a state: what a run keeps from batch to batch."""
    pairs = words(lines)
    return pairs.reduceByKeyAndWindow(operator.add, operator.sub, 10, 1).union(totals(pairs))


def ten_lines(number: int) -> list[str]:
    """Ten lines."""
    return ["".join(f"w{i % 5} w{i % 3} again\n" for i in range(10))]


def thousand_lines(number: int) -> list[str]:
    """A thousand lines of two words."""
    return ["".join(f"word{i % 50} and{i % 7}\n" for i in range(1000))]


@functools.cache
def many_words() -> str:
    """300,000 lines of ten words."""
    rng = random.Random(1)
    return "".join(" ".join(f"w{rng.randrange(1000)}" for _ in range(10)) + "\n" for _ in range(300_000))


def four_hundred(number: int) -> list[str]:
    """Ten thousand lines in four hundred files."""
    return ["".join(f"word{i % 50} and{i % 7}\n" for i in range(25))] * 400


def keys(number: int) -> list[str]:
    """All keys in the first batch, one in a hundred in those after it."""
    if number == 1:
        return ["".join(f"k{i}\n" for i in range(KEYS))]
    return ["".join(f"k{(i * 37 + number) % KEYS}\n" for i in range(KEYS // 100))]


def records(number: int) -> list[str]:
    """The lines of `thousand_lines`, one by one."""
    return thousand_lines(number)[0].splitlines()


def window(length: int) -> Workload:
    """Counts of all words in a window."""
    return Workload(
        lambda lines: words(lines.window(length)).reduceByKey(operator.add), thousand_lines, length + 5, 20
    )


def sums(length: int, inverse: Callable[[int, int], int] | None) -> Workload:
    """Counts of all words in a window, from those of its batches."""
    return Workload(
        lambda lines: words(lines).reduceByKeyAndWindow(operator.add, inverse, length, 1),
        thousand_lines,
        length + 5,
        20,
    )


WORKLOADS = {
    "ten rows": Workload(lambda lines: words(lines).reduceByKey(operator.add), ten_lines, 20, 50),
    "3 million words": Workload(
        lambda lines: words(lines).reduceByKey(operator.add), lambda _: [many_words()], 5, 10
    ),
    "400 files": Workload(lambda lines: words(lines).reduceByKey(operator.add), four_hundred, 3, 7),
    "window of 10": window(10),
    "window of 100": window(100),
    "sums of 10": sums(10, None),
    "sums of 100": sums(100, None),
    "inverse of 10": sums(10, operator.sub),
    "inverse of 100": sums(100, operator.sub),
    "a million keys": Workload(
        lambda lines: totals(lines.map(lambda key: (key, 1))), keys, 1, 100, RDD.count
    ),
    "Kinesis": Workload(
        lambda lines: words(lines).reduceByKey(operator.add), records, 20, 20, source=Kinesis
    ),
    "Kinesis without records": Workload(words, lambda _: [], 20, 20, source=Kinesis),
    "uptime": Workload(kept, ten_lines, 20, 2000),
}
