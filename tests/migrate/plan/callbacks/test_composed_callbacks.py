"""Chains of functions in a callback, of which some results no column holds: one typed function calls them."""

from __future__ import annotations

import pytest

from tests.migrate.programs import native_body, run, socket_program

CALLBACK = """\
import json
from pyspark.sql import SparkSession
spark = SparkSession(sc)
def show(rdd):
    if not rdd.isEmpty():
        {}
lines.foreachRDD(show)
"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (
            "rdd.map(json.loads).map(lambda d: (str(d['a']), float(d['b']))).toDF(['text', 'n']).show()",
            "d = json.loads(value)return (str(d['a']), float(d['b']))",
        ),
        (
            "texts = rdd.map(lambda t: json.loads(t)).flatMap(lambda d: d['a'].title().split())\n"
            "    print(texts.distinct().count())",
            'lambda t: json.loads(t)["a"].title().split(), "array<string>"',
        ),
        (
            "parsed = rdd.map(lambda t: json.loads(t))\n"
            "        kept = parsed.filter(lambda d: 'a' in d)\n"
            "        print(kept.map(lambda d: str(d['a'])).distinct().count(), rdd.count())",
            "return [str(parsed['a'])] if 'a' in parsed else []",
        ),
    ],
)
def test_the_next_function_calls_those_before_it(old: str, new: str) -> None:
    result = run(socket_program(CALLBACK.format(old)))
    text = str(result.files[0].new)
    assert new.replace("'", '"') in text.replace("'", '"').replace("\n    ", "").replace("(    ", "(")
    assert ".rdd" not in text


def test_the_fields_of_a_schema_are_named_where_they_are_made() -> None:
    body = "rdd.map(json.loads).map(lambda d: (str(d['a']), float(d['b']))).toDF(['text', 'n']).show()"
    new = native_body(CALLBACK.format(body)).replace("'", '"')
    assert 'F.col("result.a").alias("text"), F.col("result.b").alias("n")' in new


@pytest.mark.parametrize(
    "body",
    [
        "print(rdd.map(json.loads).count())",
        "print(rdd.map(json.loads).distinct().map(str).distinct().count())",
        "print(rdd.map(json.loads).map(lambda d: d['a']).distinct().count())",
        "print(rdd.map(json.loads).sortBy(lambda d: d['a']).map(str).distinct().count())",
        "n = rdd.count()\n"
        "        print(rdd.map(json.loads).map(lambda d: str(d['a']) * n).distinct().count())",
    ],
    ids=["nothing of them", "not a function of each", "no column", "an order", "a variable of the callback"],
)
def test_others_are_rdd_code(body: str) -> None:
    assert ".rdd" in str(run(socket_program(CALLBACK.format(body))).files[0].new)
