"""What the report says of comments that name the old API."""

from __future__ import annotations

from tests.migrate.programs import run, socket_program

BODY = """\
from pyspark.sql import Row, SparkSession

def process(time, rdd):
    try:
        # Creating a spark sql singleton context object from the rdd context.
        spark = SparkSession.builder.config(conf=rdd.context.getConf()).getOrCreate()
        frame = spark.createDataFrame(rdd.map(lambda w: Row(word=w[0], n=w[1])))
        frame.show()
        spark.sql("select 1").show()
    except:
        pass

counts = lines.map(lambda line: (line, 1)).reduceByKey(lambda a, b: a + b)
counts.foreachRDD(process)
"""


def test_a_comment_with_other_words_is_not_one_that_was_left() -> None:
    (graph,) = run(socket_program(BODY)).graphs
    said = [note.split(":")[0] for note in graph.notes if "Creating a spark sql singleton" in note]
    assert said == ["comments that name what is there now"]
