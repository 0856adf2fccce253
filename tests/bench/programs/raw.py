"""Does RDD work of its own on the lines of each batch."""

import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def characters(rdd):
    print(rdd.map(len).fold(0, lambda a, b: a + b))


sc = SparkContext(appName="raw")
ssc = StreamingContext(sc, 10)
lines = ssc.textFileStream(sys.argv[1])
lines.foreachRDD(characters)
ssc.start()
ssc.awaitTermination()
