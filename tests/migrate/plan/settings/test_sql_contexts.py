"""SQLContexts of programs with several contexts: each is the session of the program that made its own."""

from __future__ import annotations

import pytest

from tests.migrate.programs import file, run

TWO = """\
from pyspark import SparkContext
from pyspark.streaming import StreamingContext
from pyspark.sql import SQLContext

sc = SparkContext(appName="first")
ssc = StreamingContext(sc, 1)
ssc.socketTextStream("localhost", 1).pprint()
ssc.start()
ssc.awaitTermination()
sc.stop()
sc = SparkContext(appName="second")
ssc = StreamingContext(sc, 1)
sqlContext = SQLContext(sc)
words = ssc.socketTextStream("localhost", 2)
words.foreachRDD(lambda rdd: rdd.map(lambda w: (w,)).toDF(["word"]).registerTempTable("words"))
ssc.start()
sqlContext.sql("select word from words").show()
ssc.awaitTermination()
"""


def test_a_second_context_has_an_sql_context_of_its_own() -> None:
    """The first one's session is stopped by then."""
    result = run(TWO)
    new = result.files[0].new
    assert [graph.outcome.value for graph in result.graphs] == ["native", "native"]
    assert "spark.stop()\nspark_2 = SparkSession.builder" in new
    assert 'spark_2.sql("select word from global_temp.words")' in new


@pytest.mark.parametrize(
    ("read", "named"),
    [
        ('sql("select word from words")', 'sql("select word from global_temp.words")'),
        ('table("WORDS")', 'table("global_temp.WORDS")'),
    ],
)
def test_views_have_the_same_name_in_small_and_in_capital_letters(read: str, named: str) -> None:
    program = TWO.replace('TempTable("words")', 'TempTable("Words")')
    new = file(program.replace('sql("select word from words")', read)).new
    assert 'createOrReplaceGlobalTempView("Words")' in new
    assert f"spark_2.{named}" in new


@pytest.mark.parametrize(
    ("first", "kept"),
    [
        ("spark = SparkSession(sc)\nspark.range(3).show()", "spark = SparkSession(sc)"),
        ("print(sc.parallelize([1, 2]).sum())", "print(sc.parallelize([1, 2]).sum())"),
    ],
)
def test_a_context_below_one_that_is_stopped_has_a_session_of_its_own(first: str, kept: str) -> None:
    """The first one's sessions end with it, and what reads the first one is left as it is."""
    new = file(f"""\
from pyspark import SparkContext
from pyspark.sql import SparkSession
from pyspark.streaming import StreamingContext
sc = SparkContext("local[2]", "first")
{first}
sc.stop()
sc = SparkContext("local[2]", "second")
ssc = StreamingContext(sc, 1)
ssc.socketTextStream("localhost", 9999).pprint()
ssc.start()
ssc.awaitTermination()
""").new
    assert f'sc = SparkContext("local[2]", "first")\n{kept}\n' in new
    session = "spark_2" if "spark" in first else "spark"
    made = f'sc.stop()\n{session} = SparkSession.builder.master("local[2]").appName("second").getOrCreate()\n'
    assert f"{made}sc = {session}.sparkContext\n" in new
    assert f"{session}.readStream" in new


def test_a_function_that_stops_the_context_later_leaves_its_session() -> None:
    new = file("""\
from pyspark.sql import SparkSession
from pyspark.streaming import StreamingContext
spark = SparkSession.builder.getOrCreate()
sc = spark.sparkContext
def end():
    sc.stop()
ssc = StreamingContext(sc, 1)
ssc.socketTextStream("localhost", 9999).pprint()
ssc.start()
ssc.awaitTerminationOrTimeout(10)
end()
""").new
    assert new.count("SparkSession.builder") == 1
    assert "spark.readStream" in new


def test_a_context_that_only_a_function_without_callers_reads_is_left_out() -> None:
    source = (
        "from pyspark import SparkContext\n"
        "from pyspark.sql import SQLContext\n"
        "from pyspark.streaming import StreamingContext\n\n"
        "def instance(context):\n"
        "    if 'single' not in globals():\n"
        "        globals()['single'] = SQLContext(sc)\n"
        "    return globals()['single']\n\n"
        "def show(rdd):\n"
        "    instance(rdd.context).createDataFrame(rdd, ['a', 'b']).show()\n\n"
        'if __name__ == "__main__":\n'
        "    sc = SparkContext()\n"
        "    ssc = StreamingContext(sc, 2)\n"
        '    lines = ssc.socketTextStream("localhost", 9999)\n'
        "    lines.map(lambda w: (w, 1)).foreachRDD(show)\n"
        "    ssc.start()\n"
        "    ssc.awaitTermination()\n"
    )
    new = file(source).new
    assert "def instance" not in new
    assert "sparkContext" not in new
    also = source.replace("def show(rdd):\n", "def show(rdd):\n    print(sc.appName)\n")
    assert "sc = spark.sparkContext" in file(also).new


