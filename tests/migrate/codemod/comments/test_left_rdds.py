"""Comments do not speak of RDDs where there are none, though the program has some elsewhere."""

from __future__ import annotations

from tests.migrate.codemod.written import native_socket

CALLBACK = """\
def process(time, rdd):
    try:
        spark = SparkSession.builder.config(conf=rdd.context.getConf()).getOrCreate()
        rows = rdd.map(lambda w: Row(word=w[0], n=w[1]))
        # create a DF from the Row RDD
        frame = spark.createDataFrame(rows)
        frame.createOrReplaceTempView("words")
        spark.sql("select * from words").show()
        {more}
    except Exception as error:
        print(error)
"""
PROGRAM = """\
import os
from pyspark.sql import Row, SparkSession

{callback}
counts = lines.map(lambda line: (line, 1)).reduceByKey(lambda a, b: a + b)
counts.foreachRDD(process)
lines.map(os.stat).filter(lambda found: found.st_size % 2).pprint()
"""


def test_a_callback_of_dataframes_has_no_rdds() -> None:
    new = native_socket(PROGRAM.format(callback=CALLBACK.format(more="print(time)")))
    assert ".rdd." in new
    assert "# create a DF from the batch\n" in new


def test_one_that_makes_rdds_has_some() -> None:
    callback = CALLBACK.format(more="print(frame.rdd.count())")
    assert "# create a DF from the Row RDD\n" in native_socket(PROGRAM.format(callback=callback))
