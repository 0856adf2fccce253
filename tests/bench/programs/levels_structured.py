"""Counts messages by their level, per batch, as a person would write it today."""

import sys

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.appName("levels").getOrCreate()
spark.conf.set("spark.sql.shuffle.partitions", spark.sparkContext.defaultParallelism)
messages = (
    spark.readStream.format("kafka")
    .option("kafka.bootstrap.servers", sys.argv[1])
    .option("subscribe", "levels")
    .option("startingOffsets", "earliest")
    .option("maxOffsetsPerTrigger", 2_500_000)
    .load()
)
levels = messages.select(F.split(F.col("value").cast("string"), " ")[0].alias("level"))


def show_counts(batch: DataFrame, batch_id: int) -> None:
    batch.groupBy("level").count().show(10, truncate=False)


query = levels.writeStream.trigger(processingTime="1 second").foreachBatch(show_counts).start()
query.awaitTermination()
