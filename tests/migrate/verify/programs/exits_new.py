import sys
import time

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.appName("Exits").getOrCreate()
spark.conf.set("spark.sql.shuffle.partitions", 3)
lines = spark.readStream.format("socket").option("host", sys.argv[1]).option("port", int(sys.argv[2])).load()
seen = []


def report(batch, batch_id):
    words = batch.select(F.explode(F.split("value", " ")).alias("word")).where("word not in ('the', 'of')")
    frame = words.groupBy("word").agg(F.count("*").alias("count"))
    if frame.isEmpty():
        return
    by_count = frame.orderBy(F.desc("count"))
    print("collect", [row["word"] for row in frame.collect()])
    print("iterator", ["%s=%d" % row for row in frame.toLocalIterator()])
    print("map", {row["word"]: row["count"] for row in frame.collect()})
    print("first", frame.first()["word"])
    print("top", [row["count"] for row in by_count.take(3)])
    print("ordered", [row["word"] for row in frame.select("word").orderBy("word").limit(3).collect()])

    print("values", dict(frame.rdd.map(lambda row: row["count"]).countByValue()))
    print("sorted", [row["word"] for row in by_count.select("word").collect()])
    print("pandas", frame.orderBy("count").toPandas()["word"].tolist())
    print("limited", [row["word"] for row in by_count.limit(4).collect()])
    print("head", frame.head()["word"], [row["word"] for row in frame.tail(2)])
    print("rows", frame.orderBy("count").rdd.map(lambda row: row["word"]).take(5))
    frame.show(3, vertical=True)
    frame.write.mode("append").saveAsTable("counts")
    seen.append(frame.count())
    time.sleep(0.01)


query = (
    lines.writeStream.foreachBatch(report)
    .trigger(processingTime="2 seconds")
    .option("checkpointLocation", "/var/checkpoints/exits/query")
    .start()
)
try:
    query.awaitTermination()
except KeyboardInterrupt:
    print("seen", seen)
    query.stop()
    spark.stop()
