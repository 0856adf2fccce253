"""Run pieces of streaming programs over given batches."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from compat.streaming import DStream, StreamingContext
from compat.testing.clock import BatchClock

if TYPE_CHECKING:
    from pyspark import RDD, SparkContext

Batches = Sequence[Sequence[Sequence[Any]]]
"""Batches of partitions of elements. A batch without partitions is `[]`, one with an empty partition `[[]]`."""

Output = dict[int, list[list[Any]]]
"""The partitions of a stream by the number of the batch, the first being 1. A number is missing where no output
was called: between the slides of a window, where `transform` gave None, and where the batch failed."""


@dataclass(frozen=True)
class Case:
    """A piece of a program and its input.

    Args:
        build: is called with the context and one stream per input, and returns the stream to look at.
        inputs: the batches of each input.
    """

    build: Callable[..., DStream[Any]]
    inputs: Sequence[Batches]


def run(
    cases: Iterable[Case],
    spark_context: SparkContext,
    *,
    engine: str | None = None,
    interval: float = 1.0,
    drain: int = 0,
) -> list[Output]:
    """Run `cases` side by side in one StreamingContext and return the output of each.

    Many small cases are run together because each context, and each batch, costs time however little it does.
    Cases with state or with a window that has an inverse need `spark_context.setCheckpointDir`.

    Args:
        cases: the pieces.
        spark_context: with the manual clock; stays alive.
        engine: ``rdd`` or ``structured``; by default as `compat.chosen_engine` says.
        interval: the batch interval in seconds.
        drain: how many batches without input follow the longest input. Each is of one empty partition.

    Raises:
        StreamingError: a batch failed.
        TimeoutError: a batch did not end.
    """
    cases = list(cases)
    ssc = StreamingContext(spark_context, interval, engine=engine)
    outputs: list[Output] = [{} for _ in cases]
    for case, output in zip(cases, outputs, strict=True):
        sources = [ssc.queueStream([rdd_of(spark_context, b) for b in batches]) for batches in case.inputs]
        _collect(case.build(ssc, *sources), output)
    clock = BatchClock(ssc)
    length = max((len(batches) for case in cases for batches in case.inputs), default=0)
    ssc.start()
    try:
        for _ in range(length + drain):
            clock.next_batch()
        ssc.awaitTerminationOrTimeout(0.001)
    finally:
        ssc.stop(stopSparkContext=False)
    return [{clock.number(time): rdd for time, rdd in output.items()} for output in outputs]


def rdd_of(spark_context: SparkContext, partitions: Sequence[Sequence[Any]]) -> RDD[Any]:
    """An RDD of exactly these partitions."""
    if not partitions:
        return spark_context.emptyRDD()
    return spark_context.parallelize(list(partitions), len(partitions)).flatMap(lambda partition: partition)


def _collect(stream: DStream[Any], output: dict[Any, list[list[Any]]]) -> None:
    def collect(time: datetime, rdd: RDD[Any]) -> None:
        output[time] = rdd.glom().collect()

    stream.foreachRDD(collect)
