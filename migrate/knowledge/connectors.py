"""Connectors: modules beside `pyspark.streaming` with sources of their own, and the names in them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from migrate.knowledge.table import names, read_table

KAFKA, KINESIS, FLUME, MQTT = (f"pyspark.streaming.{name}" for name in ("kafka", "kinesis", "flume", "mqtt"))
KAFKA_NAMES = frozenset(
    {
        *("Broker", "KafkaMessageAndMetadata", "KafkaUtils", "OffsetRange", "TopicAndPartition"),
        *("utf8_decoder", "KafkaRDD", "KafkaDStream", "KafkaTransformedDStream"),
    }
)
"""The names in PySpark 2.4's module, which `compat.streaming.kafka` has, too."""
CONNECTORS: dict[str, frozenset[str]] = {
    KAFKA: KAFKA_NAMES,
    KINESIS: frozenset({"InitialPositionInStream", "KinesisUtils", "MetricsLevel", "utf8_decoder"}),
    FLUME: frozenset({"FlumeUtils", "utf8_decoder"}),
    MQTT: frozenset({"MQTTUtils"}),
    "pyspark.streaming.zeromq": frozenset(),
    "pyspark.streaming.twitter": frozenset(),
}
"""Modules with sources of their own, each with the names that `compat.streaming` has of it."""
BAHIR = "mqtt"
"""Apache Bahir's module, where ``pyspark.streaming.mqtt`` went after Spark 1.6."""
EXTENSION = re.compile("spark", re.IGNORECASE)
"""A part of the names of packages that extend PySpark's classes: ``pyspark_cassandra``, ``sparkts``."""


@dataclass(frozen=True)
class ConnectorSource:
    """One row of the table."""

    arrival: bool
    """Whether the elements of its stream are in the order in which they came, natively too."""


SOURCES = read_table(
    """
name                arrival
createStream        yes
createDirectStream  yes
createPollingStream -
createPairedStream  -
createRDD           -
""",
    ConnectorSource,
)
"""Functions of these modules that make a stream or an RDD."""
CONNECTOR_SOURCES = frozenset(SOURCES)
IN_ORDER_OF_ARRIVAL = names(SOURCES, lambda row: row.arrival)
"""Functions whose stream keeps the order of arrival."""

RECEIVED = {
    f"{MQTT}.MQTTUtils.createStream": "mqttCreateStream",
    f"{MQTT}.MQTTUtils.createPairedStream": "mqttCreatePairedStream",
    f"{KINESIS}.KinesisUtils.createStream": "kinesisCreateStream",
    f"{FLUME}.FlumeUtils.createStream": "flumeCreateStream",
    f"{FLUME}.FlumeUtils.createPollingStream": "flumeCreatePollingStream",
}
"""Functions beside Kafka's whose streams have a native form, and the names of their rules' operators."""
IN_ONE_PARTITION = frozenset(name for name in RECEIVED.values() if not name.startswith("kinesis"))
"""Those whose native source has one partition, of all elements in the order in which they came."""

STAR: dict[str, tuple[str, ...]] = {
    **{module: tuple(sorted(members)) for module, members in CONNECTORS.items()},
    "pyspark.streaming": ("StreamingContext", "DStream", "StreamingListener"),
    "pyspark": ("SparkConf", "SparkContext", "SparkFiles", "RDD", "StorageLevel", "Broadcast", "Accumulator"),
    "pyspark.sql": ("SparkSession", "SQLContext", "HiveContext", "DataFrame", "Row", "Column"),
}
"""The names that a star import of each module binds."""


@lru_cache(maxsize=1024)
def connector_of(name: str) -> str | None:
    """The module of `CONNECTORS` that a name is of, or that it is."""
    return next((module for module in CONNECTORS if name == module or name.startswith(module + ".")), None)
