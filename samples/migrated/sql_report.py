"""
Runs SQL over each batch of a text stream.

Every line is split into words, the words become a DataFrame, and a query
tells how many words of each length there are.

Usage: sql_report.py <hostname> <port>
"""
from __future__ import print_function

import sys
from datetime import datetime

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

QUERY = """
    select length, count(*) as words, count(distinct word) as different
    from words
    group by length
    order by length
"""


def strip(text):
    """The text without white space at its ends, of which Python knows more than `F.trim`."""
    return F.regexp_replace(text, r"(?U)\A[\s\x1c-\x1f]+|[\s\x1c-\x1f]+\z", "")


def report(batch, batch_id):
    time = datetime.now().replace(microsecond=0)  # when the batch begins
    words = batch.select(F.explode(F.split(strip("value"), " ")).alias("word"))
    print("========= %s =========" % str(time))
    if words.isEmpty():
        # the schema could not be inferred
        return

    words_df = words.select("word", F.length("word").cast("bigint").alias("length"))

    # a temporary view, so that it can be queried
    words_df.createOrReplaceTempView("words")

    # the report itself
    report_df = words.sparkSession.sql(QUERY)
    report_df.show()


if __name__ == "__main__":
    if len(sys.argv) != 3:
        print("Usage: sql_report.py <hostname> <port>", file=sys.stderr)
        sys.exit(-1)

    host, port = sys.argv[1], int(sys.argv[2])

    spark = SparkSession.builder.appName("SqlReport").getOrCreate()

    # one partition keeps the lines in order
    lines = spark.readStream.format("socket").options(host=host, port=port, numPartitions=1).load()

    # one table per batch
    query = lines.writeStream.trigger(processingTime="2 seconds").foreachBatch(report).start()
    query.awaitTermination()
