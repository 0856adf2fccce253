"""Counts by key whose functions are not called, beside what calling them gives."""

from __future__ import annotations

import functools
import operator
import os
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyspark import SparkContext

from compat import utf8
from compat._structured.batches.counting import adds, counted, pairs_with_one, separator
from compat._structured.batches.frame import CHUNKS, LINES, Frame, Part
from compat._structured.worker import merge, words
from compat.streaming import DStream, StreamingContext
from compat.testing import Case, assert_equal, run
from compat.testing.compare import Compare

Functions = list[Callable[..., Any]]
ONE = 1
BLANK = " "


def named(number: int, other: int) -> int:
    """It has a docstring and annotations."""
    return number + other


def captured(value: Any) -> Functions:
    return [lambda key: (key, value), lambda line: line.split(value), lambda a, b: a + b + value]


class Adder:
    def __call__(self, a: Any, b: Any) -> Any:
        return a + b

    def method(self, b: Any) -> Any:
        return self + b


# --- which functions are known ------------------------------------------------------------------------------


@pytest.mark.parametrize("function", [operator.add, named, lambda x, y: x + y, lambda x, y: y + x])
def test_sums(function: Any) -> None:
    assert adds(function)


@pytest.mark.parametrize(
    "function",
    [
        lambda x, y: x - y,
        lambda x, y: x + x,
        lambda x, y: x + y + 0,
        lambda x, y: int(x) + int(y),
        lambda x, y=1: x + y,
        lambda x, *y: x + y,
        lambda x, *, y: x + y,
        captured(0)[2],
        functools.partial(operator.add),
        Adder(),
        Adder().method,
        max,
        None,
    ],
)
def test_other_functions_of_two(function: Any) -> None:
    assert not adds(function)


def test_pairs_with_one() -> None:
    assert pairs_with_one(lambda word: (word, 1))
    others: Functions = [
        lambda word: (word, True),
        lambda word: (word, 1.0),
        lambda word: (word, 2),
        lambda word: (word, "1"),
        lambda word: [word, 1],
        lambda word: (1, word),
        lambda word: (word, 1, 1),
        lambda word: (word[0], 1),
        lambda word: (word, ONE),
        lambda word: (yield (word, 1)),
        captured(1)[0],
    ]
    assert [function for function in others if pairs_with_one(function)] == []


def test_separators() -> None:
    assert separator(lambda line: line.split(" ")) == " "
    assert separator(lambda text: text.split(", ")) == ", "
    others: Functions = [
        lambda line: line.split(),
        lambda line: line.split(""),
        lambda line: line.split(None),
        lambda line: line.split(b" "),
        lambda line: line.split(" ", 1),
        lambda line: line.split(sep=" "),
        lambda line: line.rsplit(" "),
        lambda line: line.strip().split(" "),
        lambda line: line.split(BLANK),
        captured(" ")[1],
        str.split,
    ]
    assert [function for function in others if separator(function)] == []


# --- what becomes of a batch --------------------------------------------------------------------------------


def part(*steps: tuple[str, Any], reader: Any = LINES) -> Part:
    nothing: Any = None
    return Part(nothing, reader, steps)


SPLIT = ("flat_map", lambda line: line.split(" "))
PAIR = ("map", lambda word: (word, 1))
LOWER = ("map", lambda word: word.lower())


