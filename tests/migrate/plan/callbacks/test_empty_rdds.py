"""DataFrames of RDDs without elements, where DStreams logged the error and went on with the next batch."""

from __future__ import annotations

import pytest

from migrate.model import Options, Result
from tests.migrate.programs import run, socket_program

HEAD = "import time\nfrom somewhere import parsed\nfrom pyspark.sql import Row\n"
LATE = "while more():\n    time.sleep(1)\nssc.awaitTermination()"
NEVER = "while True:\n    time.sleep(1)"
TOLD = "`createDataFrame` failed for it, and DStream went on with the next batch"
ROWS = "rows = lines.map(lambda line: Row(word=parsed(line)))\n"
SAVE = "def save(rdd):\n    {}.createOrReplaceTempView('words')\n\nlines.foreachRDD(save)"


def migrated(body: str, end: str, options: Options | None = None) -> Result:
    source = socket_program(body).replace("ssc.awaitTermination()", end)
    return run(HEAD + source, options or Options())


def is_told(result: Result) -> bool:
    return any(TOLD in note for note in result.graphs[0].notes)


@pytest.mark.parametrize("end", [LATE, NEVER])
def test_a_lambda_runs_where_there_are_rows(end: str) -> None:
    result = migrated(f"{ROWS}rows.foreachRDD(lambda rdd: rdd.toDF().createOrReplaceTempView('words'))", end)
    new = result.files[0].new
    assert "    if not rows.isEmpty():  # createDataFrame fails without a row\n" in new
    assert "batch_id == 0" not in new
    assert is_told(result)
    until = "until `awaitTermination` raised the error"
    assert any(until in note for note in result.graphs[0].notes) is (end == LATE)


@pytest.mark.parametrize(
    "made",
    [
        "rdd.map(lambda line: Row(word=parsed(line))).toDF()",
        "spark.createDataFrame(rdd.map(lambda line: (parsed(line), 1)), ['word', 'n'])",
    ],
)
def test_a_function_returns_where_there_are_none(made: str) -> None:
    session = "from pyspark.sql import SparkSession\nspark = SparkSession(sc)\n"
    result = migrated(session + SAVE.format(made), LATE)
    guard = "    if batch.isEmpty():  # createDataFrame fails without a row\n        return\n"
    assert guard in result.files[0].new
    assert is_told(result)


def test_a_variable_of_an_rdd_with_fewer_elements_is_asked_itself() -> None:
    longs = "    long = rdd.filter(lambda row: len(row) > 9)\n    long.map(Row).toDF().show()\n\n"
    parsed = "rows = lines.map(lambda line: parsed(line))\n"
    result = migrated(f"{parsed}def save(rdd):\n{longs}rows.foreachRDD(save)", LATE)
    assert "    if long.isEmpty():  # createDataFrame fails without a row\n" in result.files[0].new


@pytest.mark.parametrize(
    ("body", "end"),
    [
        pytest.param(SAVE.format("rdd.map(parsed).toDF()"), "ssc.awaitTermination()", id="waits at once"),
        pytest.param(SAVE.format("rdd.filter(parsed).map(Row).toDF()"), LATE, id="no variable"),
        pytest.param(SAVE.format("rdd.map(parsed).toDF('word string')"), LATE, id="types are given"),
        pytest.param(
            "def save(rdd):\n    if rdd.isEmpty():\n        return\n    rdd.map(parsed).toDF().show()\n\n"
            "lines.foreachRDD(save)",
            LATE,
            id="asked already",
        ),
        pytest.param(
            "def save(rdd):\n    try:\n        rdd.map(parsed).toDF().show()\n"
            "    except ValueError:\n        print('none')\n\nlines.foreachRDD(save)",
            LATE,
            id="a handler takes it",
        ),
    ],
)
def test_the_error_stays(body: str, end: str) -> None:
    result = migrated(body, end)
    assert "fails without a row" not in result.files[0].new
    assert not is_told(result)


def test_the_error_stays_under_strict() -> None:
    result = migrated(SAVE.format("rdd.map(parsed).toDF()"), LATE, Options(strict=True))
    assert "fails without a row" not in result.files[0].new
