"""Everything in which two right programs may differ: unsorted output, ties in a sort, times, part files."""

import os
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="Words")
ssc = StreamingContext(sc, 1)
lines = ssc.textFileStream(sys.argv[1])
counts = (
    lines.flatMap(lambda line: line.split(" ")).map(lambda word: (word, 1)).reduceByKey(lambda a, b: a + b)
)
counts.pprint(30)
ranked = counts.transform(lambda rdd: rdd.sortBy(lambda pair: pair[1], ascending=False))
ranked.pprint(5)


def report(time, rdd):
    print("--- %s" % time)
    for word, count in rdd.take(12):
        print(word, count)
    rows = rdd.sortBy(lambda pair: (-pair[1], pair[0])).collect()
    with open(os.path.join("out", "top.txt"), "a") as out:
        out.write("%s\n" % rows[:3])


os.makedirs("out", exist_ok=True)
counts.foreachRDD(report)
ranked.map(lambda pair: "%s %d" % pair).saveAsTextFiles("out/counts")
print("starting")
ssc.start()
ssc.awaitTermination()
print("done")
