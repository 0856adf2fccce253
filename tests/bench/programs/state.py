"""Keeps a running count of keys, and shows how many keys there are."""

import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def update(new_values, total):
    return sum(new_values) + (total or 0)


sc = SparkContext(appName="state")
ssc = StreamingContext(sc, 10)
ssc.checkpoint(sys.argv[2])
keys = ssc.textFileStream(sys.argv[1])
totals = keys.map(lambda key: (key, 1)).updateStateByKey(update)
totals.count().pprint()
ssc.start()
ssc.awaitTermination()
