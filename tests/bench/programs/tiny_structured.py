"""Counts the words of a few lines, every second, as a person would write it today."""

import sys
import time

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.appName("tiny").getOrCreate()
spark.conf.set("spark.sql.shuffle.partitions", spark.sparkContext.defaultParallelism)
lines = spark.readStream.text(sys.argv[1]).where(
    F.col("_metadata.file_modification_time") >= F.lit(time.time()).cast("timestamp")
)


def show_counts(batch: DataFrame, batch_id: int) -> None:
    words = batch.select(F.explode(F.split("value", " ")).alias("word"))
    words.groupBy("word").agg(F.count("*").alias("count")).show(10, truncate=False)


query = lines.writeStream.trigger(processingTime="1 second").foreachBatch(show_counts).start()
query.awaitTermination()
