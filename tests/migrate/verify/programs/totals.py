"""The classic wrong migration of a word count: running totals, and the console sink."""

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.getOrCreate()
spark.conf.set("spark.sql.shuffle.partitions", 2)
lines = spark.readStream.format("socket").option("host", sys.argv[1]).option("port", int(sys.argv[2])).load()
words = lines.select(F.explode(F.split("value", " ")).alias("word"))
counts = words.groupBy("word").agg(F.count("*").alias("count"))
query = counts.writeStream.outputMode("complete").format("console").option("numRows", 10).start()
query.awaitTermination()
