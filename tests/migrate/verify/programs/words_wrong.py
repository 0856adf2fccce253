"""`words_new.py` with another mistake in each batch."""

import datetime
import os
import sys
import time

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

start = datetime.datetime.now()
spark = SparkSession.builder.appName("Words").getOrCreate()
spark.conf.set("spark.sql.shuffle.partitions", spark.sparkContext.defaultParallelism)
lines = spark.readStream.text(sys.argv[1]).where(F.col("_metadata.file_modification_time") >= F.lit(start))
os.makedirs("out", exist_ok=True)
mistakes = ["lost key", "duplicate", "none", "reversed sort", "dropped sort", "changed file", "dropped batch"]
full = 0


def process_batch(batch, batch_id):
    global full
    mistake = "none"
    if not batch.isEmpty():
        mistake = mistakes[full]
        full += 1
    words = batch.select(F.explode(F.split("value", " ")).alias("word"))
    counts = words.groupBy("word").agg(F.count("*").alias("count")).persist()
    if mistake == "dropped batch":
        return
    if mistake == "lost key":
        counts = counts.where(F.col("word") != counts.agg(F.max("word")).collect()[0][0])
    if mistake == "duplicate":
        counts = counts.union(counts.orderBy(F.desc("word")).limit(1))
    counts.show(30, truncate=False)
    order = {"reversed sort": F.asc("count"), "dropped sort": None}.get(mistake, F.desc("count"))
    ranked = counts if order is None else counts.orderBy(order)
    ranked.show(5, truncate=False)
    print("--- %s" % datetime.datetime.now())
    for row in counts.take(12):
        print(row["word"], row["count"])
    rows = counts.orderBy(F.desc("count"), "word").collect()
    with open(os.path.join("out", "top.txt"), "a") as out:
        out.write("%s\n" % [tuple(row) for row in rows[: 2 if mistake == "changed file" else 3]])
    ranked.select(F.format_string("%s %d", "word", "count")).write.text(
        "out/counts-%d" % (time.time() * 1000)
    )


print("starting")
query = lines.writeStream.outputMode("append").foreachBatch(process_batch).start()
query.awaitTermination()
print("done")
