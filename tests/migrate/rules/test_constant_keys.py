"""Pairs whose keys are the same for all elements, as those that a filter has left."""

from __future__ import annotations

import pytest

from tests.migrate.programs import native_body

ADD = "reduceByKey(lambda a, b: a + b).pprint()"


@pytest.mark.parametrize(
    ("pair", "selected", "aggregated"),
    [
        ("('good', 1)", 'F.lit("good").alias("key")', ".count()"),
        ("(('good', x), 1)", 'F.lit("good").alias("field1"), "value"', ".count()"),
        ("('good', 2)", 'F.lit("good").alias("key")', '.agg(F.sum(F.lit(2)).alias("value"))'),
        (
            "('good', len(x))",
            'F.lit("good").alias("key"), F.length("value").alias("value")',
            'F.sum("value")',
        ),
    ],
)
def test_the_keys_are_a_column_and_the_numbers_beside_them_none(
    pair: str, selected: str, aggregated: str
) -> None:
    body = native_body(f"lines.map(lambda x: {pair}).{ADD}".replace("'", '"'))
    assert f"batch.select({selected})" in body
    assert aggregated in body
