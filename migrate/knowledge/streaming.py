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

MODELS = frozenset(
    {
        "pyspark.mllib.classification.StreamingLogisticRegressionWithSGD",
        "pyspark.mllib.clustering.StreamingKMeans",
        "pyspark.mllib.regression.StreamingLinearRegressionWithSGD",
    }
)
"""MLlib's models that learn from streams."""

INITIAL = frozenset({"setInitialCenters", "setInitialWeights", "setRandomCenters"})
"""Their methods without which they cannot begin."""

MODEL: dict[str, Gives] = {
    "trainOn": Gives.NOTHING,
    "predictOn": Gives.STREAM,
    "predictOnValues": Gives.STREAM,
    **dict.fromkeys((*INITIAL, "setDecayFactor", "setHalfLife"), Gives.ITSELF),
}
"""Members of a model: those that take a stream, and those that set something."""

KAFKA = "pyspark.streaming.kafka"
KAFKA_NAMES = frozenset(
    {
        *("Broker", "KafkaMessageAndMetadata", "KafkaUtils", "OffsetRange", "TopicAndPartition"),
        *("utf8_decoder", "KafkaRDD", "KafkaDStream", "KafkaTransformedDStream"),
    }
)
"""What PySpark 2.4's module has, and `compat.streaming.kafka` too."""

EXTENSION = re.compile("spark", re.IGNORECASE)
"""What packages that extend PySpark's classes have in their names: ``pyspark_cassandra``, ``sparkts``."""
CONNECTORS: dict[str, frozenset[str]] = {
    "pyspark.streaming.kafka": KAFKA_NAMES,
    "pyspark.streaming.kinesis": frozenset(
        {"InitialPositionInStream", "KinesisUtils", "MetricsLevel", "utf8_decoder"}
    ),
    "pyspark.streaming.flume": frozenset({"FlumeUtils", "utf8_decoder"}),
    "pyspark.streaming.mqtt": frozenset({"MQTTUtils"}),
    "pyspark.streaming.zeromq": frozenset(),
    "pyspark.streaming.twitter": frozenset(),
}
"""Modules with sources of their own, some in other packages, and what `compat.streaming` has of them."""

BAHIR = "mqtt"
"""Apache Bahir's module, where ``pyspark.streaming.mqtt`` went after Spark 1.6."""

CONNECTOR_SOURCES = frozenset(
    {"createStream", "createDirectStream", "createPollingStream", "createPairedStream", "createRDD"}
)


def connector_of(name: str) -> str | None:
    """The module of `CONNECTORS` that a name is of, or that it is."""
    return next((module for module in CONNECTORS if name == module or name.startswith(module + ".")), None)


STAR: dict[str, tuple[str, ...]] = {
    **{module: tuple(sorted(names)) for module, names in CONNECTORS.items()},
    "pyspark.streaming": ("StreamingContext", "DStream", "StreamingListener"),
    "pyspark": ("SparkConf", "SparkContext", "SparkFiles", "RDD", "StorageLevel", "Broadcast", "Accumulator"),
    "pyspark.sql": ("SparkSession", "SQLContext", "HiveContext", "DataFrame", "Row", "Column"),
}
"""What a star import of these modules binds."""


def rule_id(operator: str) -> str:
    """The name of the rule that is in charge of a member: ``reduceByKey`` -> ``reduce_by_key``."""
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", operator)
    return words.lower()
