"""Keys of pairs: which of them Spark groups as Python's dict does."""

from __future__ import annotations

import pytest

from migrate.model import Options
from migrate.plan.elements.pairs import FLOATS
from tests.migrate.programs import run, socket_program

PAIRS = "pairs = lines.map(lambda line: (float(line), 1))\n"


@pytest.mark.parametrize(
    ("stream", "code"),
    [
        ("pairs.reduceByKey(lambda a, b: a + b).pprint()", ".count()"),
        ("pairs.updateStateByKey(lambda new, last: sum(new) + (last or 0)).pprint()", ".count()"),
        ("pairs.groupByKey().mapValues(len).pprint()", ".count()"),
        ("lines.map(float).countByValue().pprint()", ".count()"),
        ("lines.map(float).transform(lambda rdd: rdd.distinct()).pprint()", ".distinct()"),
    ],
)
def test_floats_are_keys_of_which_two_are_named(stream: str, code: str) -> None:
    result = run(socket_program(f"{PAIRS}{stream}"))
    new = str(result.files[0].new)
    assert code in new
    assert ".rdd" not in new
    assert any(FLOATS in note for graph in result.graphs for note in graph.notes)


def test_where_all_is_to_be_as_it_was_they_are_rdd_code() -> None:
    source = socket_program(f"{PAIRS}pairs.reduceByKey(lambda a, b: a + b).pprint()")
    assert ".rdd" in str(run(source, Options(strict=True)).files[0].new)
