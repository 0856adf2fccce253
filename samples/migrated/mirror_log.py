"""
Watches the access log of a package mirror.

The mirror writes one line per download,

    path,digest,bytes

and leaves digest and bytes empty when it could not serve the file. For every
batch this job prints

  * how many requests there were,
  * how many of them failed, and the paths that failed,
  * requests per package (the first part of the path),
  * bytes per kind of file.

Usage: mirror_log.py HOST PORT
"""
import sys

from pyspark import SparkConf, SparkContext
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

FIELDS = 3
INTERVAL = 2  # seconds


def create_spark_context():
    conf = SparkConf()
    conf.setAppName("MirrorLog")
    conf.set("spark.ui.showConsoleProgress", "false")
    sc = SparkContext(conf=conf)
    sc.setLogLevel("ERROR")
    return sc


if __name__ == "__main__":
    if len(sys.argv) != 3:
        print("Usage: mirror_log.py HOST PORT")
        sys.exit(1)

    sc = create_spark_context()
    # off on some clusters; bad input must raise
    spark = SparkSession.builder.config("spark.sql.ansi.enabled", "true").getOrCreate()

    log = (
        spark.readStream.format("socket")
        # one partition keeps the lines in order
        .options(host=sys.argv[1], port=int(sys.argv[2]), numPartitions=1)
        .load()
    )

    def process_batch(batch, batch_id):
        if batch.isEmpty():  # DStreams gave no count then
            return

        # ['pyspark/sql/functions.py', 'sha256=kb7...', '83112']
        # lines of another shape are not requests
        requests = (
            batch.select(F.split("value", ",").alias("field"))
            .where(F.size("field") == FIELDS)
            .persist()
        )

        # --- all of them -----------------------------------------------------
        print("requests: %d" % requests.count())

        # --- failures --------------------------------------------------------
        failed = requests.where(F.col("field")[1] == "")
        print("failed: %d" % failed.count())
        failed.select(F.col("field")[0].alias("value")).show(5, truncate=False)

        # --- per package -----------------------------------------------------
        by_package = requests.groupBy(F.split(F.col("field")[0], "/")[0].alias("key")).count()
        by_package.show(25, truncate=False)

        # --- traffic ---------------------------------------------------------
        # only files that were served have a size
        served = requests.where(F.col("field")[1] != "")
        python_bytes = (
            served.where(F.col("field")[0].endswith(".py"))
            .select(
                F.lit("python").alias("key"),
                F.col("field")[2].cast("bigint").alias("value"),
            )
            .groupBy("key").agg(F.sum("value").alias("value"))
        )
        python_bytes.show(10, truncate=False)
        requests.unpersist()

    query = (
        log.writeStream.trigger(processingTime=f"{INTERVAL} seconds")
        .foreachBatch(process_batch)
        .start()
    )
    query.awaitTermination()
