"""Records in files that leave what was learnt: the query fails, and names fact, value and file."""

from __future__ import annotations

import os
import re
import time
from pathlib import Path

import pytest
from pyspark.errors import StreamingQueryException
from pyspark.sql import SparkSession

from migrate.knowledge.spark_version import installed
from tests.migrate.planted import GOOD, OWN, PLANTED, Planted, from_function, on_columns

pytestmark = pytest.mark.skipif(
    not installed().has_variant, reason="before 4.0 there is no VARIANT, so JSON stays in Python"
)
HEAD = """\
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="Test")
ssc = StreamingContext(sc, 1)
stream = ssc.textFileStream(DIRECTORY)
"""
LEARN = "; to accept it: `dstream-migrate learn OLD --input {} -- ARGS`, `rewrite`, start again"


def failure(program: str, directory: Path, text: str) -> str:
    """What the query says that reads a file with this record, which comes after its start."""
    (directory / "first.txt").write_text(GOOD + "\n")
    (directory / "second.txt").write_text(f"{GOOD}\n{text}\n")
    for path in directory.iterdir():
        os.utime(path, times=(time.time() + 3600,) * 2)
    with pytest.raises(StreamingQueryException) as failed:
        exec(compile(program, "job.py", "exec"), {"__name__": "__main__", "DIRECTORY": str(directory)})
    return str(failed.value)


@pytest.mark.parametrize("by_schema", [pytest.param(False, marks=pytest.mark.full), True])
@pytest.mark.parametrize("planted", PLANTED.values(), ids=PLANTED)
def test_json_on_columns(spark: SparkSession, directory: Path, planted: Planted, by_schema: bool) -> None:
    said = failure(on_columns(HEAD, "m", by_schema=by_schema), directory, planted.text)
    file = f"file://{directory}/second.txt"
    place = f'{{"fact":"events","file":"{file}"}}{LEARN.format(file)}'
    assert re.search(f"{planted.on_columns}.* in {re.escape(place)}", said), said


@pytest.mark.parametrize("planted", PLANTED.values(), ids=PLANTED)
def test_the_result_of_a_function(spark: SparkSession, directory: Path, planted: Planted) -> None:
    """What the function itself raises for is named as well; `learn` would fail for it."""
    if not planted.from_function:
        pytest.skip("the function does not read the key")
    said = failure(from_function(HEAD, "m"), directory, planted.text)
    file = f"file://{directory}/second.txt"
    advice = OWN if "Error" in planted.from_function else LEARN.format(file)
    place = f" in rows {file}{advice}"
    assert re.search(planted.from_function + re.escape(place), said), said


def test_what_is_as_learnt_passes(
    spark: SparkSession, directory: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    columns = [on_columns(HEAD, "m", by_schema=by_schema) for by_schema in (False, True)]
    for number, made in enumerate((*columns, from_function(HEAD, "m"))):
        (there := directory / str(number)).mkdir()
        (there / "file.txt").write_text(GOOD + "\n")
        os.utime(there / "file.txt", times=(time.time() + 3600,) * 2)
        names = {"__name__": "__main__", "DIRECTORY": str(there)}
        exec(compile(made.replace("query.awaitTermination()", ""), "job.py", "exec"), names)
        names["query"].processAllAvailable()  # type: ignore[attr-defined]
        names["query"].stop()  # type: ignore[attr-defined]
        assert "2.25" in capsys.readouterr().out
