"""Random programs do the same before and after: what each rule proves holds in chains, too."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from pyspark import SparkContext
from pyspark.sql import SparkSession

from tests.migrate.programs import run, socket_program
from tests.migrate.rules.programs import SHAPES, random_program, spread
from tests.migrate.rules.running import after_program, before

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
                assert came.batches == expected.batches, f"seed {seed}:\n{whole}"


def _compare_windows(seeds: range, spark_context: SparkContext, spark: SparkSession) -> None:
    """Compare the native ones of some random programs with windows, until the windows are empty again."""
    programs = {seed: random_program(seed, windows=True) for seed in seeds}
    native = {seed: program for seed, program in programs.items() if _is_native(socket_program(program))}
    rng = random.Random(seeds.start)
    some = [tuple(rng.choices(WORDS, k=rng.randint(1, 5))) for _ in range(4)]
    batches = [some[0], (), some[1], some[2], (), (), some[3], *[()] * 6]
    was = before(list(native.values()), batches, spark_context)
    for (seed, program), expected in zip(native.items(), was, strict=True):
        whole = socket_program(program)
        # the micro-batch that the query starts with comes before the first interval
        came = after_program(whole, [(), *batches], spark)
        assert came.batches[1:] == expected.batches, f"seed {seed}:\n{whole}"


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
    _compare_windows(range(4), spark_context, spark)


@pytest.mark.full
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("start", range(100, 1300, 10))
def test_many_random_programs_with_windows(
    spark_context: SparkContext, spark: SparkSession, tmp_path: Path, start: int
) -> None:
    spark_context.setCheckpointDir(str(tmp_path))
    _compare_windows(range(start, start + 10), spark_context, spark)


@pytest.mark.parametrize("start", range(1000, 1400, 100))
def test_functions_and_classes_are_followed(start: int) -> None:
    for seed in range(start, start + 10):
        program = random_program(seed)
        for shape in SHAPES:
            whole = spread(program, shape)
            assert _is_native(whole) == _is_native(socket_program(program)) or shape == "class"
