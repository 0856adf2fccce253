"""Texts of a key are put together in the order in which they came, as RDDs reduced them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyspark import SparkContext
from pyspark.sql import SparkSession

from tests.migrate.programs import file, socket_program
from tests.migrate.rules.running import after_program, before

BY_LENGTH = "lines.flatMap(lambda l: l.split(' ')).map(lambda w: (len(w), w)).reduceByKey({}).pprint()"
FUNCTIONS = [
    "lambda x, y: x + ',' + y",
    "lambda a, b: a + b",
    "lambda x, y: x + '\\n' + y",
    'lambda x, y: x + " it\'s " + y',
]
WORDS = st.lists(st.text(st.sampled_from("ab c'\\é日"), max_size=12), max_size=6).map(tuple)


def _same(
    body: str, batches: list[tuple[str, ...]], spark_context: SparkContext, spark: SparkSession
) -> None:
    source = socket_program(body)
    assert "monotonically_increasing_id" in file(source).new and ".rdd" not in file(source).new
    (was,) = before([body], batches, spark_context)
    assert after_program(source, batches, spark).batches == was.batches


@pytest.mark.parametrize("function", FUNCTIONS)
def test_texts_are_put_together_as_before(
    function: str, spark_context: SparkContext, spark: SparkSession
) -> None:
    batches = [("b a cc", "d", "ee a"), (), ("", " "), ("z y x", "w v", "u t", "日 é")]
    _same(BY_LENGTH.format(function), batches, spark_context, spark)


@settings(max_examples=8)
@given(batches=st.lists(WORDS, min_size=1, max_size=3), function=st.sampled_from(FUNCTIONS))
def test_so_are_any_texts(
    batches: list[tuple[str, ...]], function: str, spark_context: SparkContext, spark: SparkSession
) -> None:
    _same(BY_LENGTH.format(function), batches, spark_context, spark)


@pytest.mark.parametrize(
    "function",
    [
        "lambda x, y: y + ',' + x",
        "lambda x, y: x + ',' + x",
        "lambda x, y: x + y + '.'",
        "lambda x, y: x + str(len(y)) + y",
    ],
)
def test_other_orders_of_texts_stay_python(function: str) -> None:
    assert "monotonically_increasing_id" not in file(socket_program(BY_LENGTH.format(function))).new


@pytest.mark.parametrize(
    "body",
    [
        "lines.map(lambda position: (position[:1], position + '!')).reduceByKey({}).pprint()",
        "lines.map(lambda Position: (Position, Position)).reduceByKey({}).pprint()",
        "lines.map(lambda null: (len(null), null)).reduceByKey({}).pprint()",
        "lines.map(lambda wörter: (len(wörter), wörter)).reduceByKey({}).pprint()",
    ],
)
def test_names_of_columns_are_what_the_program_says(
    body: str, spark_context: SparkContext, spark: SparkSession
) -> None:
    """The places take no name of the key or the text, which may be called as a word of SQL."""
    batches = [("b", "a", "cc", "a"), (), ("",), ("z", "b", "z")]
    _same(body.format("lambda a, b: a + ',' + b"), batches, spark_context, spark)
