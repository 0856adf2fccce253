"""Whole random programs on both engines, compared batch by batch. A program that once differed stays here."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyspark import SparkContext

from compat.testing import assert_equal
from tests.compat.pipelines import Pipeline, Source, Step, drawn_pipelines, run, write_files
from tests.statements import examples


def compare_engines(pipelines: list[Pipeline], sc: SparkContext, place: Path) -> None:
    write_files(pipelines, place)
    expected = run(pipelines, sc, "rdd", place)
    got = run(pipelines, sc, "structured", place)
    for pipeline, ones, others in zip(pipelines, expected, got, strict=True):
        for number, one, other, level in zip(pipeline.outputs, ones, others, pipeline.levels, strict=True):
            assert_equal(one, other, compare=level, name=f"stream {number} of {pipeline}")


@settings(max_examples=examples(1, deep=100))
@pytest.mark.timeout(7200)
@given(data=st.lists(drawn_pipelines(), min_size=2, max_size=2))
def test_random_programs(
    spark_context: SparkContext, tmp_path_factory: pytest.TempPathFactory, data: list[Pipeline]
) -> None:
    compare_engines(data, spark_context, tmp_path_factory.mktemp("files"))


@pytest.mark.full
def test_a_queue_goes_on_where_a_failed_transform_left_it(
    spark_context: SparkContext, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """The window of the failed batch is not made, or is made late where there is an inverse."""
    queue = Source("queue", [[[("a", number)]] for number in range(1, 9)])
    once = Pipeline((queue,), (Step("transform that fails once", (0,), (4,)),), outputs=(1,))
    window = Pipeline((queue,), (Step("window", (0,), (2, 2)),), outputs=(1,))
    inverse = Pipeline((queue,), (Step("with inverse and filter", (0,), (2, 2)),), outputs=(1,))
    compare_engines([once, window, inverse], spark_context, tmp_path_factory.mktemp("files"))
