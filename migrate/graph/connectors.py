"""What a program that reads a source with a connector needs beside its code, and must be told of."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from migrate.knowledge.connectors import FLUME, KAFKA, KINESIS, MQTT, connector_of
from migrate.model import Module
from migrate.trace import Graph

NEEDED = (
    "Spark's connector for Kafka must be on the class path: "
    "--packages org.apache.spark:spark-sql-kafka-0-10_<Scala version>:<Spark version>"
)
OLD = "{}: it names the connector for Kafka 0.8, which no Spark since 3.0 can use"
ZOOKEEPER = (
    "`createStream` names ZooKeeper, which no client of Kafka asks any more: set the environment variable "
    "COMPAT_KAFKA_BOOTSTRAP to the brokers, host:port,..."
)
_OLD_CONNECTOR = re.compile(r"spark-streaming-kafka(-0-8)?(-assembly)?_")
RECEIVED = {
    MQTT: "compat receives from MQTT with paho-mqtt: pip install 'dstream-migrate[mqtt]' on the driver",
    KINESIS: (
        "compat receives from Kinesis with boto3, in place of spark-streaming-kinesis-asl: "
        "pip install 'dstream-migrate[kinesis]' on the driver"
    ),
    FLUME: (
        "compat receives from Flume on the driver, whose address Flume's sink must have: "
        "pip install 'dstream-migrate[flume]' there"
    ),
}


def reads(connector: str, graph: Graph) -> bool:
    """Whether a graph has a stream of that connector, by the name of its module."""
    return any(connector_of(use.connector) == connector for use in graph.uses)


def old_connectors(module: Module) -> Iterator[str]:
    """Where a program names the connector that is gone, one sentence for each line."""
    for number, line in enumerate(module.source.splitlines(), 1):
        if _OLD_CONNECTOR.search(line) and not line.lstrip().startswith("#"):
            yield OLD.format(module.where(number))


def compat_notes(graph: Graph, modules: Mapping[str, Module]) -> tuple[str, ...]:
    """What to know of a graph that reads sources of connectors through `compat.streaming`."""
    received = tuple(note for connector, note in RECEIVED.items() if reads(connector, graph))
    if not reads(KAFKA, graph):
        return received
    named = [note for path in graph.files for note in old_connectors(modules[path])]
    receiver = any(connector_of(use.connector) == KAFKA and use.name == "createStream" for use in graph.uses)
    return (*([ZOOKEEPER] if receiver else []), NEEDED, *named, *received)
