"""Whether native code runs on Spark Connect, as `tests/e2e/test_connect.py` shows for that which does."""

from __future__ import annotations

import ast

import pytest

from migrate.migration import migrate
from migrate.model import Options
from migrate.proofs.analysis.variables import Variables
from migrate.proofs.connect import _only_asked
from migrate.proofs.pickled import troubles
from migrate.report.totals import totals
from tests.migrate.programs import module, run, socket_program

COUNTS = "lines.map(lambda line: (line, 1)).reduceByKey(lambda a, b: a + b).pprint()"


def connect(body: str, before: str = "") -> str | None:
    result = run(before + socket_program(body))
    (graph,) = result.graphs
    assert graph.outcome.value == "native", graph.reasons
    assert totals(result).connect == graph.is_ready
    return graph.connect


@pytest.mark.parametrize(
    "body",
    [
        "lines.pprint()",
        "lines.filter(lambda line: line.startswith('a')).pprint(20)",
        COUNTS,
        "limit = int('5')\nlines.foreachRDD(lambda rdd: print(rdd.count() > limit))",
        "import re\nword = re.compile('a')\nlines.foreachRDD(lambda rdd: print(word, rdd.count()))",
        "seen = []\nlines.foreachRDD(lambda rdd: seen.append(rdd.count()))",
        "words = set(w.strip() for w in open('w'))\nlines.foreachRDD(lambda rdd: print(words, rdd.count()))",
        pytest.param(
            "known = {}\nfor word in open('w'):\n    known[word] = 1\n"
            "words = lines.map(lambda w: (w.lower(), 1)).filter(lambda w: w[0].lower() not in known)\n"
            "words.foreachRDD(lambda rdd: print(rdd.collect()))",
            id="a function that gives columns is called elsewhere, too",
        ),
        pytest.param(
            "def show(rdd):\n    for query in rdd.collect():\n        print(query)\nlines.foreachRDD(show)",
            id="a loop binds a name that the query has, too",
        ),
    ],
)
def test_dataframes_alone_are_ready(body: str) -> None:
    assert connect(body) == "ready"


ROWS = """\
from pyspark.sql import SparkSession
spark = SparkSession.builder.getOrCreate()
last = 0.0

def keep(row):
    global last
    last = row.n

def show(rdd):
    rdd.map(lambda line: (line,)).toDF(["a"]).createOrReplaceTempView("lines")
    for row in spark.sql("select count(*) as n from lines").collect():
        keep(row)
    print(last)

lines.foreachRDD(show)"""


def test_what_rows_on_the_driver_hold_is_no_dataframe() -> None:
    assert "DataFrame `last`" not in (connect(ROWS) or "")


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("lines.foreachRDD(lambda rdd: print(rdd.map(hash).collect()))", "Spark Connect has no RDDs"),
        (
            "def show(rdd):\n    rdd.map(lambda line: (line,)).toDF(['a']).createOrReplaceTempView('lines')\n"
            "    print(spark.sql('select * from lines').toJSON().map(len).collect())\n"
            "from pyspark.sql import SparkSession\nspark = SparkSession.builder.getOrCreate()\n"
            "lines.foreachRDD(show)",
            "toJSON`: Spark Connect has no RDDs",
        ),
        ("lines.pprint()\nprint(sc.defaultParallelism)", "Spark Connect has no SparkContext"),
        (
            "seen = []\nlines.foreachRDD(lambda rdd: seen.append(rdd.count()))\nprint(seen)",
            "the batch function changes `seen`, which is read elsewhere, too",
        ),
        (
            "seen = {}\ndef note(kept, n):\n    kept[n] = n\n"
            "lines.foreachRDD(lambda rdd: note(seen, rdd.count()))\nprint(seen)",
            "the batch function changes `seen`, which is read elsewhere, too",
        ),
        (
            "out = open('log', 'a')\nlines.foreachRDD(lambda rdd: out.write(str(rdd.count())))",
            "the batch function uses `out`, which Spark Connect would have to pickle",
        ),
        (
            "numbers = iter(range(9))\nlines.foreachRDD(lambda rdd: print(next(numbers), rdd.count()))",
            "the batch function uses the iterator `numbers`, which cannot be pickled",
        ),
    ],
)
def test_what_spark_connect_lacks_is_named(body: str, why: str) -> None:
    assert why in (connect(body) or "")


