"""Windows over event time: what ``--event-time`` and ``--watermark`` make of windows over processing time."""

from __future__ import annotations

import os
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from migrate.model import Options
from tests.migrate.programs import blocked, file, flat, run, socket_program

TIMESTAMP = Options(event_time="timestamp")
CLOSED = Options(event_time="timestamp", watermark="10 minutes")
ADD = "lambda a, b: a + b"
PAIRS = 'pairs = lines.flatMap(lambda line: line.split(" ")).map(lambda word: (word, 1))\n'
WORDS = 'lines.select("timestamp", F.explode(F.split("value", " ")).alias("word"))'
OVER = 'F.window("timestamp", "30 seconds", "10 seconds")'


def code(body: str, options: Options = TIMESTAMP) -> str:
    """The new program without its layout."""
    result = run(socket_program(body), options)
    assert result.graphs[0].outcome.value == "native", result.graphs[0].reasons
    return flat(result.files[0].new)


@pytest.mark.parametrize(
    ("body", "aggregate"),
    [
        pytest.param(
            f"{PAIRS}pairs.reduceByKeyAndWindow({ADD}, lambda a, b: a - b, 30, 10).pprint()",
            f'{WORDS}.groupBy({OVER}, "word").count()',
            id="reduceByKeyAndWindow",
        ),
        pytest.param(
            f"pairs = lines.window(30, 10).map(lambda line: (line, 1))\npairs.reduceByKey({ADD}).pprint()",
            f'lines.groupBy({OVER}, F.col("value").alias("line")).count()',
            id="window and reduceByKey",
        ),
        pytest.param(
            "lines.countByWindow(30, 10).pprint()",
            f'lines.groupBy({OVER}).agg(F.count("*").alias("count"))',
            id="countByWindow",
        ),
        pytest.param(
            "lines.window(30, 10).count().pprint()",
            f'lines.groupBy({OVER}).agg(F.count("*").alias("count"))',
            id="window and count",
        ),
        pytest.param(
            "lines.countByValueAndWindow(30, 10).pprint()",
            f'lines.groupBy({OVER}, "value").count()',
            id="countByValueAndWindow",
        ),
        pytest.param(
            "lines.map(lambda line: len(line)).reduceByWindow(max, None, 30, 10).pprint()",
            f'lines.groupBy({OVER}).agg(F.max(F.length("value")).alias("value"))',
            id="reduceByWindow",
        ),
    ],
)
def test_the_aggregate_is_grouped_by_the_window(body: str, aggregate: str) -> None:
    new = code(body)
    assert flat(aggregate) in new
    assert flat("includeTimestamp=True") in new
    assert flat('.outputMode("update")') in new
    assert flat('batch.orderBy("window"') in new


def test_a_watermark_closes_windows_which_append_puts_out_once() -> None:
    new = code("lines.countByWindow(30, 10).pprint()", CLOSED)
    assert flat(f'lines.withWatermark("timestamp", "10 minutes").groupBy({OVER})') in new
    assert flat('.outputMode("append")') in new


@pytest.mark.parametrize(
    ("arguments", "window"),
    [
        ("30, 30", '"30 seconds"'),
        ("1.5, 0.5", '"1.5 seconds", "0.5 seconds"'),
        ("LENGTH, 10", 'f"{LENGTH} seconds", "10 seconds"'),
        ("int(sys.argv[1]), 10", 'f"{int(sys.argv[1])} seconds", "10 seconds"'),
    ],
)
def test_durations(arguments: str, window: str) -> None:
    new = code(f"import sys\nLENGTH = 60\nlines.countByWindow({arguments}).pprint()")
    assert flat(f'F.window("timestamp", {window})') in new


def test_without_a_slide_it_is_the_batch_interval() -> None:
    assert flat('F.window("timestamp", "30 seconds", "1 second")') in code(
        "lines.window(30).count().pprint()"
    )


def test_a_batch_interval_that_has_a_name_is_a_slide_too() -> None:
    source = socket_program("lines.window(30).count().pprint()").replace("(sc, 1)", "(sc, INTERVAL)")
    new = file(source.replace("ssc =", "INTERVAL = 2\nssc ="), TIMESTAMP).new
    assert flat('F.window("timestamp", "30 seconds", f"{INTERVAL} seconds")') in flat(new)
    (graph,) = run(source.replace("INTERVAL", "next(intervals)"), TIMESTAMP).graphs
    assert "slides by the batch interval" in graph.reasons[0]


