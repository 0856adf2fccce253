"""What a program that reads Kafka needs beside its code, and must be told of."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from migrate.model import Module
from migrate.surface import KAFKA_SOURCES
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


def reads_kafka(graph: Graph) -> bool:
    """Whether a graph has a stream of Kafka."""
    return any(use.connector and use.name in KAFKA_SOURCES for use in graph.uses)


def old_connectors(module: Module) -> Iterator[str]:
    """Where a program names the connector that is gone, one sentence for each line."""
    for number, line in enumerate(module.source.splitlines(), 1):
        if _OLD_CONNECTOR.search(line) and not line.lstrip().startswith("#"):
            yield OLD.format(module.where(number))


def compat_notes(graph: Graph, modules: Mapping[str, Module]) -> tuple[str, ...]:
    """What to know of a graph that reads Kafka through `compat.streaming.kafka`."""
    if not reads_kafka(graph):
        return ()
    named = [note for path in graph.files for note in old_connectors(modules[path])]
    receiver = any(use.connector and use.name == "createStream" for use in graph.uses)
    return (*([ZOOKEEPER] if receiver else []), NEEDED, *named)
