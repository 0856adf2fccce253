"""SQLContexts of programs with several contexts: each is the session of the program that made its own."""

from __future__ import annotations

from tests.migrate.programs import run

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
