"""
Adds up bytes per package from Kafka, and keeps its own offsets.

Spark's checkpoints do not survive a change of the code, so the job remembers
by itself how far it has come: after each batch the offsets are written to a
file, and the next run begins there.

Usage: offset_keeper.py <brokers> <topic> <offsets file>
"""
from __future__ import print_function

import json
import os
import sys

from pyspark import SparkConf, SparkContext
from pyspark.streaming import StreamingContext
from pyspark.streaming.kafka import KafkaUtils, TopicAndPartition

offset_ranges = []


def load_offsets(path):
    # nothing was saved yet: begin with the oldest message
    if not os.path.exists(path):
        return {}
    with open(path) as saved:
        entries = json.load(saved)
    return {TopicAndPartition(topic, partition): offset for topic, partition, offset in entries}


def store_offset_ranges(rdd):
    # only the RDD that comes straight from Kafka knows its offsets
    global offset_ranges
    offset_ranges = rdd.offsetRanges()
    return rdd


def save_offsets(path):
    entries = [[o.topic, o.partition, o.untilOffset] for o in offset_ranges]
    with open(path, "w") as saved:
        json.dump(sorted(entries), saved)


def report(rdd, path):
    for package, size in sorted(rdd.collect()):
        print("%s: %d bytes" % (package, size))
    for o in offset_ranges:
        print("partition %d: %d messages" % (o.partition, o.untilOffset - o.fromOffset))
    # at least once: saved when the batch is done
    save_offsets(path)


def main(brokers, topic, path):
    conf = SparkConf().setAppName("OffsetKeeper")
    conf.set("spark.streaming.kafka.maxRatePerPartition", "1000")
    ssc = StreamingContext(SparkContext(conf=conf), 2)

    kafka_params = {"metadata.broker.list": brokers, "auto.offset.reset": "smallest"}
    stream = KafkaUtils.createDirectStream(ssc, [topic], kafka_params, fromOffsets=load_offsets(path))

    fields = stream.transform(store_offset_ranges).map(lambda kv: kv[1].split(","))
    served = fields.filter(lambda f: len(f) == 3 and f[2].isdigit())
    sizes = served.map(lambda f: (f[0].split("/")[0], int(f[2]))).reduceByKey(lambda a, b: a + b)
    sizes.foreachRDD(lambda rdd: report(rdd, path))

    ssc.start()
    ssc.awaitTermination()


if __name__ == "__main__":
    if len(sys.argv) != 4:
        print("Usage: offset_keeper.py <brokers> <topic> <offsets file>", file=sys.stderr)
        sys.exit(-1)
    main(*sys.argv[1:])
