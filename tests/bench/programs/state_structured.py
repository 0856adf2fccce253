"""Keeps a running count of keys, as a person would write it today."""

import sys
import time

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.appName("state").getOrCreate()
spark.conf.set("spark.sql.shuffle.partitions", spark.sparkContext.defaultParallelism)
keys = spark.readStream.text(sys.argv[1]).where(
    F.col("_metadata.file_modification_time") >= F.lit(time.time()).cast("timestamp")
)
totals = keys.groupBy(F.col("value").alias("key")).agg(F.count("*").alias("total"))


def show_size(batch: DataFrame, batch_id: int) -> None:
    print(batch.count())


query = (
    totals.writeStream.outputMode("complete")
    .trigger(processingTime="10 seconds")
    .option("checkpointLocation", sys.argv[2])
    .foreachBatch(show_size)
    .start()
)
query.awaitTermination()
