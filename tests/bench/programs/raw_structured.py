"""Counts the characters of each batch, as a person would write it today."""

import sys
import time

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.appName("raw").getOrCreate()
spark.conf.set("spark.sql.shuffle.partitions", spark.sparkContext.defaultParallelism)
lines = spark.readStream.text(sys.argv[1]).where(
    F.col("_metadata.file_modification_time") >= F.lit(time.time()).cast("timestamp")
)


def characters(batch: DataFrame, batch_id: int) -> None:
    print(batch.agg(F.coalesce(F.sum(F.length("value")), F.lit(0))).first()[0])


query = lines.writeStream.trigger(processingTime="10 seconds").foreachBatch(characters).start()
query.awaitTermination()
