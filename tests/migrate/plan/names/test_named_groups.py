"""Groups are named as the program names them behind the aggregate, and ones beside their keys are counted."""

from __future__ import annotations

import pytest

from tests.migrate.programs import flat, native_body

ADD = "reduceByKey(lambda a, b: a + b)"
ONES = "lines.map(lambda word: (word.lower(), 1))"
ROW = "map(lambda pair: Row(tag=pair[0], n=pair[1]))"
SHOWN = "foreachRDD(lambda rdd: rdd.toDF().show())"


def of_rows(pairs: str) -> str:
    """The batch function that shows a row for each pair."""
    return native_body(f"from pyspark.sql import Row\n{pairs}.{ROW}.{SHOWN}")


@pytest.mark.parametrize(
    ("pairs", "made"),
    [
        (f"{ONES}.{ADD}", '.groupBy(lower("value").alias("tag")).agg(F.count("*").alias("n"))'),
        (
            f"lines.map(lambda line: (line, len(line))).{ADD}",
            '.groupBy(F.col("value").alias("tag")).agg(F.sum(F.length("value")).alias("n"))',
        ),
        ("lines.countByValue()", '.groupBy(F.col("value").alias("tag")).agg(F.count("*").alias("n"))'),
    ],
)
def test_groups_have_the_names_that_rows_have(pairs: str, made: str) -> None:
    new = of_rows(pairs)
    assert flat(made) in flat(new)
    assert ".select(" not in new


@pytest.mark.parametrize(
    "step",
    [
        pytest.param("map(lambda pair: (pair[1], pair[0]))", id="in another order"),
        pytest.param("map(lambda pair: (pair[0], pair[1] * 2))", id="a value is computed"),
        pytest.param("filter(lambda pair: pair[1] > 2)", id="a condition reads the old name"),
    ],
)
def test_other_steps_stay_a_step_of_their_own(step: str) -> None:
    new = of_rows(f"{ONES}.{ADD}.{step}")
    assert ".select(" in new or '.toDF("tag", "n")' in new
    assert 'alias("tag")).count()' not in new


def test_a_variable_that_holds_the_groups_keeps_their_names() -> None:
    counts = f"counts = {ONES}.{ADD}\ncounts.pprint()\n"
    assert 'counts.toDF("tag", "n")' in of_rows(f"{counts}counts")


def test_ones_behind_a_condition_are_counted() -> None:
    kept = f"{ONES}.filter(lambda pair: len(pair[0]) > 3)"
    counted = native_body(f"{kept}.{ADD}.pprint()")
    assert '.groupBy("word").count()' in counted
    assert "F.lit(1)" not in counted
    shown = native_body(f"{kept}.pprint()")
    assert '.select(lower("value").alias("word"), F.lit(1).alias("count"))' in shown
    both = native_body(
        f"pairs = {kept}\npairs.{ADD}.pprint()\npairs.distinct().pprint()".replace(
            "pairs.distinct()", "pairs.transform(lambda rdd: rdd.distinct())"
        )
    )
    assert '.select("word", F.lit(1).alias("count"))' in both


def test_a_row_that_is_imported_twice_is_one() -> None:
    twice = "from pyspark.sql import Row\nfrom pyspark import Row\n"
    assert ".rdd" not in native_body(f"{twice}{ONES}.{ADD}.{ROW}.{SHOWN}")
    other = "from pyspark.sql import Row\nfrom records import Row\n"
    assert ".rdd" in native_body(f"{other}{ONES}.{ADD}.{ROW}.{SHOWN}")
