"""
Runs SQL over each batch of a text stream.

Every line is split into words, the words become a DataFrame, and a query
tells how many words of each length there are.

Usage: sql_report.py <hostname> <port>
"""
from __future__ import print_function

import sys

from pyspark import SparkContext
from pyspark.sql import Row, SparkSession
from pyspark.streaming import StreamingContext

QUERY = """
    select length, count(*) as words, count(distinct word) as different
    from words
    group by length
    order by length
"""


def get_spark_session_instance(spark_conf):
    # one session for all batches
    if "sparkSessionSingletonInstance" not in globals():
        globals()["sparkSessionSingletonInstance"] = (
            SparkSession.builder.config(conf=spark_conf).getOrCreate()
        )
    return globals()["sparkSessionSingletonInstance"]


def report(time, rdd):
    print("========= %s =========" % str(time))
    if rdd.isEmpty():
        # the schema could not be inferred
        return

    # Get the singleton instance of SparkSession
    spark = get_spark_session_instance(rdd.context.getConf())

    # RDD[String] -> RDD[Row] -> DataFrame
    row_rdd = rdd.map(lambda w: Row(word=w, length=len(w)))
    words_df = spark.createDataFrame(row_rdd)

    # a temporary view, so that it can be queried
    words_df.createOrReplaceTempView("words")

    # the report itself
    report_df = spark.sql(QUERY)
    report_df.show()


if __name__ == "__main__":
    if len(sys.argv) != 3:
        print("Usage: sql_report.py <hostname> <port>", file=sys.stderr)
        sys.exit(-1)

    host, port = sys.argv[1], int(sys.argv[2])

    sc = SparkContext(appName="SqlReport")
    ssc = StreamingContext(sc, 2)

    lines = ssc.socketTextStream(host, port)
    words = lines.flatMap(lambda line: line.strip().split(" "))

    # one table per batch
    words.foreachRDD(report)

    ssc.start()
    ssc.awaitTermination()
