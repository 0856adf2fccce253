"""Ones of pairs that are summed by key: no column holds them."""

from __future__ import annotations

import pytest

from tests.migrate.programs import flat, native_body

LOWER = "lines.map(lambda x: (x.lower(), 1)).filter(lambda p: len(p[0]) > 3)"
SUM = "lambda a, b: a + b"


@pytest.mark.parametrize(
    "summed",
    [
        pytest.param(f"{LOWER}.reduceByKey({SUM})", id="of a batch"),
        pytest.param(f"{LOWER}.reduceByKeyAndWindow({SUM}, None, 4, 2)", id="of a window"),
        pytest.param(f"{LOWER}.filter(lambda p: 'a' in p[0]).reduceByKey({SUM})", id="past two"),
        pytest.param(
            f"lines.map(lambda x: ('old' if float(x) < time.time() else 'new', 1)).reduceByKey({SUM})",
            id="of what the clock says",
        ),
    ],
)
def test_a_number_of_rows_needs_no_column_of_ones(summed: str) -> None:
    body = flat(native_body(f"import time\n{summed}.pprint()"))
    assert ".count()" in body and "F.lit(1)" not in body


def test_ones_that_something_else_reads_are_one() -> None:
    assert "F.lit(1)" in native_body(f"{LOWER}.pprint()")


MADE = "{}.map(lambda a: (int(a), 1)){}"
SUMS = "kept.reduceByKey(lambda a, b: a + b)"
CALLBACK = "def show(rdd):\n    kept = {}\n{}    print(sorted({}.collect()))\nlines.foreachRDD(show)"


@pytest.mark.parametrize("more", ["", "    print(kept.count())\n", "    print(kept.isEmpty())\n"])
@pytest.mark.parametrize("condition", ["", ".filter(lambda e: e[0] > 3)"])
@pytest.mark.parametrize("sums", [SUMS, "kept.filter(lambda e: e[0] < 9).reduceByKey(lambda a, b: a + b)"])
def test_pairs_that_a_callback_counts(more: str, condition: str, sums: str) -> None:
    new = native_body(CALLBACK.format(MADE.format("rdd", condition), more, sums))
    assert "F.lit(1)" not in new and '.groupBy("value").count()' in new


@pytest.mark.parametrize("more", ["", "kept.count().pprint()\n"])
@pytest.mark.parametrize("condition", ["", ".filter(lambda e: e[0] > 3)"])
def test_pairs_of_a_stream(more: str, condition: str) -> None:
    new = native_body(f"kept = {MADE.format('lines', condition)}\n{more}{SUMS}.pprint()")
    assert "F.lit(1)" not in new and ".count()" in new and "F.sum" not in new
    assert '.select("value")' not in new


@pytest.mark.parametrize(
    "body",
    [
        CALLBACK.format(MADE.format("rdd", ""), "    print(kept.collect())\n", SUMS),
        CALLBACK.format(MADE.format("rdd", ""), "    print(kept.values().sum())\n", SUMS),
        f"kept = {MADE.format('lines', '')}\nkept.pprint()\n{SUMS}.pprint()",
    ],
    ids=["collected", "summed", "printed"],
)
def test_pairs_that_something_else_reads(body: str) -> None:
    assert "F.lit(1)" in native_body(body)


def test_ones_beside_what_a_variable_holds_have_no_line() -> None:
    body = (
        "words = lines.flatMap(lambda line: line.split(' '))\nwords.pprint()\n"
        "pairs = words.map(lambda word: (word, 1))\n{}"
        f"pairs.filter(lambda pair: pair[0] != ' ').reduceByKey({SUM}).pprint()\n"
    )
    new = native_body(body.format(""))
    assert "pairs" not in new and 'words.where(F.col("word") != " ").groupBy("word").count()' in new
    again = native_body(body.format("words = words.filter(len)\n") + "words.pprint()")
    assert 'words.where(F.col("word") != " ").groupBy("word").count()' in again
    assert 'words_2 = words.where(F.length("word") != 0)' in again
