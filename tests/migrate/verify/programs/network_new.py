import sys
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

if __name__ == "__main__":
    spark = SparkSession.builder.appName("PythonStreamingNetworkWordCount").getOrCreate()
    spark.conf.set("spark.sql.shuffle.partitions", spark.sparkContext.defaultParallelism)
    lines = (
        spark.readStream.format("socket").option("host", sys.argv[1]).option("port", int(sys.argv[2])).load()
    )

    def process_batch(batch, batch_id):
        words = batch.select(F.explode(F.split("value", " ")).alias("word"))
        counts = words.groupBy("word").agg(F.count("*").alias("count"))
        counts.show(10, truncate=False)

    query = (
        lines.writeStream.outputMode("append")
        .trigger(processingTime="1 second")
        .foreachBatch(process_batch)
        .start()
    )
    query.awaitTermination()
