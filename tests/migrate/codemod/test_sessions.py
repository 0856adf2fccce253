"""Temp views of a callback are made and read in one session, whatever the program calls its own."""

from __future__ import annotations

import ast
import re

import pytest

from migrate.model import Outcome
from tests.migrate.codemod.written import function, native, new_text
from tests.migrate.programs import run, socket_program

STREAM = """\
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", 9999)


def show(rdd):
    if not rdd.isEmpty():
        {frame}.createOrReplaceTempView("words")
        print({read})


lines.foreachRDD(show)
ssc.start()
"""
IMPORT = "from pyspark.streaming import StreamingContext\n"
SESSIONS = {
    "predefined": IMPORT,
    "predefined and used": f"{IMPORT}print(spark.version)\n",
    "made by a function": (
        f"from pyspark.sql import SparkSession\n{IMPORT}\n\ndef make():\n"
        "    return SparkSession.builder.getOrCreate()\n\n\nspark = make()\nsc = spark.sparkContext\n"
    ),
    "made by a function of the context": (
        f"from pyspark import SparkContext\nfrom pyspark.sql import SparkSession\n{IMPORT}\n\ndef make(sc):\n"
        "    return SparkSession(sc)\n\n\nsc = SparkContext.getOrCreate()\nspark = make(sc)\n"
    ),
    "by another name": (
        f"from pyspark.sql import SparkSession as S\n{IMPORT}\nspark = S.builder.getOrCreate()\n"
        "sc = spark.sparkContext\n"
    ),
    "by another name, of the context": (
        f"from pyspark import SparkContext\nfrom pyspark.sql import SparkSession as S\n{IMPORT}\n"
        "sc = SparkContext.getOrCreate()\nspark = S(sc)\n"
    ),
    "by its module": (
        f"import pyspark.sql\n{IMPORT}\nspark = pyspark.sql.SparkSession.builder.getOrCreate()\n"
        "sc = spark.sparkContext\n"
    ),
    "by the module's other name": (
        f"import pyspark.sql as ps\n{IMPORT}\nspark = ps.SparkSession.builder.getOrCreate()\n"
        "sc = spark.sparkContext\n"
    ),
    "by the name": (
        f"from pyspark.sql import SparkSession\n{IMPORT}\nspark = SparkSession.builder.getOrCreate()\n"
        "sc = spark.sparkContext\n"
    ),
    "a second name": (
        f"from pyspark.sql import SparkSession\n{IMPORT}\nfirst = SparkSession.builder.getOrCreate()\n"
        "spark = first\nsc = spark.sparkContext\n"
    ),
    "imported": f"from sessions import spark\n{IMPORT}\nsc = spark.sparkContext\n",
}
FRAMES = {
    "createDataFrame": 'spark.createDataFrame(rdd.map(lambda w: (w, 1)), ["word", "n"])',
    "toDF": 'rdd.map(lambda w: (w, 1)).toDF(["word", "n"])',
}
READS = {
    "sql": 'spark.sql("select word from words order by word").collect()',
    "table": 'spark.table("words").collect()',
    "catalog": 'spark.catalog.tableExists("words")',
}
OWN = re.compile(r"^(?:batch|frame|rows)\w*\.sparkSession\.(?:sql|table|catalog)\b")


def reads_of(text: str) -> list[str]:
    """What `print` in the callback is given."""
    calls = [node for node in ast.walk(ast.parse(function(text, "show"))) if isinstance(node, ast.Call)]
    return [
        ast.unparse(call.args[0])
        for call in calls
        if isinstance(call.func, ast.Name) and call.func.id == "print"
    ]


@pytest.mark.parametrize("read", READS.values(), ids=READS)
@pytest.mark.parametrize("frame", FRAMES.values(), ids=FRAMES)
@pytest.mark.parametrize("session", SESSIONS.values(), ids=SESSIONS)
def test_a_view_is_read_where_it_is_made(session: str, frame: str, read: str) -> None:
    result = run(session + STREAM.format(frame=frame, read=read))
    new = new_text(result)
    if result.graphs[0].outcome is not Outcome.NATIVE or "createDataFrame(" in function(new, "show"):
        return  # made by the program's own session, and read there
    (text,) = reads_of(new)
    assert OWN.match(text), text


@pytest.mark.parametrize("session", SESSIONS.values(), ids=SESSIONS)
@pytest.mark.parametrize("output", ["show", "lambda rdd: print(rdd.count())"])
def test_there_is_no_second_session(session: str, output: str) -> None:
    stream = STREAM.format(frame=FRAMES["createDataFrame"], read=READS["sql"]).replace(
        "(show)", f"({output})"
    )
    new = new_text(run(session + stream))
    assert "spark_2" not in new
    assert new.count(".getOrCreate()") <= max(1, session.count(".getOrCreate()"))


def test_a_function_that_makes_the_session_is_called_once() -> None:
    """Its session is there before the graph begins: the graph needs no other."""
    session = SESSIONS["made by a function"]
    new = new_text(run(session + STREAM.format(frame=FRAMES["createDataFrame"], read=READS["sql"])))
    assert new.count("make()") == session.count("make()")
    assert "spark.readStream" in new


def test_a_predefined_session_is_not_made_again() -> None:
    session = SESSIONS["predefined and used"]
    new = new_text(run(session + STREAM.format(frame=FRAMES["createDataFrame"], read=READS["sql"])))
    assert "spark = " not in new
    assert "spark.readStream" in new


