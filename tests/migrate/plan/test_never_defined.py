"""A note on each name that nothing defines, where the new code reads it still."""

from __future__ import annotations

import pytest

from migrate.migration import migrate
from migrate.model import Options, Outcome
from tests.migrate.programs import module, run, socket_program
from tests.migrate.read.notebook import notebooks


@pytest.mark.parametrize(
    ("head", "told"),
    [
        ("show_time()\nshow_time()\n", ["line 1: `show_time` is never defined"]),
        ("def note():\n    return first, second\n", ["line 2: `first` is", "line 2: `second` is"]),
        ("def note():\n    out = 1\n    return out\n\nout.close()\n", ["line 5: `out` is never defined"]),
        ("def show_time():\n    pass\nshow_time()\n", []),
        ("from helpers import *\nshow_time()\n", []),
        ("from pyspark.sql.types import *\nshow_time()\n", ["line 2: `show_time` is never defined"]),
        ("from pyspark.sql.types import *\nprint(datetime.now(), Row, LongType())\n", []),
        ("from pyspark.sql.types import *\nfrom pyspark.sql.functions import *\nshow(col('a'))\n", []),
        ("exec(open('helpers.py').read())\nshow_time()\n", []),
    ],
)
def test_they_are_told_of(head: str, told: list[str]) -> None:
    (graph,) = run(head + socket_program("lines.pprint()")).graphs
    assert graph.outcome is Outcome.NATIVE
    notes = [note for note in graph.must_change if "never defined" in note]
    assert len(notes) == len(told) and all(map(str.startswith, notes, told)), notes


WORDS = """\
from pyspark import SparkContext
from pyspark.sql import SQLContext
from pyspark.streaming import StreamingContext


def show(rdd):
    df = SQLContext(rdd.context).createDataFrame(rdd.map(lambda w: (w, 1)), ["word", "n"])
    df.createOrReplaceTempView("words")
    {}


{}
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("h", 1)
lines.foreachRDD(show)
ssc.start()
ssc.awaitTermination()
"""
SQL = 'spark.sql("select sum(n) from words").show()'
MADE = 'sc = SparkContext("local[2]", "words")'


@pytest.mark.parametrize(
    ("code", "made", "told"),
    [
        (SQL, MADE, "a NameError where this ran; it has a value now"),
        (f"try:\n        {SQL}\n    except:\n        pass", MADE, "ran, which `except` took; it has a value"),
        (
            f"try:\n        {SQL}\n    except NameError:\n        raise",
            MADE,
            "a NameError where this ran; it has",
        ),
        (SQL, "", ""),
        (SQL, f"{MADE}\nspark = SQLContext(sc).sparkSession", ""),
    ],
)
def test_a_session_that_new_code_has_is_told_of(code: str, made: str, told: str) -> None:
    (graph,) = run(WORDS.format(code, made)).graphs
    assert graph.outcome is Outcome.NATIVE, graph.reasons
    notes = [note for note in graph.notes if "`spark` is never defined" in note]
    assert len(notes) == bool(told) and all(told in note for note in notes)


def test_so_is_a_name_that_new_code_imports() -> None:
    head = "def total(df):\n    return df.agg(F.sum('n'))\n"
    (graph,) = run(head + socket_program("lines.map(lambda x: len(x)).map(lambda n: n + 1).pprint()")).graphs
    (note,) = [note for note in graph.notes if "never defined" in note]
    assert note.startswith("line 2: `F` is never defined") and "it has a value now" in note


def test_a_library_that_nothing_imports_is_no_column() -> None:
    result = run(socket_program("lines.map(lambda text: re.sub('a', 'b', text)).pprint()"))
    assert "regexp_replace" not in result.files[0].new
    assert any("`re` is never defined" in one for one in result.graphs[0].must_change)


def test_so_is_one_of_a_program_that_goes_to_compat() -> None:
    clean = "def clean(text):\n    return re.sub('a', 'b', text)\n\n"
    body = "lines.map(clean).foreachRDD(lambda rdd: unknown(rdd))"
    (graph,) = run(clean + socket_program(body)).graphs
    assert graph.outcome is Outcome.COMPAT
    told = [one for one in graph.must_change if "is never defined" in one]
    assert [one.partition("` is")[0] for one in told] == ["line 2: `re", "line 10: `unknown"]


def test_a_platform_defines_no_module_of_python_in_a_notebook() -> None:
    cells = [
        "def clean(text):\n    return re.sub('a', helper, text)",
        socket_program("lines.map(clean).pprint()"),
    ]
    (graph,) = notebooks.run(notebooks.notebook(cells)).graphs
    told = [one for one in graph.must_change if "is never defined" in one]
    assert [one.partition("` is")[0] for one in told] == ["cell 2, line 2: `re"]


@pytest.mark.parametrize(
    ("made", "told"),
    [
        ("c = SparkContext('local[2]')\nssc = StreamingContext(sc, 1)", "line 4: `sc` is never defined"),
        ("ssc = StreamingContext(SpContext, 1)", "line 3: `SpContext` is never defined"),
        ("ssc = StreamingContext(sc, 1)", ""),
    ],
)
def test_so_is_a_context_that_a_session_stands_for(made: str, told: str) -> None:
    head = "from pyspark import SparkContext\nfrom pyspark.streaming import StreamingContext\n"
    end = "\nlines = ssc.socketTextStream('h', 1)\nlines.pprint()\nssc.start()\nssc.awaitTermination()\n"
    (graph,) = run(head + made + end).graphs
    assert graph.outcome is Outcome.NATIVE
    notes = [note for note in graph.notes if "is never defined" in note]
    assert len(notes) == bool(told)
    assert all(note.startswith(told) and "nothing reads it now" in note for note in notes)


SOURCE = """\
from pyspark.streaming import StreamingContext

def words(sc):
    ssc = StreamingContext(sc, 1)
    return ssc, ssc.socketTextStream("h", 1).map(lambda text: re.sub("a", "b", text))
"""
MAIN = """\
from pyspark import SparkContext
from source import words

ssc, lines = words(SparkContext())
lines.pprint()
ssc.start()
ssc.awaitTermination()
"""


def test_a_line_of_one_of_several_files_has_its_name() -> None:
    (graph,) = migrate([module(MAIN, "main.py"), module(SOURCE, "source.py")], Options()).graphs
    assert len(graph.files) == 2
    assert any(one.startswith("source.py, line 5: `re` is never defined") for one in graph.must_change)
