"""Every example of a rule does the same before and after, batch by batch, on generated batches."""

from __future__ import annotations

import random

import pytest
from pyspark import SparkContext
from pyspark.sql import SparkSession

from migrate.rules import all_rules
from tests.migrate.rules.running import Batch, after, before

RUNNABLE = {
    f"{rule.id}-{number}": example.before
    for rule in all_rules()
    for number, example in enumerate(rule.examples)
    if "stays on compat" not in rule.summary
    and "ssc" not in example.before
    # its aggregation is a query's own, of which there is none here: tests/e2e runs it
    and rule.id != "update_state_by_key"
}
WORDS = (
    "a",
    "b",
    "ERROR",
    "FATAL",
    "ERROR FATAL",
    "x,y",
    "two  spaces",
    " edge ",
    "",
    "naïve 雪",
    "a b a",
    "7",
)


def _batches(seed: int, count: int) -> list[Batch]:
    """Batches of lines, the first and some others empty; each line is in the first that is not."""
    rng = random.Random(seed)
    every = tuple(rng.sample(WORDS, len(WORDS)))
    some = [tuple(rng.choices(WORDS, k=rng.randint(1, 12))) for _ in range(count - 1)]
    return [(), every, (), *some]


def _compare(spark_context: SparkContext, spark: SparkSession, batches: list[Batch]) -> None:
    was = before(list(RUNNABLE.values()), batches, spark_context)
    for (name, example), expected in zip(RUNNABLE.items(), was, strict=True):
        came = after(example, batches, spark)
        assert any(expected.batches), f"{name} says nothing"
        assert came.batches == expected.batches, name


def test_the_examples_run(spark_context: SparkContext, spark: SparkSession) -> None:
    _compare(spark_context, spark, _batches(1, 1))


@pytest.mark.full
@pytest.mark.parametrize("seed", range(2, 12))
def test_the_examples_run_on_many_batches(
    spark_context: SparkContext, spark: SparkSession, seed: int
) -> None:
    _compare(spark_context, spark, _batches(seed, 4))
