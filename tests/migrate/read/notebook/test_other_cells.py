"""Cells of a notebook that are another program than the one with the streams."""

from __future__ import annotations

import pytest

from migrate.model import Outcome
from tests.migrate.read.notebook.notebooks import codes, notebook, run

SQL = (
    "from pyspark.sql import SparkSession\n"
    'spark = SparkSession.builder.appName("SQL").getOrCreate()\n'
    'spark.sql("SELECT 1").show()'
)
CONTEXT = 'sc = SparkContext("local[2]", "words")\nssc = StreamingContext(sc, 5)'
IMPORTS = "from pyspark import SparkContext\nfrom pyspark.streaming import StreamingContext"
STREAM = (
    'lines = ssc.socketTextStream("localhost", 9999)\n'
    'words = lines.flatMap(lambda line: line.split(" "))\n'
    "words.map(lambda word: (word, 1)).reduceByKey(lambda a, b: a + b).pprint()\n"
    "ssc.start()"
)
NEW_IMPORTS = "from pyspark.sql import SparkSession\nfrom pyspark.sql import functions as F"
NEW_SESSION = 'spark = SparkSession.builder.master("local[2]").appName("words").getOrCreate()'


def rewritten(*cells: str) -> list[str]:
    result = run(notebook(cells))
    assert [graph.outcome for graph in result.graphs] == [Outcome.NATIVE]
    return codes(result.files[0].new)


@pytest.mark.parametrize("others", [[SQL], [SQL, SQL.replace("SQL", "ML")]], ids=["one", "several"])
def test_a_cell_that_made_its_own_context_makes_its_own_session(others: list[str]) -> None:
    *first, last = rewritten(*others, f"{IMPORTS}\n\n{CONTEXT}\n{STREAM}")
    assert first == others
    assert last.startswith(f"{NEW_IMPORTS}\n\n{NEW_SESSION}\nlines = spark.readStream.")
    assert "SparkContext" not in last


def test_so_it_does_in_several_cells() -> None:
    sql, imports, context, *_ = rewritten(SQL, IMPORTS, CONTEXT, STREAM)
    assert (sql, imports, context) == (SQL, NEW_IMPORTS, NEW_SESSION)


def test_settings_stand_in_its_cell_too() -> None:
    state = STREAM.replace(
        "reduceByKey(lambda a, b: a + b)", "updateStateByKey(lambda n, s: sum(n) + (s or 0))"
    )
    sql, last = rewritten(SQL, f"{IMPORTS}\n{CONTEXT}\n{state}")
    assert sql == SQL
    assert 'config("spark.sql.shuffle.partitions", 2)' in last


def test_static_settings_of_the_other_session_are_not_its_own() -> None:
    other = SQL.replace(".getOrCreate", '.config("spark.sql.warehouse.dir", "/w").getOrCreate')
    _, last = rewritten(other, f"{IMPORTS}\n{CONTEXT}\n{STREAM}")
    assert NEW_SESSION in last


COUNTED = "def f(rdd):\n    rdd.count()\nlines = ssc.textFileStream('in')\nlines.foreachRDD(f)\nssc.start()"


def test_imports_of_new_code_stay_out_of_a_cell_that_may_never_run() -> None:
    loop = "import json\nimport time\nwhile True:\n    time.sleep(20)"
    first, *_, between, last = rewritten(IMPORTS, CONTEXT, loop, COUNTED)
    assert first.startswith("import traceback\nfrom datetime import datetime\n\nfrom pyspark")
    assert between == loop
    assert "traceback.print_exc()" in last


def test_they_stand_among_those_of_the_cell_of_pyspark() -> None:
    first, *_ = rewritten(f"import os\n\n{IMPORTS}\n{CONTEXT}\nos.makedirs('in')", "import sys", COUNTED)
    assert first.startswith("import os\nimport traceback\nfrom datetime import datetime\n\nfrom pyspark")


