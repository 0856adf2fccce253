"""Every way in which results leave an RDD or a frame, a handled Ctrl-C, and a summary at the end."""

import sys
import time

from pyspark.sql import Row, SparkSession
from pyspark.streaming import StreamingContext

spark = SparkSession.builder.appName("Exits").getOrCreate()
sc = spark.sparkContext
stop_words = sc.parallelize([("the", 1), ("of", 1)]).reduceByKey(lambda a, b: a + b).collectAsMap()
ssc = StreamingContext(sc, 2)
ssc.checkpoint("/var/checkpoints/exits")
words = ssc.socketTextStream(sys.argv[1], int(sys.argv[2])).flatMap(lambda line: line.split(" "))
counts = (
    words.filter(lambda word: word not in stop_words)
    .map(lambda word: (word, 1))
    .reduceByKey(lambda a, b: a + b)
)
seen = []


def report(rdd):
    if rdd.isEmpty():
        return
    spark = SparkSession.builder.getOrCreate()
    frame = spark.createDataFrame(rdd.map(lambda pair: Row(word=pair[0], count=pair[1])))
    print("collect", [word for word, count in rdd.collect()])
    print("iterator", ["%s=%d" % pair for pair in rdd.toLocalIterator()])
    print("map", rdd.collectAsMap())
    print("first", rdd.first()[0])
    print("top", [count for word, count in rdd.top(3, key=lambda pair: pair[1])])
    print("ordered", rdd.map(lambda pair: pair[0]).takeOrdered(3))
    print("values", dict(rdd.map(lambda pair: pair[1]).countByValue()))
    print(
        "sorted",
        rdd.map(lambda pair: (pair[1], pair[0])).sortByKey(False).map(lambda pair: pair[1]).collect(),
    )
    print("pandas", frame.orderBy("count").toPandas()["word"].tolist())
    print("limited", [row["word"] for row in frame.orderBy(frame["count"].desc()).limit(4).collect()])
    print("head", frame.head()["word"], [row["word"] for row in frame.tail(2)])
    print("rows", frame.orderBy("count").rdd.map(lambda row: row["word"]).take(5))
    frame.show(3, vertical=True)
    frame.orderBy("count").write.mode("append").saveAsTable("counts")
    seen.append(rdd.count())
    time.sleep(0.01)


counts.foreachRDD(report)
ssc.start()
try:
    ssc.awaitTermination()
except KeyboardInterrupt:
    print("seen", seen)
    ssc.stop(stopSparkContext=True, stopGraceFully=True)
