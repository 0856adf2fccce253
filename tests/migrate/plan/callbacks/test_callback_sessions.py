"""Sessions that RDD code finds by its RDD's context: the program's own is in reach anyway."""

from __future__ import annotations

import pytest

from tests.migrate.programs import file, run, socket_program

PARSED = 'createDataFrame(batch.rdd.map(lambda row: parsed(row["value"]))).show()\n'
GETTER = """\
from pyspark.sql import Row, SparkSession


def getSparkSessionInstance(conf):
    if "session" not in globals():
        globals()["session"] = SparkSession.builder.config(conf=conf).getOrCreate()
    return globals()["session"]


def show(rdd):
    if rdd.isEmpty():
        return
    # Get the singleton instance of SparkSession
    {name} = getSparkSessionInstance(rdd.context.getConf())
    {name}.createDataFrame(rdd.map(parsed)).{then}


{more}
"""
OUTPUT = "lines.foreachRDD(show)"


def code(name: str = "spark", then: str = "show()", more: str = "", output: str = OUTPUT) -> str:
    """The new code of a program whose callback makes Rows by a function that is not followed."""
    return file(GETTER.format(name=name, then=then, more=more) + socket_program(output)).new


def test_the_variable_goes_where_it_has_the_session_s_name() -> None:
    new = code()
    assert "getSparkSessionInstance" not in new
    assert "singleton" not in new
    assert f"        return\n    spark.{PARSED}" in new


def test_so_does_a_variable_of_another_name() -> None:
    new = code("found")
    assert "getSparkSessionInstance" not in new
    assert f"        return\n    spark.{PARSED}" in new


@pytest.mark.parametrize(
    ("made", "is_found"),
    [
        ("SparkSession.builder.getOrCreate()", True),
        ("SparkSession.builder.getOrCreate()\nother = spark.newSession()", False),
        ("SparkSession(sc)", False),
    ],
)
def test_the_program_s_own_session_is_in_reach_too(made: str, is_found: bool) -> None:
    getter = GETTER.format(name="spark", then="show()", more="")
    session = f"from pyspark.sql import SparkSession\nspark = {made}\n"
    new = file(session + getter + socket_program(OUTPUT)).new
    assert ("getSparkSessionInstance" not in new) is is_found


CONTEXT = (
    "    {name} = getSparkSessionInstance(rdd.context.getConf())\n"
    "    {name}.createDataFrame(rdd.map(lambda word: (word, 1)), ['word', 'n']).registerTempTable('w')\n"
    "    {name}.sql('select word from w').show()\n"
)
AGAIN = CONTEXT + "    {name}.sql('select n from w').show()\n"


@pytest.mark.parametrize("name", ["sql_context", "session", "spark"])
def test_the_session_of_a_batch_is_read_where_it_is_used_once(name: str) -> None:
    source = GETTER.partition("    if rdd.isEmpty()")[0] + CONTEXT.format(name=name)
    new = file(source + socket_program(OUTPUT)).new
    assert "    batch.sparkSession.sql('select word from w').show()\n" in new
    assert f"{name} = batch" not in new


@pytest.mark.parametrize(
    "more",
    [
        pytest.param("    print([session for n in range(3)])\n", id="it is read for more than a member"),
        pytest.param("    done(lambda: session.sql('show views'))\n", id="a function reads it"),
        pytest.param(f"    session.sql('select {'word' * 15} from w')\n", id="the line would be long"),
    ],
)
def test_but_its_variable_stays_where_code_reads_better_with_it(more: str) -> None:
    made = CONTEXT.partition("    {name}.sql")[0].format(name="session")
    source = GETTER.partition("    if rdd.isEmpty()")[0] + made + more
    assert "    session = batch.sparkSession\n" in file(source + socket_program(OUTPUT)).new


