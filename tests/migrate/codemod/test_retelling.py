"""Comments of the program that would be false beside new code say what is there now."""

from __future__ import annotations

import pytest

from migrate.codemod.retelling import names_rdd, retold
from migrate.plan.code import Makes
from tests.migrate.codemod.written import native_result, new_text

COMMENTS = [
    (
        Makes.SESSION,
        "# Create a local StreamingContext with two working thread and batch interval of 1 second",
        "# Create a local SparkSession with two working thread",
    ),
    (
        Makes.SESSION,
        "# 2.0 The StreamingContext, with\n#     batch interval of 5 seconds",
        "# 2.0 The SparkSession",
    ),
    (Makes.SESSION, "# Create a sparkcontext and streaming context", "# Create a SparkSession"),
    (Makes.SESSION, "# spark streaming context (ssc)", "# SparkSession (spark)"),
    (Makes.SESSION, "# make a spark context with the above configuration", "# make a SparkSession"),
    (Makes.SESSION, "# 创建StreamingContext对象", "# 创建SparkSession对象"),
    (
        Makes.SOURCE,
        "# Create a DStream that connects to host:port",
        "# Create a streaming DataFrame that connects to host:port",
    ),
    (
        Makes.FRAME,
        "# Print the first ten elements of each RDD generated in this DStream to the console",
        "# Print the first ten elements of each batch to the console",
    ),
    (Makes.FRAME, "# each RDD generated in this stateful DStream", "# each batch"),
    (Makes.FRAME, "# Convert RDDs of the words DStream to DataFrame and run SQL query", "# Run SQL query"),
    (Makes.FRAME, "# turn each RDD into a DataFrame and save it", "# save it"),
    (Makes.FRAME, "# done for every RDD\n# in the DStream", "# done for each batch"),
    (Makes.FRAME, "# note that this is a sequence of RDDs", "# note that this is a sequence of DataFrames"),
    (Makes.FRAME, "# filters an RDD", "# filters a DataFrame"),
    (Makes.RDD, "# filters the DStream", "# filters the RDD"),
    (Makes.QUERY, "# Start the streaming context", "# Start the streaming query"),
]


@pytest.mark.parametrize(("makes", "old", "new"), COMMENTS)
def test_a_comment_names_what_is_there_now(makes: Makes, old: str, new: str) -> None:
    assert retold(old.split("\n"), makes, "spark") == new.split("\n")


@pytest.mark.parametrize("makes", list(Makes))
@pytest.mark.parametrize(
    "comment",
    [
        "# lines = ssc.socketTextStream('h', 1)",
        "# words.foreachRDD(lambda rdd: show(rdd))",
        "# count the words of each batch",
        "# -----",
    ],
)
def test_code_and_what_stays_true_stay(makes: Makes, comment: str) -> None:
    assert retold([comment], makes, "spark") is None


def test_how_an_rdd_becomes_a_data_frame_goes_with_it() -> None:
    assert retold(["# convert the RDD to a DF"], Makes.FRAME, "spark") == []
    assert names_rdd("# from RDD[String] to RDD[Row]")
    assert not names_rdd("# rdd = rdd.map(str)")


def test_a_comment_above_a_callback_names_what_it_takes_now() -> None:
    result = native_result("""\
from pyspark import SparkContext
from pyspark.sql import Row, SparkSession
from pyspark.streaming import StreamingContext


# Convert the RDDs to DataFrames and show them
def show(rdd):
    spark = SparkSession.builder.getOrCreate()
    spark.createDataFrame(rdd.map(lambda w: Row(word=w))).show()


# counts the RDD
def count(rdd):
    print(rdd.count(), [n for n in rdd.map(weird).collect()])


sc = SparkContext()
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", 9999)
lines.foreachRDD(show)
lines.foreachRDD(count)
ssc.start()
ssc.awaitTermination()
""")
    new = new_text(result)
    assert "\n\n\n# Show them\ndef show(batch):" in new
    assert "# counts the DataFrame\ndef count(batch):" in new
    assert "`# Convert the RDDs to DataFrames and show them`" in " ".join(result.graphs[0].notes)


def test_a_program_s_comments_are_listed_with_the_words_that_they_had() -> None:
    result = native_result("""\
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="Words")
# a StreamingContext with a batch interval of 1 second
ssc = StreamingContext(sc, 1)
# a DStream of lines
lines = ssc.socketTextStream(sys.argv[1], 9999)
# the first ten of each RDD generated in this DStream
lines.countByValue().pprint()
ssc.start()
ssc.awaitTermination()
""")
    new = new_text(result)
    assert "# a streaming DataFrame of lines\nlines = spark.readStream" in new
    assert "    # the first ten of each batch\n" in new
    assert "StreamingContext" not in new
    notes = " ".join(result.graphs[0].notes)
    for old in ("`# a DStream of lines`", "`# the first ten of each RDD generated in this DStream`"):
        assert old in notes
