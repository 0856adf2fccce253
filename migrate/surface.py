"""The API of `pyspark.streaming` as the tracer must know it: what each member gives, what compat has of it.

The names are those of PySpark 2.4 to 4.x, whose Python streaming API differs in nothing but sources.
"""

from __future__ import annotations

import enum
import re


class Gives(enum.Enum):
    """What a call of a member evaluates to, as far as tracing is concerned."""

    STREAM = "a new DStream"
    ITSELF = "the DStream it was called on"
    CONTEXT = "the StreamingContext"
    SPARK = "the SparkContext"
    NOTHING = "nothing that is traced"


SOURCES = frozenset({"socketTextStream", "textFileStream", "binaryRecordsStream", "queueStream"})
"""Methods of a StreamingContext that make a stream out of nothing."""

LIFECYCLE = frozenset({"start", "awaitTermination", "awaitTerminationOrTimeout", "stop"})

CONTEXT: dict[str, Gives] = {
    **dict.fromkeys(SOURCES, Gives.STREAM),
    **dict.fromkeys(LIFECYCLE, Gives.NOTHING),
    "union": Gives.STREAM,
    "transform": Gives.STREAM,
    "checkpoint": Gives.NOTHING,
    "remember": Gives.NOTHING,
    "addStreamingListener": Gives.NOTHING,
    "sparkContext": Gives.SPARK,
}
"""Members of a StreamingContext."""

FACTORIES = frozenset({"getOrCreate", "getActive", "getActiveOrCreate"})
"""Class methods of StreamingContext that give a context."""

OUTPUTS = frozenset({"foreachRDD", "pprint", "saveAsTextFiles"})

_DERIVED = frozenset(
    {
        *(
            "glom",
            "repartition",
            "partitionBy",
            "filter",
            "map",
            "flatMap",
            "mapPartitions",
            "mapPartitionsWithIndex",
        ),
        *(
            "mapValues",
            "flatMapValues",
            "count",
            "countByValue",
            "reduce",
            "reduceByKey",
            "combineByKey",
            "groupByKey",
        ),
        *("cogroup", "join", "leftOuterJoin", "rightOuterJoin", "fullOuterJoin", "union", "transform"),
        *("transformWith", "window", "reduceByWindow", "countByWindow", "countByValueAndWindow"),
        *("groupByKeyAndWindow", "reduceByKeyAndWindow", "updateStateByKey"),
    }
)

STREAM: dict[str, Gives] = {
    **dict.fromkeys(_DERIVED, Gives.STREAM),
    **dict.fromkeys(OUTPUTS, Gives.NOTHING),
    **dict.fromkeys(("cache", "persist", "checkpoint"), Gives.ITSELF),
    "context": Gives.CONTEXT,
    "slice": Gives.NOTHING,
}
"""Members of a DStream."""

CONNECTORS = ("kafka", "kinesis", "flume", "mqtt", "zeromq", "twitter")
"""Submodules of `pyspark.streaming`, of PySpark or of packages beside it, that bring sources of their own."""

CONNECTOR_SOURCES = frozenset(
    {"createStream", "createDirectStream", "createPollingStream", "createPairedStream", "createRDD"}
)

KAFKA = "pyspark.streaming.kafka"
KAFKA_SOURCES = frozenset({"createStream", "createDirectStream"})
"""Functions of `KafkaUtils` that make a stream."""

KAFKA_NAMES = frozenset(
    {
        *("Broker", "KafkaMessageAndMetadata", "KafkaUtils", "OffsetRange", "TopicAndPartition"),
        *("utf8_decoder", "KafkaRDD", "KafkaDStream", "KafkaTransformedDStream"),
    }
)
"""What PySpark 2.4's module has, and `compat.streaming.kafka` too."""

STAR: dict[str, tuple[str, ...]] = {
    KAFKA: tuple(sorted(KAFKA_NAMES)),
    "pyspark.streaming": ("StreamingContext", "DStream", "StreamingListener"),
    "pyspark": ("SparkConf", "SparkContext", "SparkFiles", "RDD", "StorageLevel", "Broadcast", "Accumulator"),
    "pyspark.sql": ("SparkSession", "SQLContext", "HiveContext", "DataFrame", "Row", "Column"),
}
"""What a star import of these modules binds."""


def rule_id(operator: str) -> str:
    """The name of the rule that is in charge of a member: ``reduceByKey`` -> ``reduce_by_key``."""
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", operator)
    return words.lower()