def test_it_has_a_name_of_its_own_where_the_other_one_is_more_than_a_session() -> None:
    _, _, last = rewritten(SQL, "spark = None", f"{IMPORTS}\n{CONTEXT}\n{STREAM}")
    assert NEW_SESSION.replace("spark =", "spark_2 =") in last


@pytest.mark.parametrize(
    "context",
    [
        "sc = SparkContext.getOrCreate()\nssc = StreamingContext(sc, 5)",
        "sc = spark.sparkContext\nssc = StreamingContext(sc, 5)",
        "ssc = StreamingContext(spark.sparkContext, 5)",
    ],
)
def test_a_cell_that_found_the_context_of_the_session_reads_that(context: str) -> None:
    _, last = rewritten(SQL, f"from pyspark import SparkContext\n{IMPORTS}\n{context}\n{STREAM}")
    assert "getOrCreate()" not in last.replace("SparkContext.getOrCreate()", "")
    assert "spark.readStream" in last


def test_a_session_below_the_context_is_that_of_the_program() -> None:
    context, stream = CONTEXT.split("\n")
    *_, last = rewritten(f"{IMPORTS}\n{context}", SQL, f"{stream}\n{STREAM}")
    assert "getOrCreate" not in last


def test_imports_of_other_cells_stay_though_nothing_reads_them() -> None:
    others = ["from pyspark import SparkConf\nfrom pyspark.sql import Row\nx = 1", "x += 1"]
    found = rewritten(SQL, f"from pyspark.sql import Row\n{IMPORTS}\n\n{CONTEXT}\n{STREAM}", *others)
    assert found[-2:] == others
    assert "Row" not in found[1]


FIRST = (f"{IMPORTS}\n\n{CONTEXT}", STREAM + "\nssc.awaitTermination()")
SECOND = (
    f"# May warn\n{IMPORTS}\nfrom pyspark.sql.functions import desc",
    "sc = SparkContext()\nssc = StreamingContext(sc, 10)",
    STREAM.replace("ssc.start()", "lines.window(20).pprint()\nssc.start()"),
)


def two_programs(*between: str) -> list[str]:
    result = run(notebook((*FIRST, *between, *SECOND)))
    assert [graph.outcome for graph in result.graphs] == [Outcome.NATIVE] * 2
    return codes(result.files[0].new)


def test_each_of_two_programs_with_contexts_of_their_own_has_its_imports() -> None:
    first, _, second, session, _ = two_programs()
    assert first == f"{NEW_IMPORTS}\n\n{NEW_SESSION}"
    assert (
        "from pyspark.sql import DataFrame, SparkSession\nfrom pyspark.sql import functions as F\n" in second
    )
    assert session == "spark = SparkSession.builder.getOrCreate()"


def test_cells_that_stop_the_first_context_are_one_program_with_those_below() -> None:
    first, *_, second, _, _ = two_programs("ssc.stop()")
    assert "from pyspark.sql import DataFrame, SparkSession\n" in first
    assert "SparkSession" not in second


NAMED = "from collections import namedtuple\n\nfields = ('word', 'n')\nCount = namedtuple('Count', fields)"
TO_VIEW = (
    'lines = ssc.socketTextStream("localhost", 9999)\n'
    "lines.map(lambda word: (word, 1)).map(lambda pair: Count(pair[0], pair[1])).foreachRDD("
    "lambda rdd: rdd.toDF().show())\n"
    "ssc.start()"
)


def test_a_heading_goes_with_all_of_the_code_in_its_cell() -> None:
    cells = rewritten(f"{IMPORTS}\n\n{CONTEXT}", f"# a tuple with names\n\n{NAMED}", TO_VIEW)
    assert not any("a tuple with names" in cell for cell in cells)


@pytest.mark.parametrize("more", ["\nsize = 3", "\n# Count = list"])
def test_it_stays_above_other_code_and_beside_code_that_is_a_comment(more: str) -> None:
    cells = rewritten(f"{IMPORTS}\n\n{CONTEXT}", f"# a tuple with names\n\n{NAMED}{more}", TO_VIEW)
    assert any("# a tuple with names" in cell and more.strip() in cell for cell in cells)
