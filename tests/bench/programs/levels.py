"""Counts messages by their level, per batch."""

import sys

from pyspark import SparkConf, SparkContext
from pyspark.streaming import StreamingContext
from pyspark.streaming.kafka import KafkaUtils, TopicAndPartition

conf = SparkConf().setAppName("levels").set("spark.streaming.kafka.maxRatePerPartition", "625000")
sc = SparkContext(conf=conf)
ssc = StreamingContext(sc, 1)
messages = KafkaUtils.createDirectStream(
    ssc,
    ["levels"],
    {"metadata.broker.list": sys.argv[1]},
    fromOffsets={
        TopicAndPartition("levels", 0): 0,
        TopicAndPartition("levels", 1): 0,
        TopicAndPartition("levels", 2): 0,
        TopicAndPartition("levels", 3): 0,
    },
)
levels = messages.map(lambda message: (message[1].split(" ")[0], 1)).reduceByKey(lambda a, b: a + b)
levels.pprint()
ssc.start()
ssc.awaitTermination()
