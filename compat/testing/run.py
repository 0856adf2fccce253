"""Run pieces of streaming programs over given batches."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any

from compat.streaming import DStream, StreamingContext
from compat.testing.clock import BatchClock, batch_number

if TYPE_CHECKING:
    from pyspark import RDD, SparkContext

Batches = Sequence[Sequence[Sequence[Any]]]
"""Batches of partitions of elements. `[]` is a batch without partitions, `[[]]` has an empty one."""

Output = dict[int, list[list[Any]]]
"""The partitions of a stream by the number of the batch; the first is 1. A number is missing where no output
was called: between the slides of a window, where `transform` gave None, where the batch failed."""


@dataclass(frozen=True)
class Case:
    """A piece of a program and its input.

    Args:
        build: is called with the context and one stream per input, and returns the stream to look at.
        inputs: the batches of each input.
        last: the last batch to look at; without it all batches of the run.
    """

    build: Callable[..., DStream[Any]]
    inputs: Sequence[Batches]
    last: int | None = None


def run(
    cases: Iterable[Case],
    spark_context: SparkContext,
    *,
    engine: str | None = None,
    interval: float = 1.0,
    drain: int = 0,
) -> list[Output]:
    """Run `cases` side by side in one StreamingContext and return the output of each.

    Many small cases are run together because each context, and each batch, costs time however little it
    does. Cases with state or a window that has an inverse need `spark_context.setCheckpointDir`.

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
    streams = []
    for case in cases:
        sources = [ssc.queueStream([rdd_of(spark_context, b) for b in batches]) for batches in case.inputs]
        streams.append(case.build(ssc, *sources))
    outputs: list[Output] = [{} for _ in cases]
    for case, stream, output in zip(cases, streams, outputs, strict=True):
        _collect(stream, output, partial(batch_number, ssc), case.last)
    clock = BatchClock(ssc)
    length = max((len(batches) for case in cases for batches in case.inputs), default=0)
    ssc.start()
    try:
        for _ in range(length + drain):
            clock.next_batch()
        ssc.awaitTerminationOrTimeout(0.001)
    finally:
        ssc.stop(stopSparkContext=False)
    return outputs


def rdd_of(spark_context: SparkContext, partitions: Sequence[Sequence[Any]]) -> RDD[Any]:
    """An RDD of exactly these partitions."""
    if not partitions:
        # Bare, it has no serializer of its own, which spoils an initialRDD of the stream that starts with it.
        return spark_context.emptyRDD().map(lambda x: x)
    return spark_context.parallelize(list(partitions), len(partitions)).flatMap(lambda partition: partition)


def _collect(
    stream: DStream[Any], output: Output, number_of: Callable[[datetime], int], last: int | None
) -> None:
    def collect(time: datetime, rdd: RDD[Any]) -> None:
        number = number_of(time)
        if last is None or number <= last:
            output[number] = rdd.glom().collect()

    stream.foreachRDD(collect)
