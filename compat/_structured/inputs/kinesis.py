"""Records of Kinesis, read by executors for each batch, which has the same ones whenever it is run again."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from compat import graph
from compat._structured.batches.frame import Frame
from compat._structured.inputs.sources import Given, Planned
from compat._structured.worker import upkeep
from compat.kinesis import fetching, reading
from compat.kinesis.fetching import Task
from compat.kinesis.planning import Outcome, Slice, slice_of

if TYPE_CHECKING:
    from pyspark import RDD

    from compat._structured.durable.needed import Needed
    from compat._structured.life.session import Session
    from compat.kinesis.application import Application
    from compat.kinesis.planning import Planner


class Records(Planned[Slice]):
    """The ranges of sequence numbers that each batch gets, and the rows that executors keep of them.

    Args:
        node: the stream.
        number: that of the stream among those of the program that share its shards.
        session: makes DataFrames of records.
        planner: plans the batches of all of these streams.
    """

    def __init__(self, node: graph.KinesisStream, number: int, session: Session, planner: Planner) -> None:
        super().__init__()
        self._application: Application = node.application
        self._number = number
        self._session = session
        self._planner = planner
        self._rows: dict[int, RDD[Any]] = {}
        self._errors: dict[int, Exception] = {}
        self._last = -1
        """The last batch that has got its records."""

    def allot(self, time: int) -> Slice | None:
        """What has come since the last batch belongs to this one, whether it is read or not.

        What cannot be read fails the batch, and comes in the next.
        """
        if time <= self._last:
            return None
        self._last = time
        try:
            found = self._planner.next(self._number, self._read)
        except Exception as error:
            self._errors[time] = error
            return None
        self.slices[time] = found.given
        if found.given.records:
            self._rows[time] = found.rows
        elif found.rows is not None:
            found.rows.unpersist()
        return found.given

    def plan(self, time: int) -> None:
        """Records belong to the batch that they were allotted to."""

    def restore(self, time: int, given: Any) -> None:
        """See `Feed`."""
        self._last = max(self._last, time)
        self.slices[time] = slice_of(given)
        self._planner.restore(self.slices[time])

    def release(self, time: int) -> bool:
        """The records stay where they belong, for windows and states that ask again."""
        self._errors.pop(time, None)
        return False

    def forget(self, needed: Needed) -> None:
        """See `Feed`; the last slice stays, for it says how far the shards were read."""
        last = max(self.slices, default=None)
        kept = {} if last is None else {last: self.slices[last]}
        super().forget(needed)
        self.slices.update(kept)
        for old in [when for when in self._rows if when <= needed.after]:
            self._rows.pop(old).unpersist()

    def expendable(self, time: int) -> int:
        """See `Feed`."""
        return min(time, max(self.slices, default=0) - 1)

    def frame(self, time: int) -> Frame:
        """A partition for each shard that was read, if there were records.

        It raises RuntimeError in the outputs that read it where Kinesis is asked again, as for rows that were
        lost, and does not have the records any more.
        """
        if time in self._errors:
            raise self._errors.pop(time)
        given = self.slices.get(time)
        if given is None or not given.records:
            return Frame(())
        rows = self._rows.get(time) or reading.names(self._session.spark_context, given)
        application = self._application
        function = fetching.within(application.access.settings(), application.stream, given.by_shard())
        [part] = self._session.from_rdd(rows).then("map_partitions", function).parts
        return Frame((replace(part, sizes=[max(1, each.records) for each in given.ranges]),))

    def given(self, time: int) -> Given | None:
        """The number of records, and their sequence numbers."""
        given = self.slices.get(time)
        if given is None:
            return None
        read = [(each.shard, each.first, each.last) for each in given.ranges if each.first and each.last]
        lines = [f"{shard}: sequence numbers {first[0]} to {last[0]}" for shard, first, last in read]
        return Given(given.records, {"Description": "\n".join(lines)})

    def done(self, time: int) -> None:
        """See `Feed`."""
        done = [when for when in self.slices if when <= time]
        if done:
            self._planner.worker.done(self.slices[max(done)].positions)

    def start(self) -> None:
        """See `Feed`."""
        self._planner.worker.start()

    def close(self) -> None:
        """See `Feed`."""
        self._planner.worker.close()
        if self._session.spark_context._jsc is not None:
            for rows in self._rows.values():
                rows.unpersist()
        self._rows.clear()

    def _read(self, tasks: list[list[Task]]) -> tuple[list[RDD[Any]], list[Outcome]]:
        context = self._session.spark_context
        return reading.read(context, self._application, tasks, upkeep.begin_task)
