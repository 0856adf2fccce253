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


@pytest.mark.parametrize(
    ("body", "made"),
    [
        ("lines.map(lambda x: (None, len(x))).{}.map(lambda p: p[1] * 2).pprint()", "batch.agg(F.sum("),
        ("lines.map(lambda x: ('all', 1)).{}.map(lambda p: p[1]).pprint()", 'batch.agg(F.count("*")'),
        (
            "lines.map(lambda x: (1, (len(x), 1))).{}.map(lambda p: p[1]).pprint()",
            "batch.agg(",
        ),
        ("lines.map(lambda x: (1, len(x))).{}.map(lambda p: 'n: %r' % p[1]).pprint()", "batch.agg(F.sum("),
        ("lines.map(lambda x: ('all', 1)).{}.map(lambda p: p).pprint()", ".groupBy("),
        ("lines.map(lambda x: (x, len(x))).{}.map(lambda p: p[1]).pprint()", ".groupBy("),
        ("n = lines.map(lambda x: (1, len(x))).{}\nn.map(lambda p: p[1]).pprint()\nn.pprint()", ".groupBy("),
    ],
)
def test_a_key_that_nothing_reads_is_no_column(body: str, made: str) -> None:
    reduce = "reduceByKey(lambda a, b: (a[0] + b[0], a[1] + b[1]))" if "(len(x), 1)" in body else ADD[:-9]
    text = native_body(body.format(reduce))
    assert made in text
    assert ".rdd" not in text
