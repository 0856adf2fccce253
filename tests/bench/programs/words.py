"""Counts words per batch."""

import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="words")
ssc = StreamingContext(sc, 10)
lines = ssc.textFileStream(sys.argv[1])
counts = (
    lines.flatMap(lambda line: line.split(" ")).map(lambda word: (word, 1)).reduceByKey(lambda a, b: a + b)
)
counts.pprint()
ssc.start()
ssc.awaitTermination()