@pytest.mark.parametrize("name", ["sql_context", "sqlContext", "sqlc_ctx", "hive"])
def test_the_session_of_a_batch_is_called_spark(name: str) -> None:
    source = GETTER.partition("    if rdd.isEmpty()")[0] + AGAIN.format(name=name)
    new = file(source + socket_program(OUTPUT)).new
    assert "    spark = batch.sparkSession\n" in new and "    spark.sql('select" in new
    assert name not in new


@pytest.mark.parametrize(
    "more",
    ["    print(spark)\n", "    print([spark for spark in '12'])\n", "    (lambda sql_context: 1)(2)\n"],
)
def test_but_not_beside_another_of_that_name(more: str) -> None:
    source = GETTER.partition("    if rdd.isEmpty()")[0] + AGAIN.format(name="sql_context") + more
    assert "    sql_context = batch.sparkSession\n" in file(source + socket_program(OUTPUT)).new


def test_other_names_of_the_user_s_stay() -> None:
    source = GETTER.partition("    if rdd.isEmpty()")[0] + AGAIN.format(name="session")
    assert "    session = batch.sparkSession\n" in file(source + socket_program(OUTPUT)).new


@pytest.mark.parametrize(
    "changed",
    [
        {"name": "found", "then": "show()\n    keep(found)"},
        {"name": "found", "then": "show()\n    found.unknown"},
        {"name": "found", "then": "show()\n    spark = 3"},
        {"more": "class Other:\n    show = show"},
    ],
    ids=["it is handed on", "another member", "a variable of that name", "another use of the callback"],
)
def test_it_stays_where_it_may_be_another(changed: dict[str, str]) -> None:
    assert "getSparkSessionInstance(rdd.context" in code(**changed)


def test_a_view_is_made_by_its_name_of_today() -> None:
    body = (
        "def show(rdd):\n    frame = rdd.toDF(['word'])\n    frame.registerTempTable('words')\n"
        "    spark.sql('select word from words').show()\n"
    )
    session = "from pyspark.sql import SparkSession\nspark = SparkSession(sc)\n"
    new = file(socket_program(f"{session}{body}lines.map(lambda x: (x,)).foreachRDD(show)")).new
    assert "createOrReplaceTempView('words')" in new and "registerTempTable" not in new


IN_MAIN = """\
from pyspark import SparkContext
from pyspark.sql import SQLContext
from pyspark.streaming import StreamingContext

def show(rdd):
    sql = SQLContext({context})
    sql.createDataFrame(rdd.map(unknown), ["word"]).show()

if __name__ == "__main__":
    sc = SparkContext("local[2]", "Test")
    ssc = StreamingContext(sc, 1)
    other = {other}
    ssc.socketTextStream("localhost", 9999).foreachRDD(show)
    ssc.start()
    ssc.awaitTermination()
"""


@pytest.mark.parametrize(("context", "is_found"), [("sc", True), ("rdd.context", True), ("other", False)])
def test_one_that_rdd_code_makes_of_the_program_s_context_is_its_session(
    context: str, is_found: bool
) -> None:
    new = file(IN_MAIN.format(context=context, other="given()")).new
    assert ("    spark.createDataFrame(" in new) is is_found
    assert ("SQLContext" not in new) is is_found


VALUES = """\
def show(rdd):
    found = rdd.collect()
    if found:
        df = {}.createDataFrame([(len(found),)], ["n"])
        {}

lines.foreachRDD(show)
"""


def test_values_are_rows_of_the_program_s_session() -> None:
    source = "from pyspark.sql import SparkSession\nspark = SparkSession.builder.getOrCreate()\n"
    new = file(source + socket_program(VALUES.format("spark", "df.show()"))).new
    assert "        df = spark.createDataFrame([(len(found),)]" in new
    assert "sparkSession" not in new


@pytest.mark.parametrize("used", ["df.createOrReplaceTempView('counts')", "spark.sql('select 1').show()"])
def test_they_are_of_the_batch_s_session_where_there_are_views(used: str) -> None:
    source = "from pyspark.sql import SparkSession\nspark = SparkSession.builder.getOrCreate()\n"
    new = file(source + socket_program(VALUES.format("spark", used))).new
    assert "df = batch.sparkSession.createDataFrame(" in new


