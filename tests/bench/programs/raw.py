"""Does RDD work of its own on the lines of each batch."""

import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def characters(rdd):
    counted = rdd.map(lambda line: (None, len(line))).reduceByKey(lambda a, b: a + b, 1)
    print(sum(counted.values().collect()))


sc = SparkContext(appName="raw")
ssc = StreamingContext(sc, 10)
lines = ssc.textFileStream(sys.argv[1])
lines.foreachRDD(characters)
ssc.start()
ssc.awaitTermination()
