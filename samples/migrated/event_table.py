"""
Runs SQL over each batch of JSON events from Kafka.

An event says that a file was downloaded:

    {"package": "pyspark", "path": "pyspark/sql/functions.py", "bytes": 83112}

"bytes" is missing if the file could not be served.

Usage: event_table.py <brokers> <topic>
"""
import json
import sys
from datetime import datetime

from pyspark.sql import Row, SparkSession
from pyspark.sql import functions as F

QUERY = """
    select package, count(*) as files, sum(bytes) as bytes, max(bytes) as largest
    from events
    group by package
    order by files desc, package
"""


def to_row(event):
    # files that were not served have no size
    return Row(package=event["package"], bytes=int(event.get("bytes", 0)))


def process(time, rdd):
    print("========= %s =========" % str(time))
    if rdd.isEmpty():
        return

    # one table per batch
    eventsDataFrame = spark.createDataFrame(rdd.map(to_row))
    eventsDataFrame.createOrReplaceTempView("events")
    spark.sql(QUERY).show()


if __name__ == "__main__":
    if len(sys.argv) != 3:
        print("Usage: event_table.py <brokers> <topic>")
        sys.exit(-1)

    brokers, topic = sys.argv[1:]
    spark = SparkSession.builder.appName("EventTable").getOrCreate()

    kvs = (
        spark.readStream.format("kafka")
        .option("kafka.bootstrap.servers", brokers)
        .option("subscribe", topic)
        .option("startingOffsets", "latest")
        .load()
        .select(F.decode("value", "UTF-8").alias("value"))
    )

    def process_batch(batch, batch_id):
        batch_time = datetime.now().replace(microsecond=0)  # when the batch begins
        parsed = batch.rdd.map(lambda row: json.loads(row["value"])).persist()

        # how many of them, for those who watch
        print("events in this batch: %d" % parsed.count())
        process(batch_time, parsed)
        parsed.unpersist()

    query = kvs.writeStream.trigger(processingTime="2 seconds").foreachBatch(process_batch).start()
    query.awaitTermination()
