"""Records of Kinesis as DStreams: for each batch executors read its shards, and keep the rows."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pyspark import SparkContext

from compat import graph
from compat._rdd import heartbeat
from compat._rdd.registry import Program, builds
from compat._rdd.slices import Slices
from compat.kinesis import fetching, reading
from compat.kinesis.fetching import Task
from compat.kinesis.planning import Outcome, Planner, Read, Slice, slice_of

if TYPE_CHECKING:
    from pyspark import RDD
    from pyspark.streaming import DStream


@builds(graph.KinesisStream)
def create_stream(node: graph.KinesisStream, program: Program) -> DStream[Any]:
    # The list grows with each stream of the application: it is pickled when all are there.
    siblings = program.groups.setdefault(node.application, [])
    siblings.append(node)
    return heartbeat.stream(program, node.identity, functools.partial(Records, node, siblings))


def start(program: graph.Graph, run: heartbeat.Run) -> None:
    """Take shards before there are batches, which a stream from ``LATEST`` on waits for."""
    for node in program.nodes:
        if isinstance(node, graph.KinesisStream):
            run.work(node.identity, functools.partial(Records, node, reading.sharing(node, program.nodes)))


class Records:
    """The ranges of sequence numbers that each batch gets, and the rows that executors keep of them.

    Args:
        node: the stream.
        siblings: the streams that share its shards.
        run: tells which batches are done.
    """

    def __init__(
        self, node: graph.KinesisStream, siblings: Sequence[graph.KinesisStream], run: heartbeat.Run
    ) -> None:
        context: Any = SparkContext._active_spark_context
        self._context: SparkContext = context
        self._run = run
        self._application = node.application
        self._slices = Slices(run, "kinesis", node.identity, slice_of)
        self._number = reading.number(node, siblings)
        self._planner = run.shared(node.application, lambda: _planner(siblings, run))
        self._rows: dict[int, RDD[Any]] = {}
        self._planner.worker.start()

    def rdd(self, time: int) -> RDD[Any]:
        """The batch at `time`: a partition for each shard that was read, if there were records."""
        given = self._slices.at(time, lambda: self._next(time), lambda given: self._take_back(time, given))
        self._settle(time)
        if not given.records:
            return self._context.emptyRDD()
        rows = self._rows.get(time) or reading.names(self._context, given)
        settings = self._application.access.settings()
        return rows.mapPartitions(fetching.within(settings, self._application.stream, given.by_shard()))

    def _next(self, time: int) -> Slice:
        """What has come since the last batch."""
        found = self._planner.next(self._number, self._read)
        if found.given.records:
            self._rows[time] = found.rows
        elif found.rows is not None:
            found.rows.unpersist()
        return found.given

    def _take_back(self, time: int, given: Slice) -> None:
        self._planner.take_back(self._number, Read(given, self._rows.pop(time, None)))

    def _read(self, tasks: list[list[Task]]) -> tuple[list[RDD[Any]], list[Outcome]]:
        return reading.read(self._context, self._application, tasks)

    def _settle(self, time: int) -> None:
        with self._slices.deciding:
            self._done(time)
            self._slices.forget(time)
            if self._run.reads_ms is not None:
                oldest = self._run.first_pending(time) - self._run.reads_ms
                for old in [when for when in self._rows if when < oldest]:
                    self._rows.pop(old).unpersist()

    def _done(self, time: int) -> None:
        done = self._slices.done(time)
        if done is not None:
            self._planner.worker.done(done.positions)

    def stop(self) -> None:
        """See `Work`: nothing is received."""

    def end(self, *, finished: bool) -> None:
        """See `Work`."""
        with self._slices.deciding:
            if self._slices.by_time:
                last = max(self._slices.by_time)
                self._done(last + 1 if finished else last)
        self._planner.worker.close()
        if self._context._jsc is not None:
            for rows in self._rows.values():
                rows.unpersist()
        self._rows.clear()


def _planner(siblings: Sequence[graph.KinesisStream], run: heartbeat.Run) -> Planner:
    """The planner of streams that share their shards, which knows what batches of all of them have got."""
    context = SparkContext._active_spark_context
    assert context is not None
    planner = reading.planner(siblings, context)
    for sibling in siblings:
        for given in Slices(run, "kinesis", sibling.identity, slice_of).by_time.values():
            planner.restore(given)
    return planner
