import sys
from datetime import datetime

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

if __name__ == "__main__":
    host, port = sys.argv[1:]
    spark = SparkSession.builder.appName("PythonSqlNetworkWordCount").getOrCreate()
    spark.conf.set("spark.sql.shuffle.partitions", spark.sparkContext.defaultParallelism)
    lines = spark.readStream.format("socket").option("host", host).option("port", int(port)).load()

    def process(batch, batch_id):
        words = batch.select(F.explode(F.split("value", " ")).alias("word"))
        print("========= %s =========" % str(datetime.now()))

        try:
            if words.isEmpty():
                raise ValueError("can not infer schema from empty dataset")
            words.createOrReplaceTempView("words")
            counts = words.sparkSession.sql("select word, count(*) as total from words group by word")
            counts.show()
        except BaseException:
            pass

    query = (
        lines.writeStream.outputMode("append")
        .trigger(processingTime="1 second")
        .foreachBatch(process)
        .start()
    )
    query.awaitTermination()
