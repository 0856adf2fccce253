"""Sets of what a callback collects."""

from __future__ import annotations

import pytest

from tests.migrate.programs import file, socket_program

JSON = ".map(json.loads).map(lambda record: record['city'])"


def _new(stream: str, read: str) -> str:
    body = f"import json\ndef show(rdd):\n    print({read})\n\n\nlines{stream}.foreachRDD(show)"
    return file(socket_program(body)).new


@pytest.mark.parametrize("read", ["set(rdd.distinct().collect())", "len(set(rdd.distinct().collect()))"])
def test_a_set_of_any_values_needs_no_distinct(read: str) -> None:
    new = _new(JSON, read)
    assert "set([json.loads(" in new and " in batch.collect()])" in new
    assert "distinct" not in new


def test_spark_leaves_out_equal_texts() -> None:
    assert "batch.distinct().collect()" in _new("", "set(rdd.distinct().collect())")


@pytest.mark.parametrize("read", ["list(rdd.distinct().collect())", "rdd.distinct().count()"])
def test_elsewhere_distinct_shows(read: str) -> None:
    assert ".rdd" in _new(JSON, read)