def test_a_duration_is_evaluated_where_the_window_was() -> None:
    here = code("import sys\nrecent = lines.window(int(sys.argv[1]), 10)\nrecent.count().pprint()")
    assert flat("window_duration = int(sys.argv[1])\nwindows = ") in here
    assert flat('F.window("timestamp", f"{window_duration} seconds", "10 seconds")') in here
    changed = code("n = 30\nrecent = lines.window(n, 10)\nn = 60\nrecent.count().pprint()")
    assert flat("n = 30\nwindow_duration = n\nn = 60\nwindows = ") in changed
    chained = code("import sys\nlines.window(int(sys.argv[1]), 10).count().pprint()")
    assert flat('F.window("timestamp", f"{int(sys.argv[1])} seconds", "10 seconds")') in chained


def test_other_outputs_than_a_print_see_no_window() -> None:
    counts = f"counts = {PAIRS[8:].strip()}.reduceByKeyAndWindow({ADD}, None, 30, 10)\n"
    new = code(f"{counts}counts.foreachRDD(lambda rdd: print(rdd.collect()))")
    assert flat('batch.select("word", "count")') in new


def test_a_column_may_not_hide_the_event_time_or_the_window() -> None:
    new = code("lines.flatMap(lambda window: window.split()).countByValueAndWindow(30, 10).pprint()")
    assert flat(f"groupBy({OVER}") in new
    pairs = "lines.map(lambda timestamp: (timestamp, 1))"
    assert "timestamp2" in code(
        f"{pairs}.filter(lambda p: p[0]).reduceByKeyAndWindow({ADD}, None, 30, 10).pprint()"
    )


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("lines.window(30, 10).pprint()", "needs one aggregate"),
        ("w = lines.window(30, 10)\nw.count().pprint()\nw.countByValue().pprint()", "needs one aggregate"),
        ("lines.countByWindow(10, 30).pprint()", "more than its length"),
        ("lines.countByWindow(30, 10).pprint()\nlines.pprint()", "only reader"),
        ("lines.countByWindow(30, 10).count().pprint()", "several windows"),
        (f"{PAIRS}pairs.groupByKeyAndWindow(30, 10).pprint()", "order of a key's values"),
    ],
)
def test_what_has_no_form_over_event_time_stays_on_compat(body: str, reason: str) -> None:
    assert reason in blocked(body, TIMESTAMP)


def test_of_several_other_readers_the_first_streams_one_is_named() -> None:
    body = f"{PAIRS}pairs.reduceByKeyAndWindow({ADD}, None, 30, 10).pprint()\npairs.pprint()\nlines.pprint()"
    program = socket_program(body)
    (reason,) = run(program, TIMESTAMP).graphs[0].reasons
    assert reason.startswith(f"line {program[: program.index('lines.pprint()')].count(chr(10)) + 1}: ")


def test_a_source_knows_its_event_times() -> None:
    reason = blocked("lines.countByWindow(30, 10).pprint()", Options(event_time="sent"))
    assert "no event time `sent`, but `timestamp`" in reason


def test_only_the_window_is_unsafe() -> None:
    result = run(socket_program("lines.countByWindow(30, 10).pprint()"), TIMESTAMP)
    assert [site.operator for site in result.sites if not site.safe] == ["countByWindow"]
    assert any("--event-time" in note for note in result.graphs[0].notes)


def test_a_query_counts_by_window(
    spark: SparkSession, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """The words of files, whose windows are those of their modification times."""
    watched = tmp_path / "in"
    watched.mkdir()
    old = socket_program(
        f"{PAIRS}counts = pairs.reduceByKeyAndWindow({ADD}, None, 20, 10)\n"
        "counts.foreachRDD(lambda rdd: seen.extend(rdd.collect()))"
    ).replace('socketTextStream("localhost", 9999)', f'textFileStream("{watched}")')
    new = file(old, Options(event_time="file_modification_time"))
    assert new.status.value == "native"
    seen: list[tuple[str, int]] = []
    names: dict[str, Any] = {"seen": seen, "__name__": "__main__"}
    exec(compile(new.new.split("query.awaitTermination()")[0], "new", "exec"), names)
    began = int(time.time() / 10) * 10 + 20
    for number, lines in enumerate(["a b a", "b", "a"]):
        path = watched / f"{number}.txt"
        path.write_text(lines)
        os.utime(path, (began + 10 * number + 1,) * 2)
    names["query"].processAllAvailable()
    names["query"].stop()
    # each file is in two windows: that which begins with it, and the one before
    windows = [Counter("aab"), Counter("aabb"), Counter("ba"), Counter("a")]
    assert sorted(seen) == sorted(pair for window in windows for pair in window.items())
