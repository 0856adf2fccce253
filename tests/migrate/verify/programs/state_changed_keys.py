import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.appName("PythonStreamingStatefulNetworkWordCount").getOrCreate()
spark.conf.set("spark.sql.shuffle.partitions", spark.sparkContext.defaultParallelism)
initial = spark.createDataFrame([("hello", 1), ("world", 1)], "word string, count long")
lines = spark.readStream.format("socket").option("host", sys.argv[1]).option("port", int(sys.argv[2])).load()
words = lines.select(F.explode(F.split("value", " ")).alias("word"))
running_counts = words.groupBy("word").agg(F.count("*").alias("count"))


def process_batch(batch, batch_id):
    counts = batch
    counts.show(10, truncate=False)


query = running_counts.writeStream.outputMode("update").foreachBatch(process_batch).start()
query.awaitTermination()
