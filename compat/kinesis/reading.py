"""What is shipped to executors to read shards, for both engines; streams that share shards."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from pyspark import cloudpickle
from pyspark.storagelevel import StorageLevel

from compat import graph
from compat.kinesis import clients, fetching, records
from compat.kinesis.planning import Planner
from compat.kinesis.sharing import Worker

if TYPE_CHECKING:
    from pyspark import SparkContext

# Executors do not have `compat`.
for module in (clients, fetching, records):
    cloudpickle.register_pickle_by_value(module)

KEPT = StorageLevel.MEMORY_AND_DISK
"""How executors keep the rows that they have read, until no batch needs them."""


def sharing(node: graph.KinesisStream, nodes: Iterable[graph.Node]) -> list[graph.KinesisStream]:
    """The streams that share the shards with `node`, itself among them, in their order."""
    return [
        other
        for other in nodes
        if isinstance(other, graph.KinesisStream) and other.application == node.application
    ]


def planner(siblings: Sequence[graph.KinesisStream], spark_context: SparkContext) -> Planner:
    """Plans the batches of streams that share their shards."""
    first = siblings[0]
    rate = int(spark_context.getConf().get("spark.streaming.receiver.maxRate", "0"))
    worker = Worker(first.application, first.identity)
    return Planner(worker, len(siblings), first.interval_ms, rate)


def number(node: graph.KinesisStream, siblings: Iterable[graph.KinesisStream]) -> int:
    """That of a stream among those that share its shards."""
    return [each.identity for each in siblings].index(node.identity)