def test_a_session_that_a_callback_keeps_is_the_batchs() -> None:
    source = f"""\
from pyspark import SparkContext
from pyspark.sql import SQLContext
{IMPORT}
sc = SparkContext()
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", 9999)


def show(rdd):
    if not rdd.isEmpty():
        if "kept" not in globals():
            globals()["kept"] = SQLContext(rdd.context)
        kept = globals()["kept"]
        kept.createDataFrame(rdd.map(lambda w: (w, 1)), ["word", "n"]).registerTempTable("words")
        print(kept.sql("select word from words order by word").collect())


lines.foreachRDD(show)
ssc.start()
"""
    new = native(source)
    assert "batch.rdd" not in new
    assert "SQLContext" not in new
    (text,) = reads_of(new)
    assert OWN.match(text), text


def test_a_session_that_functions_declare_global_is_the_only_one() -> None:
    new = native("""\
from pyspark import SparkContext
from pyspark.sql import SparkSession
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="Words")
ssc = StreamingContext(sc, 1)


def show(rdd):
    global ss
    if not rdd.isEmpty():
        ss.createDataFrame(rdd.map(lambda line: (line, weird(line))), ["line", "n"]).show()


ss = SparkSession.builder.appName("Words").getOrCreate()
ssc.socketTextStream("localhost", 9999).foreachRDD(show)
ssc.start()
ssc.awaitTermination()
""")
    assert new.count("SparkSession.builder") == 1
    assert "ss.readStream" in new


OWN_SESSION = """\
from pyspark import SparkContext
from pyspark.sql import SparkSession
from pyspark.streaming import StreamingContext


def session_of(conf):
    if "session" not in globals():
        globals()["session"] = SparkSession.builder.config(conf=conf).getOrCreate()
    return globals()["session"]


def show(time, rdd):
{own}    rows = spark.createDataFrame(rdd.map(parsed))
    rows.createOrReplaceTempView("words")
    spark.sql("select * from words").rdd.map({mapped}).toDF(["word"]).show()


sc = SparkContext()
ssc = StreamingContext(sc, 1)
spark = SparkSession(sc)
ssc.socketTextStream("localhost", 9999).foreachRDD(show)
ssc.start()
"""
FOUND = "    spark = session_of(rdd.context.getConf())\n"


def test_a_callbacks_own_variable_of_the_session_makes_no_second_one() -> None:
    new = native(OWN_SESSION.format(own=FOUND, mapped="lambda row: row"))
    assert "spark_2" not in new and "SparkSession(" not in new
    assert "spark = SparkSession.builder.getOrCreate()\n" in new
    shown = function(new, "show")
    assert "spark = " not in shown
    assert "spark.createDataFrame(spark.sql('select * from words').rdd, ['word']).show()" in shown


@pytest.mark.parametrize("mapped", ["lambda row: tuple(row)", "lambda *row: row", "same"])
def test_a_map_that_may_change_rows_stays(mapped: str) -> None:
    shown = function(native(OWN_SESSION.format(own=FOUND, mapped=mapped)), "show")
    assert f".rdd.map({mapped}), ['word'])" in shown


@pytest.mark.parametrize(
    "own",
    ["    global spark\n    spark = open('x')\n", "    global spark\n    del spark\n"],
    ids=["set", "deleted"],
)
def test_a_variable_that_functions_set_is_not_the_session_s(own: str) -> None:
    assert "spark = SparkSession(" in new_text(run(OWN_SESSION.format(own=own, mapped="lambda row: row")))


FOUND_BELOW = """\
from pyspark import SparkContext
from pyspark.sql import SparkSession
from pyspark.streaming import StreamingContext

def close(spark):
    spark.stop()

try:
    sc = SparkContext("local[2]", "Words")
    ssc = StreamingContext(sc, 1)
except Exception as e:
    print(e)
try:
    spark = {made}
except Exception as e:
    print(e)
ssc.socketTextStream("localhost", 9999).pprint()
ssc.start()
ssc.awaitTermination()
"""


@pytest.mark.parametrize(
    ("made", "name"),
    [
        ("SparkSession.builder.getOrCreate()", "spark"),
        ('SparkSession.builder.appName("Words").getOrCreate()', "spark"),
        ("SparkSession(sc)", "spark_2"),
        ("None", "spark_2"),
    ],
)
def test_a_session_that_is_only_found_below_has_the_name_of_the_new_one(made: str, name: str) -> None:
    new = new_text(run(FOUND_BELOW.format(made=made)))
    assert f'    {name} = SparkSession.builder.master("local[2]").appName("Words").getOrCreate()\n' in new
    assert f"{name}.readStream" in new


NEXT_PART = (
    "\nfrom pyspark.sql import SparkSession\n"
    "spark = SparkSession.builder{settings}.getOrCreate()\nspark.read.text('in').show()\n"
)


@pytest.mark.parametrize(
    ("settings", "stays"),
    [('.appName("next")', True), ("", True), ('.config("spark.sql.shuffle.partitions", 3)', False)],
)
def test_another_part_of_the_program_begins_with_its_own_session(settings: str, stays: bool) -> None:
    part = NEXT_PART.format(settings=settings)
    new = new_text(run(socket_program("lines.pprint()") + part))
    assert new.endswith(part) is stays
    assert "\nspark = SparkSession.builder.appName(" in new or "\nspark = (\n    SparkSession." in new
