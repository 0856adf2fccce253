"""
Counts what is asked for on a package mirror, from Kafka.

The mirror's front ends put one message per download into a topic,

    path,digest,bytes

with the name of the front end as the key, or none. Every batch prints the
packages that were asked for most, and how many requests each front end had.

Usage: page_hits.py <brokers> <topic> [interval]

  $ bin/spark-submit \
      --packages org.apache.spark:spark-sql-kafka-0-10_2.13:4.2.0 \
      page_hits.py kafka:9092 downloads
"""
from __future__ import print_function

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

TOP = 20


def count_packages(paths):
    """Requests per package."""
    return paths.groupBy(F.split("path", "/")[0].alias("key")).count()


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        print("Usage: page_hits.py <brokers> <topic> [interval]", file=sys.stderr)
        sys.exit(-1)

    brokers, topic = sys.argv[1:3]
    interval = int(sys.argv[3]) if len(sys.argv) == 4 else 2

    spark = SparkSession.builder.appName("PageHits").config("spark.log.level", "WARN").getOrCreate()

    # (key, value), both decoded; the key is None for the oldest front ends
    kvs = (
        spark.readStream.format("kafka")
        .option("kafka.bootstrap.servers", brokers)
        .option("subscribe", topic)
        .load()
        .select(
            F.decode("key", "UTF-8").alias("key"),
            F.decode("value", "UTF-8").alias("value"),
        )
    )

    def process_batch(batch, batch_id):
        batch.persist()
        # --- what is asked for ------------------------------------------------
        lines = batch.select("value")
        paths = (
            lines.select(F.split("value", ",").alias("field"))
            .select(F.col("field")[0].alias("path"))
        )
        hits = count_packages(paths)
        hits.show(TOP, truncate=False)

        # --- who was asked ----------------------------------------------------
        batch.groupBy("key").count().show(10, truncate=False)
        batch.unpersist()

    query = (
        kvs.writeStream.trigger(processingTime=f"{interval} seconds")
        .foreachBatch(process_batch)
        .start()
    )
    query.awaitTermination()