@pytest.mark.parametrize(
    ("own", "is_local"),
    [
        ("    sqlContext = given()\n    print(sqlContext.sql('select 1'))\n", True),
        ("    global sqlContext\n    sqlContext = given()\n", False),
    ],
)
def test_local_variables_of_functions_may_have_the_name_of_one(own: str, is_local: bool) -> None:
    program = TWO.partition("sc.stop()")[0].replace(
        "ssc.start()",
        f"sqlContext = SQLContext(sc)\ndef other():\n{own}\nsqlContext.sql('select 2')\nssc.start()",
    )
    new = file(program).new
    assert ("spark.sql('select 2')" in new) is is_local
    assert "    sqlContext = given()\n" in new
    assert ("    print(sqlContext.sql('select 1'))\n" in new) is is_local


def test_one_of_a_function_that_makes_the_streams_is_the_session() -> None:
    result = run(
        "from pyspark import SparkContext\n"
        "from pyspark.sql import SQLContext\n"
        "from pyspark.streaming import StreamingContext\n"
        "def count(sc):\n"
        "    ssc = StreamingContext(sc, 1)\n"
        "    sqlc = SQLContext(sc)\n"
        '    ssc.socketTextStream("localhost", 1).pprint()\n'
        '    sqlc.read.json("codes.json").show()\n'
        "    ssc.start()\n"
        "    ssc.awaitTermination()\n"
        'count(SparkContext(appName="count"))\n'
    )
    assert result.graphs[0].outcome.value == "native", result.graphs[0].reasons
    assert 'spark.read.json("codes.json").show()' in result.files[0].new
    assert "sqlc" not in result.files[0].new.lower()


GLOBAL = """\
from pyspark import SparkContext
from pyspark.sql import SparkSession, SQLContext
from pyspark.streaming import StreamingContext


def main():
    sc = SparkContext(appName="prices")
    ssc = StreamingContext(sc, 60)
    global spark
    spark = SparkSession.builder.appName("prices").enableHiveSupport().getOrCreate()
    global {names}
    sqlContext = SQLContext(sc)
    ssc.socketTextStream("localhost", 9999).foreachRDD(lambda rdd: show(rdd))
    ssc.start()
    ssc.awaitTermination()


def show(rdd):
    if not rdd.isEmpty():
        sqlContext.read.json(rdd).show()


main()
"""


def test_global_variables_of_a_function_are_one_session() -> None:
    new = file(GLOBAL.format(names="sqlContext")).new
    assert "    global spark\n    spark = SparkSession.builder.appName(" in new
    assert new.count("SparkSession.builder") == 1 and ".enableHiveSupport()" in new
    assert "spark.read.json(batch)" in new and "sqlContext" not in new


def test_a_global_variable_beside_others_is_left() -> None:
    new = file(GLOBAL.format(names="sqlContext, other")).new
    assert new.count("SparkSession.builder") == 1
    compile(new, "job.py", "exec")


def test_a_session_may_be_declared_with_others() -> None:
    new = file(GLOBAL.format(names="sqlContext").replace("global spark", "global spark, other")).new
    assert "    global spark\n    spark = SparkSession" in new and "    global other\n" in new
    assert new.count("SparkSession.builder") == 1


def test_a_global_sql_context_beside_a_local_session_stays() -> None:
    new = file(GLOBAL.format(names="sqlContext").replace("    global spark\n", "")).new
    assert "sqlContext = SQLContext(spark.sparkContext)" in new and "sqlContext.read.json(batch)" in new


def test_one_of_a_function_goes_whose_name_parameters_of_others_have() -> None:
    source = """\
from pyspark import SparkContext
from pyspark.sql import SQLContext
from pyspark.streaming import StreamingContext


def show(rdd, sqlContext):
    sqlContext.createDataFrame(rdd, ["word", "n"]).show()


def main():
    sc = SparkContext(appName="words")
    ssc = StreamingContext(sc, 1)
    sqlContext = SQLContext(sc)
    lines = ssc.socketTextStream("localhost", 9999)
    lines.map(lambda line: (line, 1)).foreachRDD(lambda rdd: show(rdd, sqlContext))
    ssc.start()
    ssc.awaitTermination()


main()
"""
    new = str(file(source).new)
    assert "sqlContext" not in new and "SQLContext" not in new and "def show(df):" in new
