"""Running folds as real queries: what an output shows of a batch must not decide what the state keeps."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from migrate.model import Options
from tests.migrate.programs import file

PROGRAM = """\
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext()
ssc = StreamingContext(sc, 1)
ssc.checkpoint("checkpoint")
lines = ssc.textFileStream("{directory}")
totals = lines.map(lambda line: (line, 1)).updateStateByKey(lambda new, last: sum(new) + (last or 0))
{output}
ssc.start()
"""
WORDS = [f"word{number}" for number in range(60)]
"""So many that each partition has more than are shown."""

OF_PYTHON = "import sys\nsys.stdout = sys.stdout"
"""Keeps a program from Spark's console, which another process prints."""


@pytest.mark.parametrize(
    ("output", "options"),
    [
        (f"totals.pprint()\n{OF_PYTHON}", Options()),
        ("totals.pprint()", Options(pprint_exact=True)),
        ("totals.foreachRDD(lambda rdd: print(rdd.take(10)))", Options()),
        ("totals.foreachRDD(lambda rdd: print([rdd.first()]))", Options()),
        # the batch function keeps these
        ("totals.pprint()\nlines.foreachRDD(lambda rdd: rdd.count())", Options()),
        ("totals.map(lambda pair: tuple(sorted(pair, key=str))[::-1]).pprint()\nlines.pprint(0)", Options()),
        (
            "words = lines.map(lambda line: {'word': line})\n"
            "counts = words.map(lambda found: (found['word'], 1))\n"
            f"counts.updateStateByKey(lambda new, last: len(new) + (last or 0)).pprint()\n{OF_PYTHON}",
            Options(),
        ),
    ],
)
def test_all_of_the_state_is_kept(
    spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str], output: str, options: Options
) -> None:
    names: dict[str, Any] = {"__name__": "__main__"}
    written = file(PROGRAM.format(directory=tmp_path, output=output), options)
    assert written.status.value == "native", written.new
    exec(compile(written.new, "after", "exec"), names)
    query = names["query"]
    try:
        for number in range(3):
            partial = tmp_path / f".{number}"
            partial.write_text("\n".join(WORDS))
            capsys.readouterr()
            partial.rename(tmp_path / f"{number}.txt")
            query.processAllAvailable()
            shown = re.findall(r"word\d+\b\W+(\d+)", capsys.readouterr().out)
            assert shown
            assert set(shown) == {str(number + 1)}
    finally:
        query.stop()


CONSOLE = re.compile(r'\.format\("console"\)\s*\.options?\(([^)]*)\)')


def in_memory(text: str | None) -> str:
    """A program whose rows are in a table, in place of the terminal that Spark's own process writes to."""
    made, number = CONSOLE.subn('.format("memory").queryName("shown")', text or "")
    assert number == 1
    return made


@pytest.mark.parametrize(
    ("output", "rows"),
    [
        ("totals.pprint()", 10),
        ("totals.pprint(50)", 50),
        ("totals.filter(lambda pair: pair[1] > 0).map(lambda pair: (pair[1], pair[0])).pprint(3)", 3),
        ("totals.transform(lambda rdd: rdd.sortBy(lambda pair: pair[0])).pprint(2)", 2),
    ],
)
def test_the_console_shows_some_of_the_state_and_updates_all_of_it(
    spark: SparkSession, tmp_path: Path, output: str, rows: int
) -> None:
    names: dict[str, Any] = {"__name__": "__main__"}
    text = in_memory(file(PROGRAM.format(directory=tmp_path, output=output)).new)
    directory = f'.option("checkpointLocation", {str(tmp_path / "checkpoint")!r})'
    exec(compile(text.replace(".start()", f"{directory}.start()"), "after", "exec"), names)
    query = names["query"]
    try:
        for number in range(3):
            partial = tmp_path / f".{number}"
            partial.write_text("\n".join(WORDS[number * 20 :]))
            partial.rename(tmp_path / f"{number}.txt")
            query.processAllAvailable()
            assert len(spark.table("shown").collect()) == rows
    finally:
        query.stop()
    kept: list[dict[str, int]] = []
    totals = names["lines"].groupBy("value").count()
    again = totals.writeStream.outputMode("complete").foreachBatch(
        lambda batch, batch_id: kept.append({row["value"]: row["count"] for row in batch.collect()})
    )
    query = again.option("checkpointLocation", str(tmp_path / "checkpoint")).start()
    try:
        (tmp_path / "last.txt").write_text("zuletzt\n")
        query.processAllAvailable()
    finally:
        query.stop()
    assert kept[-1] == {word: number // 20 + 1 for number, word in enumerate(WORDS)} | {"zuletzt": 1}


SORTED = "totals = totals.transform(lambda rdd: rdd.sortBy(lambda pair: pair[1], False))\ntotals.pprint(2)"


@pytest.mark.parametrize("more", ["", "\ntotals.foreachRDD(lambda rdd: rdd.take(1))"])
def test_a_sorted_state_is_printed_in_its_own_order(
    spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str], more: str
) -> None:
    names: dict[str, Any] = {"__name__": "__main__"}
    text = str(file(PROGRAM.format(directory=tmp_path, output=SORTED + more)).new)
    assert 'outputMode("complete")' in text
    exec(compile(text if more else in_memory(text), "after", "exec"), names)
    query = names["query"]
    try:
        for number in range(2):
            partial = tmp_path / f".{number}"
            partial.write_text("\n".join([*WORDS, "zuletzt", "zuletzt", "zuletzt", "word7"]))
            capsys.readouterr()
            partial.rename(tmp_path / f"{number}.txt")
            query.processAllAvailable()
            shown = re.findall(r"(\w+) *\|(\d+)", capsys.readouterr().out)
            if not more:
                shown = [(word, str(count)) for word, count in spark.table("shown").collect()]
            assert shown == [("zuletzt", str(3 * (number + 1))), ("word7", str(2 * (number + 1)))]
    finally:
        query.stop()
