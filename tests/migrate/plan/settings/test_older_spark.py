"""Notes on what a program computes by itself that was something else on Spark 2."""

from __future__ import annotations

from dataclasses import replace

import pytest

from migrate.knowledge.spark_version import installed
from migrate.migration import migrate
from migrate.model import Options
from tests.migrate.programs import module, run, socket_program

STATISTICS = "a single value gives NULL for"
FIELDS = "where Spark 2 sorted them by name"
SHOWN = "def show(rdd):\n    df = {}\n    df.show()\nlines.foreachRDD(show)"


def _notes(imports: str, made: str) -> str:
    (graph,) = run(f"{imports}\n{socket_program(SHOWN.format(made))}").graphs
    return "\n".join(graph.notes)


@pytest.mark.parametrize(
    ("imports", "made", "named"),
    [
        (
            "from pyspark.sql import functions as F",
            "rdd.map(lambda x: (x,)).toDF().agg(F.stddev('_1'))",
            "`stddev`",
        ),
        (
            "from pyspark.sql.functions import *",
            "rdd.map(lambda x: (x,)).toDF().agg(variance('_1'))",
            "`variance`",
        ),
        (
            "from pyspark.sql.functions import corr as c",
            "rdd.map(lambda x: (x, x)).toDF().agg(c('_1', '_2'))",
            "`corr`",
        ),
        ("import os", "spark.sql('SELECT VARIANCE(n) FROM words')", "`variance`"),
    ],
    ids=["of the module", "of a star", "by another name", "in SQL"],
)
def test_statistics_of_one_value(imports: str, made: str, named: str) -> None:
    notes = _notes(imports, made)
    assert f"{STATISTICS} {named}" in notes


@pytest.mark.parametrize(
    ("imports", "made"),
    [
        ("from statistics import variance", "rdd.map(lambda x: (x,)).toDF().limit(variance([1, 2]))"),
        ("from pyspark.sql import functions as F", "rdd.map(lambda x: (x,)).toDF().agg(F.avg('_1'))"),
        ("TEXT = 'the variance (of all)'", "rdd.map(lambda x: (x,)).toDF()"),
    ],
    ids=["of Python's", "others", "prose"],
)
def test_nothing_is_said_of_others(imports: str, made: str) -> None:
    assert STATISTICS not in _notes(imports, made)


@pytest.mark.parametrize(
    ("made", "told"),
    [
        ("rdd.map(lambda x: Row(word=x, age=1)).toDF()", "`Row(word=..., age=...)`"),
        ("rdd.map(lambda x: Row(age=1, word=x)).toDF()", ""),
        ("rdd.map(lambda x: Row(word=x)).toDF()", ""),
        ("rdd.map(lambda x: Row(**parsed(x))).toDF()", "`Row(**parsed(x))`"),
        ("rdd.map(lambda x: Row(age=1, **parsed(x))).toDF()", "`Row(age=..., **parsed(x))`"),
    ],
)
def test_fields_of_rows_that_were_sorted(made: str, told: str) -> None:
    notes = _notes("from pyspark.sql import Row", made)
    assert (FIELDS in notes) == bool(told)
    assert told in notes


@pytest.mark.parametrize("home", ["pyspark", "pyspark.sql.types"])
def test_the_class_of_rows_has_other_homes(home: str) -> None:
    assert FIELDS in _notes(f"from {home} import Row", "rdd.map(lambda x: Row(word=x, age=1)).toDF()")


@pytest.mark.parametrize(
    ("before", "fields", "statistics"),
    [(None, True, True), ((2, 4), True, True), ((3, 0), False, True), ((3, 5), False, False)],
)
def test_what_was_so_in_the_version_of_the_old_program(
    before: tuple[int, int] | None, fields: bool, statistics: bool
) -> None:
    made = "rdd.map(lambda x: Row(word=x, age=1)).toDF().agg(F.stddev('age'))"
    source = f"from pyspark.sql import Row, functions as F\n{socket_program(SHOWN.format(made))}"
    (graph,) = run(source, Options(spark=replace(installed(), before=before))).graphs
    assert any(FIELDS in note for note in graph.notes) == fields
    assert any(STATISTICS in note for note in graph.notes) == statistics


def test_fields_of_another_program_are_not_named_nor_without_their_file() -> None:
    shared = "from pyspark.sql import Row\n\ndef row(a):\n    return Row(word=a, age=1)\n"
    beside = "from shared import row\nfrom pyspark.sql import Row\n" + socket_program(
        "lines.map(lambda a: Row(b=row(a), a=1)).pprint()"
    )
    program = "from shared import row\n" + socket_program("lines.map(row).pprint()")
    files = {"beside.py": beside, "program.py": program, "shared.py": shared}
    graphs = migrate([module(text, path) for path, text in files.items()], Options()).graphs
    (graph,) = [one for one in graphs if "program.py" in one.files]
    (note,) = [note for note in graph.notes if FIELDS in note]
    assert note.startswith("the fields of `Row(word=..., age=...)` in shared.py have the order")
