"""Columns are selected in an order only where it is another one than they have, and is seen."""

from __future__ import annotations

import pytest

from tests.migrate.codemod.written import native
from tests.migrate.programs import socket_program

COUNTS = "counts = lines.map(lambda word: (word, 1)).reduceByKey(lambda a, b: a + b)\n"


def chain(steps: str) -> str:
    """The new code of what is made of the counts of words."""
    return native(socket_program(f"{COUNTS}counts{steps}.pprint()"))


@pytest.mark.parametrize(
    "steps",
    [
        ".map(lambda pair: (pair[1], pair[0])).map(lambda pair: (pair[1], pair[0]))",
        ".map(lambda pair: (pair[1], pair[0])).filter(lambda pair: pair[0] > 1).map(lambda p: (p[1], p[0]))",
        ".map(lambda pair: (pair[1], pair[0])).transform(lambda rdd: rdd.sortByKey(False))"
        ".map(lambda pair: (pair[1], pair[0]))",
        ".transform(lambda rdd: rdd.map(lambda p: (p[1], p[0])).sortBy(lambda p: p[0]))"
        ".transform(lambda rdd: rdd.map(lambda p: (p[1], p[0])))",
    ],
    ids=["to and fro", "with a condition", "with an order", "in functions of RDDs"],
)
def test_what_is_turned_back_is_not_turned(steps: str) -> None:
    assert ".select(" not in chain(steps).partition(".count()")[2]


@pytest.mark.parametrize(
    ("steps", "made"),
    [
        (".map(lambda pair: (pair[1], pair[0]))", '.select("count", "word")'),
        (".map(lambda pair: (pair[1], pair[0])).filter(lambda p: p[0] > 1)", '.select("count", "word")'),
        (".map(lambda p: p[1]).filter(lambda n: n > 1)", '.select("count")'),
        (".map(lambda p: (p[0], p[0])).map(lambda p: (p[1], p[0]))", '.select("word", '),
    ],
    ids=["turned", "with a condition", "fewer", "one twice"],
)
def test_what_is_seen_in_another_order_is_selected(steps: str, made: str) -> None:
    assert made in chain(steps)


@pytest.mark.parametrize(("names", "renames"), [('"word", "count"', False), ('"word", "n"', True)])
def test_rows_with_the_names_of_the_columns_are_these(names: str, renames: bool) -> None:
    made = f"from collections import namedtuple\nPair = namedtuple('Pair', [{names}])\n"
    body = f"{made}{COUNTS}counts.map(lambda p: Pair(p[0], p[1])).pprint()"
    new = native(socket_program(body))
    assert (".toDF(" in new.partition(".count()")[2]) is renames


@pytest.mark.parametrize(
    ("by", "columns"),
    [
        ("lambda pair: -pair[1]", 'F.desc("count")'),
        ("lambda pair: (-pair[1], pair[0])", 'F.desc("count"), "word"'),
        ("lambda pair: -pair[1], ascending=False", '"count"'),
        ("lambda pair: -pair[1] * 2", '-F.col("count") * 2'),
        ("lambda pair: -float(pair[1])", '-F.col("count").cast("double")'),
    ],
)
def test_the_order_by_a_negative_whole_number_is_the_opposite_one(by: str, columns: str) -> None:
    assert f".orderBy({columns})" in chain(f".transform(lambda rdd: rdd.sortBy({by}))")


def test_not_that_by_a_negative_float_which_may_be_no_number() -> None:
    body = "lines.map(lambda line: float(line)).transform(lambda rdd: rdd.sortBy(lambda n: -n)).pprint()"
    assert 'F.desc("' not in native(socket_program(body))
