"""
Runs SQL over each batch of JSON events from Kafka.

An event says that a file was downloaded:

    {"package": "pyspark", "path": "pyspark/sql/functions.py", "bytes": 83112}

"bytes" is missing if the file could not be served.

Usage: event_table.py <brokers> <topic>
"""
import json
import sys

from pyspark import SparkContext
from pyspark.sql import Row, SparkSession
from pyspark.streaming import StreamingContext
from pyspark.streaming.kafka import KafkaUtils

QUERY = """
    select package, count(*) as files, sum(bytes) as bytes, max(bytes) as largest
    from events
    group by package
    order by files desc, package
"""


def getSparkSessionInstance(sparkConf):
    if "sparkSessionSingletonInstance" not in globals():
        globals()["sparkSessionSingletonInstance"] = SparkSession.builder \
            .config(conf=sparkConf).getOrCreate()
    return globals()["sparkSessionSingletonInstance"]


def to_row(event):
    # files that were not served have no size
    return Row(package=event["package"], bytes=int(event.get("bytes", 0)))


def process(time, rdd):
    print("========= %s =========" % str(time))
    if rdd.isEmpty():
        return
    # Get the singleton instance of SparkSession
    spark = getSparkSessionInstance(rdd.context.getConf())

    # one table per batch
    eventsDataFrame = spark.createDataFrame(rdd.map(to_row))
    eventsDataFrame.createOrReplaceTempView("events")
    spark.sql(QUERY).show()


if __name__ == "__main__":
    if len(sys.argv) != 3:
        print("Usage: event_table.py <brokers> <topic>")
        sys.exit(-1)

    brokers, topic = sys.argv[1:]
    sc = SparkContext(appName="EventTable")
    ssc = StreamingContext(sc, 2)

    kvs = KafkaUtils.createDirectStream(ssc, [topic], {"metadata.broker.list": brokers, "auto.offset.reset": "largest"})
    parsed = kvs.map(lambda x: json.loads(x[1]))

    # how many of them, for those who watch
    parsed.count().map(lambda n: "events in this batch: %d" % n).pprint()
    parsed.foreachRDD(process)

    ssc.start()
    ssc.awaitTermination()
