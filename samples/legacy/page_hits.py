"""
Counts what is asked for on a package mirror, from Kafka.

The mirror's front ends put one message per download into a topic,

    path,digest,bytes

with the name of the front end as the key, or none. Every batch prints the
packages that were asked for most, and how many requests each front end had.

Usage: page_hits.py <zookeeper> <topic> [interval]

  $ bin/spark-submit \
      --packages org.apache.spark:spark-streaming-kafka-0-8_2.11:2.4.8 \
      page_hits.py zookeeper:2181 downloads
"""
from __future__ import print_function

import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext
from pyspark.streaming.kafka import KafkaUtils

GROUP = "page-hits"
TOP = 20


def package_of(path):
    # "pyspark/sql/functions.py" -> "pyspark"
    return path.split("/")[0]


def count_packages(paths):
    """Requests per package."""
    return paths.map(lambda path: (package_of(path), 1)).reduceByKey(lambda a, b: a + b)


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        print("Usage: page_hits.py <zookeeper> <topic> [interval]", file=sys.stderr)
        sys.exit(-1)

    zk_quorum, topic = sys.argv[1:3]
    interval = int(sys.argv[3]) if len(sys.argv) == 4 else 2

    sc = SparkContext(appName="PageHits")
    sc.setLogLevel("WARN")
    ssc = StreamingContext(sc, interval)

    # (key, value), both decoded; the key is None for the oldest front ends
    kvs = KafkaUtils.createStream(ssc, zk_quorum, GROUP, {topic: 1})

    # --- what is asked for ------------------------------------------------
    lines = kvs.map(lambda x: x[1])
    paths = lines.map(lambda line: line.split(",")).map(lambda fields: fields[0])
    hits = count_packages(paths)
    hits.pprint(TOP)

    # --- who was asked ----------------------------------------------------
    kvs.map(lambda x: (x[0], 1)).reduceByKey(lambda a, b: a + b).pprint()

    ssc.start()
    ssc.awaitTermination()
