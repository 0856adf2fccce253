"""RDDs of the first elements of a sorted one, ``sc.parallelize(rdd.take(5))``: a limit behind the sort."""

from __future__ import annotations

import pytest

from tests.migrate.programs import native_body

COUNTS = "counts = lines.map(lambda w: (w, 1)).reduceByKey(lambda a, b: a + b)\n"
SORTED = "counts.transform(lambda rdd: rdd.sortBy(lambda x: -x[1]))"
FIRST = ".transform(lambda rdd: sc.parallelize(rdd.take(5))).pprint()"
LIMIT = 'orderBy(F.desc("count")).limit(5).show(10, truncate=False)'


@pytest.mark.parametrize(
    ("body", "new"),
    [
        (
            "counts.transform(lambda rdd: sc.parallelize(rdd.sortBy(lambda x: -x[1]).take(5))).pprint()",
            f"counts.{LIMIT}",
        ),
        (SORTED + FIRST, f"counts.{LIMIT}"),
        (f"words = {SORTED}\nwords.pprint()\nwords{FIRST}", f"words.{LIMIT}"),  # it is persisted
        (f"{SORTED}.filter(lambda x: x[1] > 2){FIRST}", f'.where(F.col("count") > 2)\n    .{LIMIT[:24]}'),
    ],
)
def test_the_first_ones_are_a_limit(body: str, new: str) -> None:
    made = native_body(COUNTS + body)
    assert new in made
    assert ".rdd" not in made


def test_a_function_makes_something_of_the_first_ones() -> None:
    new = native_body(f"{COUNTS}{SORTED}.map(lambda x: x[0].title()){FIRST}")
    assert '.orderBy(F.desc("count"))\n    .limit(5)\n    .select(' in new


@pytest.mark.parametrize(
    ("taken", "sort"),
    [
        ("rdd.takeOrdered(3, key=lambda x: -x[1])", 'F.desc("count")'),
        ("rdd.takeOrdered(3, lambda x: x[0])", '"value"'),
        ("rdd.top(num=3, key=lambda x: x[1])", 'F.desc("count")'),
        ("rdd.filter(lambda x: x[1] > 2).top(3, key=lambda x: x[1])", 'F.desc("count")'),
    ],
)
def test_the_first_by_a_key_are_taken_of_sorted_rows(taken: str, sort: str) -> None:
    made = "".join(native_body(f"words = {COUNTS[9:]}words.foreachRDD(lambda rdd: print({taken}))").split())
    assert f"orderBy({sort}).take(3)]" in made
    assert ".rdd" not in made and "[tuple(row)forrowin" in made


def test_rows_that_are_read_by_position_stay_in_the_order_of_the_key() -> None:
    body = "def show(rdd):\n    print(rdd.top(2, key=lambda x: x[1])[0][0])\ncounts.foreachRDD(show)"
    assert 'orderBy(F.desc("count")).take(2)[0][0]' in native_body(COUNTS + body)


@pytest.mark.parametrize("key", ["lambda x: hash(x)", "rank", "lambda x: (x[0], None)"])
def test_rdd_code_takes_the_first_by_a_key_without_columns(key: str) -> None:
    body = f"def rank(x):\n    return {{}}.get(x)\ncounts.foreachRDD(lambda rdd: print(rdd.top(2, {key})))"
    assert ".top(2" in native_body(COUNTS + body)


@pytest.mark.parametrize("stream", ["counts", f"words = {SORTED}.map(lambda x: x[0])\nwords.pprint()\nwords"])
def test_rdd_code_takes_those_of_no_known_order(stream: str) -> None:
    assert ".take(5))" in native_body(COUNTS + stream + FIRST)