def test_a_batch_function_that_is_not_followed_may_hold_anything() -> None:
    source = (
        "from functools import partial\nfrom pyspark.sql import SparkSession\n"
        "spark = SparkSession.builder.getOrCreate()\n"
        "def save(path, batch, batch_id):\n    batch.write.save(path)\n"
        "rows = spark.readStream.text('in')\n"
        "rows.writeStream.foreachBatch({}).start()\n"
    )
    for function, why in {
        "partial(save, 'out')": (
            "the batch function uses `partial(save, 'out')`, which Spark Connect would have to pickle"
        ),
        "job.save": "the batch function is a method of `job`, which Spark Connect would have to pickle",
        "lambda batch, batch_id: spark.sql('select 1').show()": (
            "the batch function uses the session `spark`, and Spark Connect has another one for each batch"
        ),
        "lambda batch, batch_id: save('out', batch, batch_id)": None,
    }.items():
        one = module(source.format(function))
        (call,) = [
            node
            for node in ast.walk(one.tree)
            if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "foreachBatch"
        ]
        assert list(troubles(call.args[0], Variables([one]))) == ([why] if why else [])


def test_a_master_is_named() -> None:
    source = socket_program("lines.pprint()").replace('appName="Test"', '"local[2]", "Test"')
    (graph,) = migrate([module(source)], Options()).graphs
    assert graph.connect == (
        "`master('local[2]')` sets the master, beside which PySpark takes no address of Spark Connect"
    )


def test_settings_that_the_server_has_itself_are_named() -> None:
    source = socket_program("lines.pprint()").replace(
        'SparkContext(appName="Test")',
        'SparkContext(conf=SparkConf().setAppName("Test").set("spark.executor.memory", "2g"))',
    )
    source = source.replace("import SparkContext", "import SparkConf, SparkContext")
    (graph,) = migrate([module(source)], Options()).graphs
    assert graph.connect == "ready"
    assert "on Spark Connect the server's own values count for `spark.executor.memory`" in graph.notes


def test_what_is_not_native_has_no_answer() -> None:
    result = run(socket_program("lines.glom().pprint()"))
    assert [graph.connect for graph in result.graphs] == [None]


def test_two_graphs_of_a_file_are_judged_together() -> None:
    one = socket_program("lines.pprint()")
    both = one + one.replace('sc = SparkContext(appName="Test")\n', "").replace("ssc", "other")
    graphs = migrate([module(both)], Options()).graphs
    assert {graph.connect for graph in graphs} <= {"ready", None}


@pytest.mark.parametrize(
    ("source", "name", "only"),
    [
        ("import os\nprint(os.sep, os.getcwd())", "os", True),
        ("from shared import seen\nprint(seen.count(1))", "seen", True),
        (
            "from shared import seen\nseen.append(1)",
            "seen",
            False,
        ),
        ("from shared import seen\nshow(seen)", "seen", False),
        ("from shared import seen\nprint(seen.count(1))\nseen.clear()", "seen", False),
        ("from shared import seen\nif again:\n    seen = []\nprint(seen.count(1))", "seen", False),
        ("seen = []\nprint(seen.count(1))", "seen", False),
    ],
)
def test_an_import_is_only_asked_where_its_members_are_read_and_change_nothing(
    source: str, name: str, only: bool
) -> None:
    one = module(source)
    assert _only_asked((one.tree, name), Variables([one])) is only
