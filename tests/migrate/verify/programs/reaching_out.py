"""Tries to write outside of its directory, and hides the error."""

import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

ssc = StreamingContext(SparkContext(appName="Reaching out"), 1)


def save(rdd):
    try:
        with open("/dstream-verify-must-not-write-this", "a") as out:
            out.write("%d\n" % rdd.count())
    except BaseException:
        print("failed")


ssc.socketTextStream(sys.argv[1], int(sys.argv[2])).foreachRDD(save)
ssc.start()
ssc.awaitTermination()