@pytest.mark.parametrize(
    ("parts", "readers", "steps", "combine"),
    [
        ([part(SPLIT, PAIR)] * 2, [("words", " ")] * 2, [(), ()], "reduce"),
        ([part(PAIR)], [LINES], [()], "count"),
        ([part(SPLIT, LOWER, PAIR)], [LINES], [(SPLIT, LOWER)], "count"),
        ([part(SPLIT, PAIR), part(SPLIT, PAIR, reader=CHUNKS)], [LINES, CHUNKS], [(SPLIT,)] * 2, "count"),
        ([part(SPLIT, PAIR), part(reader=CHUNKS)], [LINES, CHUNKS], [(SPLIT, PAIR), ()], "reduce"),
        ([part(SPLIT, LOWER)], [LINES], [(SPLIT, LOWER)], "reduce"),
        ([part(SPLIT, ("filter", PAIR[1]))], [LINES], [(SPLIT, ("filter", PAIR[1]))], "reduce"),
        ([], [], [], "reduce"),
    ],
    ids=["words", "keys", "lower", "two sources", "pairs of another", "no pair", "a filter", "no partition"],
)
def test_what_is_counted(
    parts: list[Part], readers: list[Any], steps: list[Any], combine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = Frame(tuple(parts))
    frame, (name, _) = counted(before, operator.add)
    assert [found.reader for found in frame.parts] == readers
    assert [found.steps for found in frame.parts] == steps
    assert name == combine
    assert counted(before, max) == (before, ("reduce", max))
    monkeypatch.setenv("COMPAT_COMPILE", "off")
    assert counted(before, operator.add) == (before, ("reduce", operator.add))


# --- in the worker ------------------------------------------------------------------------------------------


def totals(chunks: Iterator[merge.Chunk]) -> list[tuple[Any, int]]:
    """What the other side of the shuffle makes of them."""
    found: dict[Any, int] = {}
    for keys, numbers in chunks:
        for key, number in zip(keys, numbers, strict=True):
            found[key] = found.get(key, 0) + number
    return list(found.items())


def one_by_one(keys: Sequence[Any]) -> list[tuple[Any, int]]:
    return totals(merge.reduced(operator.add, [(key, 1) for key in keys]))


KEYS = st.one_of(st.none(), st.booleans(), st.integers(-2, 2), st.text("ab", max_size=2), st.just(1.0))


@given(st.lists(KEYS))
def test_keys_are_counted_as_they_are_reduced(keys: list[Any]) -> None:
    got = totals(merge.counted(None, keys))
    assert repr(got) == repr(one_by_one(keys))  # of 1, 1.0 and True the first is the key


def test_the_map_side_lets_go_of_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(merge, "HELD", 10)
    monkeypatch.setattr(merge, "BLOCK", 4)
    keys = [number % 17 for number in range(100)]
    chunks = list(merge.counted(None, keys))
    assert max(len(found) for found, _ in chunks) < 14
    assert totals(iter(chunks)) == one_by_one(keys)


def test_keys_without_a_hash_fail_as_ever() -> None:
    with pytest.raises(TypeError, match="unhashable type: 'list'"):
        list(merge.counted(None, [[]]))


def record_batches(lines: Sequence[bytes], size: int) -> Iterator[pa.RecordBatch]:
    """As Spark hands them over: it does not look at the bytes of a text."""
    for start in range(0, len(lines), size):
        texts = pa.array(lines[start : start + size], pa.binary()).view(pa.string())
        yield pa.RecordBatch.from_arrays([texts], names=["value"])


def check_words(lines: Sequence[bytes], mark: str, size: int) -> None:
    got = totals(merge.reduced(operator.add, words.read_words(mark, record_batches(lines, size))))
    parts = [utf8.decoded(line).split(mark) for line in lines]
    assert got == one_by_one(list(chain.from_iterable(parts)))
    assert all(type(number) is int for _, number in got)


TEXTS = st.text(st.sampled_from("ab é\u00a0\U0001f600|"), max_size=8)


MARKS = st.sampled_from([" ", "ab", "é", "|", "aa", "\U0001f600"])


@given(st.lists(TEXTS, max_size=20), MARKS, st.integers(1, 9))
def test_words_are_counted_as_they_are_split(lines: list[str], mark: str, size: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(words, "MANY", 2)
        check_words([line.encode() for line in lines], mark, size)


@pytest.mark.parametrize("different", [5, 50_000])
def test_many_words_that_come_again_or_hardly_do(different: int) -> None:
    lines = [f"w{n * 7 % different} w{n * n % different}".encode() for n in range(20_000)]
    check_words(lines, " ", 2 * words.MANY)


def test_bytes_that_are_no_utf8_are_read_as_ever() -> None:
    lines = [b"a b"] * words.MANY + [b"a \xff b", b"\xe9t\xe9 \xf0\x9f", b"\xed\xa0\x80"] * words.MANY
    check_words(lines, " ", words.MANY)


def test_what_is_no_text_fails_as_ever() -> None:
    texts = pa.array(["a b", None] * words.MANY)
    batches = iter([pa.RecordBatch.from_arrays([texts], names=["value"])])
    with pytest.raises(AttributeError, match="'NoneType' object has no attribute 'split'"):
        list(words.read_words(" ", batches))


# --- whole programs -----------------------------------------------------------------------------------------


def programs(ssc: StreamingContext, directory: Path, queue: DStream[str]) -> list[DStream[Any]]:
    lines = ssc.textFileStream(str(directory))
    ones = lines.flatMap(lambda line: line.split(" ")).map(lambda word: (word, 1))
    recent = lines.window(2).flatMap(lambda line: line.split(" ")).map(lambda word: (word, 1))
    stripped = lines.flatMap(lambda line: line.split()).map(lambda word: (word, 1))
    return [
        ones.reduceByKey(operator.add, 3),
        stripped.reduceByKey(lambda a, b: a + b),
        recent.reduceByKey(operator.add),
        lines.union(queue).map(lambda key: (key, 1)).reduceByKey(operator.add),
        ones.reduceByKey(operator.add).countByValue(),
    ]


def write(directory: Path) -> None:
    texts = {
        1: ["".join(f"w{n % 5} é{n % 3}\n" for n in range(words.MANY)).encode() * 2, b"\n a  b \n"],
        2: [b"w1 \xff\nw1\n" + b"w2 w1\n" * words.MANY],
    }
    for batch, files in texts.items():
        for number, text in enumerate(files):
            path = directory / f"{batch}-{number}"
            path.write_bytes(text)
            os.utime(path, (batch - 0.5, batch - 0.5))


@pytest.mark.parametrize(
    ("engine", "compare"),
    [("structured", "order"), pytest.param("rdd", "partitions", marks=pytest.mark.full)],
)
def test_programs_give_what_they_give_if_functions_are_called(
    engine: str,
    compare: Compare,
    spark_context: SparkContext,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    write(tmp_path)
    queue = [[["a b", "a"], ["b a"]], [[]], []]
    cases = [
        Case(lambda ssc, stream, place=place: programs(ssc, tmp_path, stream)[place], [queue])
        for place in range(5)
    ]
    known = run(cases, spark_context, engine="structured")
    monkeypatch.setenv("COMPAT_COMPILE", "off")
    for one, other in zip(known, run(cases, spark_context, engine=engine), strict=True):
        assert sum(map(len, one.values())) > 0
        assert_equal(other, one, compare=compare)
