"""Windows hold DataFrames of their own: of equal ones the first unpersist releases both."""

from __future__ import annotations

import ast
import itertools
import re
from typing import Any

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from tests.migrate.programs import kafka_program, native_body, run

ADD = "lambda a, b: a + b"
SUMS = f"reduceByKeyAndWindow({ADD}, None, LENGTH)"
WINDOWS = (
    "lines.window(LENGTH)",
    "lines.window(LENGTH, 2)",
    "lines.map(lambda same: same).window(LENGTH)",
    "lines.map(lambda line: (line, len(line))).window(LENGTH)",
    "lines.map(lambda word: (word, len(word))).window(LENGTH, 2)",
    "lines.filter(lambda line: 'a' in line).window(LENGTH)",
    "lines.filter(lambda text: text == 'b').window(LENGTH)",
    f"lines.map(lambda line: (line, 1)).{SUMS}",
    f"lines.map(lambda word: (word, 1)).{SUMS}",
    f'lines.flatMap(lambda line: line.split(" ")).map(lambda word: (word, 1)).{SUMS}',
    f'lines.flatMap(lambda text: text.split(" ")).map(lambda w: (w, 1)).{SUMS}',
)
_ADDED = re.compile(
    r"(?:due\w* = )?\w*window\w*\.(?:append\(\(now, (\w+)(?:\.persist\(\))?\)\)|add\(now, (\w+)\))"
)
"""What adds a DataFrame to a window."""


def held(body: str, batch: DataFrame) -> list[DataFrame]:
    """What the windows of a program hold of a batch."""
    names: dict[str, Any] = {"F": F, "batch": batch}
    found = []
    for statement in ast.parse(native_body(body)).body:
        code = ast.unparse(statement)
        if isinstance(statement, ast.Assign) and code.split(" = ")[1].startswith(tuple(names)):
            exec(code, names)
        if added := _ADDED.fullmatch(code):
            found.append(names[added[1] or added[2]])
    return found


def test_no_two_windows_hold_dataframes_with_one_plan(spark: SparkSession) -> None:
    batch = spark.range(3).select(F.col("id").cast("string").alias("value"))
    for one, other in itertools.combinations_with_replacement(WINDOWS, 2):
        windows = (one.replace("LENGTH", "4"), other.replace("LENGTH", "6"))
        body = "\n".join(f"{window}.foreachRDD(lambda rdd: print(rdd.count()))" for window in windows)
        frames = held(body, batch)
        assert 1 <= len(frames) <= 2, body
        for first, second in itertools.combinations(frames, 2):
            assert not first.sameSemantics(second), body


def test_only_equal_ones_cost_a_checkpoint() -> None:
    words = 'words = lines.flatMap(lambda line: line.split(" ")).map(lambda word: (word, 1))\n'
    body = (
        f"{words}words.{SUMS.replace('LENGTH', '4')}.pprint()\nlines.window(3).pprint()\n"
        "lines.filter(lambda line: 'a' in line).window(6).pprint()\n"
        "lines.filter(lambda line: 'b' in line).window(7).pprint()"
    )
    assert "localCheckpoint" not in native_body(body)
    new = native_body(body + "\nlines.map(lambda same: same).window(4, 2).pprint()")
    assert new.count("localCheckpoint") == 1
    assert "# Spark persists equal DataFrames once, and releases them together" in new


def test_a_batch_that_is_computed_twice_releases_no_window() -> None:
    other = "messages.map(lambda m: m[0]).pprint()\n"
    values = "messages.map(lambda m: m[1]).window(9).pprint()"
    assert "localCheckpoint" not in run(kafka_program(other + values)).files[0].new
    same = "lines.map(lambda line: line)"
    new = native_body(f"{same}.filter(bool).pprint()\n{same}.window(4).pprint()")
    assert "\nbatch.unpersist()" not in new or "localCheckpoint" in new
