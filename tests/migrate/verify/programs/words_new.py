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


def process_batch(batch, batch_id):
    words = batch.select(F.explode(F.split("value", " ")).alias("word"))
    counts = words.groupBy("word").agg(F.count("*").alias("count")).persist()
    counts.show(30, truncate=False)
    ranked = counts.orderBy(F.desc("count"))
    ranked.show(5, truncate=False)
    print("--- %s" % datetime.datetime.now())
    for row in counts.take(12):
        print(row["word"], row["count"])
    rows = counts.orderBy(F.desc("count"), "word").collect()
    with open(os.path.join("out", "top.txt"), "a") as out:
        out.write("%s\n" % [tuple(row) for row in rows[:3]])
    ranked.select(F.format_string("%s %d", "word", "count")).write.text(
        "out/counts-%d" % (time.time() * 1000)
    )
    counts.unpersist()


print("starting")
query = lines.writeStream.outputMode("append").foreachBatch(process_batch).start()
query.awaitTermination()
print("done")
