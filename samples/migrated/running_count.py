"""
Keeps a running count of every word seen so far on a text socket.

The totals go on from a list of words that were counted elsewhere, so that a
new deployment does not begin at zero.

Usage: running_count.py <hostname> <port> [checkpoint-directory]
"""
from __future__ import print_function

import os
import sys
import tempfile

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

BATCH_SECONDS = 1

# (word, how often it was seen by the old deployment)
ALREADY_SEEN = [
    ("spark", 3),
    ("license", 2),
    ("streaming", 1),
]


def main():
    if len(sys.argv) not in (3, 4):
        print("Usage: running_count.py <hostname> <port> [checkpoint-directory]",
              file=sys.stderr)
        sys.exit(-1)
    host = sys.argv[1]
    port = int(sys.argv[2])
    if len(sys.argv) == 4:
        checkpoint_dir = sys.argv[3]
    else:
        checkpoint_dir = os.path.join(tempfile.gettempdir(), "running-count-checkpoint")

    spark = (
        SparkSession.builder.appName("RunningWordCount")
        .config("spark.log.level", "ERROR")
        .config("spark.sql.shuffle.partitions", 8)  # Spark's 200 partitions make small batches slow
        .getOrCreate()
    )

    lines = spark.readStream.format("socket").options(host=host, port=port).load()
    since_start = (
        lines.select(F.explode(F.split("value", " ")).alias("word"))
        .groupBy("word").count()
    )

    def process_batch(batch, batch_id):
        initial_state = batch.sparkSession.createDataFrame(
            ALREADY_SEEN, ["word", "count"]
        )
        running_counts = (
            batch.union(initial_state)
            .groupBy("word").agg(F.sum("count").alias("count"))
        )

        # every word so far, also those that this batch did not bring
        running_counts.show(15, truncate=False)

    query = (
        since_start.writeStream.outputMode("complete")
        .trigger(processingTime=f"{BATCH_SECONDS} seconds")
        .foreachBatch(process_batch)
        .start()
    )
    query.awaitTermination()


if __name__ == "__main__":
    main()
