"""Counts words and tags, and saves both by one function that names their columns, the words with the time."""

import sys

from pyspark import SparkContext
from pyspark.sql import SparkSession
from pyspark.streaming import StreamingContext

INTERVAL = 1
WORDS = ["spark", "data", "a"]
LONG = 3


def save(rdd, directory, columns, mode):
    if not rdd.isEmpty():
        rdd.toDF(columns).write.save(directory, format="json", mode=mode)


def at_time(counts):
    return counts.transform(lambda time, rdd: rdd.map(lambda kv: (kv[0], kv[1], time.strftime("%H:%M:%S"))))


if __name__ == "__main__":
    sc = SparkContext(appName="shared")
    spark = SparkSession(sc)
    ssc = StreamingContext(sc, INTERVAL)
    ssc.checkpoint("checkpoint")
    words = ssc.socketTextStream(sys.argv[1], int(sys.argv[2])).flatMap(lambda line: line.split(" "))

    tags = words.filter(lambda word: len(word) > LONG)
    tags = tags.map(lambda word: (word, 1)).reduceByKey(lambda a, b: a + b)

    counts = words.filter(lambda word: word in WORDS).map(lambda word: (word, 1))
    counts = counts.reduceByKeyAndWindow(lambda a, b: a + b, lambda a, b: a - b, INTERVAL, INTERVAL)
    timed = at_time(counts)
    timed.pprint()
    words.countByWindow(1, 1).pprint()

    tags.foreachRDD(lambda rdd: save(rdd, "out/tags", ["tag", "n"], mode="overwrite"))
    timed.foreachRDD(lambda rdd: save(rdd, "out/counts", mode="append", columns=["word", "n", "time"]))

    ssc.start()
    ssc.awaitTermination()
