"""Random programs do the same before and after: what each rule proves holds in chains, too."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from itertools import count, groupby, islice
from pathlib import Path

import pytest
from pyspark import SparkContext
from pyspark.sql import SparkSession

from migrate.plan.windows import windows
from migrate.plan.windows.windows import UNITED_ALL_UP_TO
from tests.migrate.programs import run, socket_program
from tests.migrate.rules.programs import SHAPES, random_program, spread
from tests.migrate.rules.running import after_program, as_printed, before

WORDS = ("a", "b", "ab", "banana", "x,y", "fig a", "two  spaces", " edge ", "", "7")


def _compare(seeds: range, spark_context: SparkContext, spark: SparkSession, *shapes: str) -> None:
    """Compare the native ones of some random programs, and those in functions and classes like them."""
    programs = {seed: random_program(seed) for seed in seeds}
    native = {seed: program for seed, program in programs.items() if _is_native(socket_program(program))}
    rng = random.Random(seeds.start)
    some = [tuple(rng.choices(WORDS, k=rng.randint(1, 9))) for _ in range(2)]
    batches = [(), some[0], (), some[1]]
    was = before(list(native.values()), batches, spark_context)
    for (seed, program), expected in zip(native.items(), was, strict=True):
        for whole in (socket_program(program), *(spread(program, shape) for shape in shapes)):
            if _is_native(whole):
                came = after_program(whole, batches, spark)
                both = zip(expected.batches, came.batches, strict=True)
                pairs = [(_in_any_order(as_printed(*pair)), _in_any_order(pair[1])) for pair in both]
                assert all(old == new for old, new in pairs), f"seed {seed}: {pairs}\n{whole}"


def _differing_windows(seeds: Iterable[int], spark_context: SparkContext, spark: SparkSession) -> list[str]:
    """The programs with windows that differ, by seeds; each gets batches until its windows are empty."""
    bodies = {seed: random_program(seed, windows=True) for seed in seeds}
    rng = random.Random(min(bodies))
    some = [tuple(rng.choices(WORDS, k=rng.randint(1, 5))) for _ in range(4)]
    batches = [some[0], (), some[1], some[2], (), (), some[3], *[()] * 6]
    was = before(list(bodies.values()), batches, spark_context)
    different = []
    for (seed, body), expected in zip(bodies.items(), was, strict=True):
        whole = socket_program(body)
        # the micro-batch that the query starts with comes before the first interval
        came = after_program(whole, [(), *batches], spark)
        both = zip(expected.batches, came.batches[1:], strict=True)
        pairs = [(_in_any_order(as_printed(was_, now)), _in_any_order(now)) for was_, now in both]
        differing = [(batch, *pair) for batch, pair in enumerate(pairs) if pair[0] != pair[1]]
        if differing:
            batch, old, new = differing[0]
            different.append(f"seed {seed}, batch {batch}: {old} before, {new} after\n{whole}")
    return different


def _in_any_order(lines: Sequence[str]) -> list[str]:
    """What a program puts out, with the lines that executors print, ``saved ...``, in one order.

    They print at the same time; and what gives `foreach` its elements may be a part of its function.
    """
    groups = groupby(lines, key=lambda line: line.startswith("saved"))
    return [line for of_executors, some in groups for line in (sorted(some) if of_executors else some)]


def _native_with_windows(seed: int) -> Iterator[int]:
    """The seeds from this one on whose programs with windows become native."""
    return (n for n in count(seed) if _is_native(socket_program(random_program(n, windows=True))))


def _is_native(source: str) -> bool:
    (graph,) = run(source).graphs
    return graph.outcome.value == "native"


def test_a_few_random_programs(spark_context: SparkContext, spark: SparkSession) -> None:
    _compare(range(5), spark_context, spark)


@pytest.mark.full
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("start", range(100, 500, 20))
def test_many_random_programs(spark_context: SparkContext, spark: SparkSession, start: int) -> None:
    _compare(range(start, start + 20), spark_context, spark)


@pytest.mark.full
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("start", range(500, 540, 10))
def test_many_random_programs_in_functions_and_classes(
    spark_context: SparkContext, spark: SparkSession, start: int
) -> None:
    _compare(range(start, start + 10), spark_context, spark, *SHAPES)


def test_a_few_random_programs_with_windows(
    spark_context: SparkContext, spark: SparkSession, tmp_path: Path
) -> None:
    spark_context.setCheckpointDir(str(tmp_path))
    assert _differing_windows(islice(_native_with_windows(0), 2), spark_context, spark) == []


@pytest.mark.full
@pytest.mark.timeout(8 * 3600)
@pytest.mark.parametrize("longest", [UNITED_ALL_UP_TO, 0], ids=["short", "as long ones"])
def test_many_random_programs_with_windows(
    spark_context: SparkContext,
    spark: SparkSession,
    tmp_path: Path,
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
    longest: int,
) -> None:
    """As many as ``--window-programs`` says, from ``--window-seed`` on, five in one context."""
    monkeypatch.setattr(windows, "UNITED_ALL_UP_TO", longest)
    spark_context.setCheckpointDir(str(tmp_path))
    seeds = _native_with_windows(request.config.getoption("--window-seed"))
    left, compared, different = request.config.getoption("--window-programs"), 0, list[str]()
    while left > compared:
        some = list(islice(seeds, min(5, left - compared)))
        found = _differing_windows(some, spark_context, spark)
        different += found
        compared += len(some)
        print(f"{compared} compared, up to seed {some[-1]}, {len(different)} different", *found, flush=True)
    assert different == [], "\n".join(different)


@pytest.mark.parametrize("start", range(1000, 1400, 100))
def test_functions_and_classes_are_followed(start: int) -> None:
    for seed in range(start, start + 10):
        program = random_program(seed)
        for shape in SHAPES:
            whole = spread(program, shape)
            assert _is_native(whole) == _is_native(socket_program(program)) or shape in ("class", "derived")
