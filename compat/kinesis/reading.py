"""What is shipped to executors to read shards, for both engines; streams that share shards."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from pyspark import cloudpickle
from pyspark.storagelevel import StorageLevel

from compat import graph
from compat.kinesis import clients, fetching, records
from compat.kinesis.planning import Outcome, Planner
from compat.kinesis.sharing import Worker

if TYPE_CHECKING:
    from pyspark import RDD, SparkContext

    from compat.kinesis.application import Application
    from compat.kinesis.fetching import Task
    from compat.kinesis.planning import Slice

# Executors do not have `compat`.
for module in (clients, fetching, records):
    cloudpickle.register_pickle_by_value(module)

_KEPT = StorageLevel.MEMORY_AND_DISK
"""How executors keep the rows that they have read, until no batch needs them."""


def read(
    spark_context: SparkContext,
    application: Application,
    tasks: list[list[Task]],
    begin: Callable[[], None] = fetching.nothing,
) -> tuple[list[RDD[Any]], list[Outcome]]:
    """Have executors read shards, and keep the rows. See `planning.Reading`.

    Args:
        spark_context: of the executors.
        application: whose shards they are.
        tasks: for each stream.
        begin: is called at the begin of each task.

    Raises what Spark raises for a task that fails.
    """
    function = fetching.reading(application.access.settings(), application.stream, begin)
    rows: list[RDD[Any]] = [
        spark_context.parallelize(each, len(each)).mapPartitions(function).persist(_KEPT)
        if each
        else spark_context.emptyRDD()
        for each in tasks
    ]
    try:
        found = spark_context.union([each.mapPartitions(fetching.outcome) for each in rows]).collect()
    except BaseException:
        for each in rows:
            each.unpersist()
        raise
    return rows, [Outcome(*one) for one in found]


def names(spark_context: SparkContext, given: Slice) -> RDD[Any]:
    """The shards of a batch, a partition for each, in place of rows that an earlier run has read."""
    return spark_context.parallelize([each.shard for each in given.ranges], len(given.ranges))


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
    """The number of a stream among those that share its shards."""
    return [each.identity for each in siblings].index(node.identity)