@pytest.mark.parametrize("name", ["session", "sql_context"])
def test_another_session_below_the_callback_s_own_is_the_batch_s_too(name: str) -> None:
    source = GETTER.partition("    if rdd.isEmpty()")[0] + CONTEXT.format(name=name)
    more = "    sql.createDataFrame([(1,)], ['n']).show()\n"
    above = "from pyspark.sql import SQLContext\nsql = SQLContext(sc)\n"
    new = file(socket_program(f"{above}{source}{more}{OUTPUT}")).new
    assert "    batch.sparkSession.createDataFrame([(1,)], ['n']).show()\n" in new
    assert "batch.sparkSession.sql('select word from w').show()\n" in new


@pytest.mark.parametrize(
    ("more", "stays"),
    [
        pytest.param("", False, id="it only made the DataFrame"),
        pytest.param("    session.sql('select 1').show()\n" * 2, True, id="something else reads it"),
        pytest.param("    print(session)\n", True, id="it is shown"),
    ],
)
def test_a_session_that_nothing_reads_any_more_is_left_out(more: str, stays: bool) -> None:
    made = "    session = SparkSession.builder.getOrCreate()\n"
    body = (
        "from pyspark.sql import Row, SparkSession\n"
        f"def show(rdd):\n{made}    frame = session.createDataFrame(rdd.map(lambda line: Row(line=line)))\n"
        f"    frame.show()\n{more}lines.foreachRDD(show)"
    )
    new = file(socket_program(body)).new
    assert "batch.toDF(" in new
    assert ("session = batch.sparkSession" in new) is stays


def test_a_session_that_other_functions_read_stays() -> None:
    body = (
        "from pyspark.sql import Row, SparkSession\n"
        "def show(rdd):\n    global session\n    session = SparkSession.builder.getOrCreate()\n"
        "    session.createDataFrame(rdd.map(lambda line: Row(line=line))).show()\nlines.foreachRDD(show)"
    )
    assert "session = batch.sparkSession" in file(socket_program(body)).new


@pytest.mark.parametrize("parsed", ["parsed", "lambda line: Row(word=line)"])
def test_a_getter_that_returned_none_from_its_second_call_on_is_told_of(parsed: str) -> None:
    getter = GETTER.format(name="spark", then="show()", more="").replace("map(parsed)", f"map({parsed})")
    once = getter.replace('    return globals()["session"]', '        return globals()["session"]')
    for source, told in ((getter, False), (once, True)):
        (graph,) = run(source + socket_program(OUTPUT)).graphs
        assert any("`getSparkSessionInstance` returned None" in note for note in graph.notes) is told


DERIVED = """\
from pyspark.sql import Row, SQLContext

def getSqlContextInstance(context):
    if "instance" not in globals():
        globals()["instance"] = SQLContext(context)
    return globals()["instance"]

def show(rdd):
    counts = rdd.map(lambda w: (w, 1)).reduceByKey(lambda a, b: a + b)
    sqlContext = getSqlContextInstance({})
    sqlContext.createDataFrame(counts.map(lambda c: Row(word=c[0], n=c[1]))).show()

lines.foreachRDD(show)
"""


@pytest.mark.parametrize("context", ["counts.context", "counts.keys().ctx", "counts.context.getConf()"])
def test_the_context_of_an_rdd_made_of_the_callback_s_gives_the_session(context: str) -> None:
    new = file(socket_program(DERIVED.format(context))).new
    assert "getSqlContextInstance" not in new
    assert 'batch.groupBy("value").count()' in new


def test_the_context_of_something_else_may_be_another() -> None:
    new = file(socket_program(DERIVED.format("other.context"))).new
    assert "getSqlContextInstance(other.context)" in new
