"""Where batches come from.

What a source gives to a batch is first *planned*, as a slice that can be written to the log, and then read.
So a batch that is run again, by a recovered run too, has the same input."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Protocol, TypeVar

from compat import graph
from compat._structured.batches.evaluate import Evaluation
from compat._structured.batches.frame import Frame
from compat._structured.batches.registry import evaluates

if TYPE_CHECKING:
    from compat._structured.durable.needed import Needed
    from compat._structured.life.session import Session

Slices = dict[int, dict[int, Any]]
"""What sources give to batches: number of the source's node -> batch time -> slice, as JSON has it."""
S = TypeVar("S")


class Given(NamedTuple):
    """What a source tells listeners of a batch."""

    records: int
    metadata: dict[str, Any]


class Feed(Protocol):
    """A source at work."""

    def plan(self, time: int) -> Any:
        """Decide what the batch at `time` gets; returns the slice, or None if it was decided before."""

    def frame(self, time: int) -> Frame:
        """The batch that was planned for `time`.

        Raises LookupError if none was, because it is too long ago.
        """

    def given(self, time: int) -> Given | None:
        """What listeners are told of the batch that was planned for `time`; None: nothing."""

    def allot(self, time: int) -> Any:
        """Called for every batch time, before any plan: what was received until now belongs to it.

        Returns the slice; None if that was allotted before, or if nothing is received.
        """

    def restore(self, time: int, given: Any) -> None:
        """Take a slice from the log."""

    def release(self, time: int) -> bool:
        """Take back the slice of `time`: its batch failed before it was read.

        Returns whether the next batch gets it.
        """

    def forget(self, needed: Needed) -> None:
        """Only these batches will be asked for again; those that are held, by the next run."""

    def expendable(self, time: int) -> int:
        """The last batch time whose slice need not be logged to know what was given already.

        Asked when the batch at `time` is done.
        """

    def done(self, time: int) -> None:
        """The batch at `time` is done, and all before it."""

    def pending(self) -> bool:
        """Whether something was received that no batch has got yet."""

    def start(self) -> None:
        """Begin to receive."""

    def stop(self) -> None:
        """Receive no more; batches that are due may still be planned."""

    def close(self) -> None:
        """Release what is held: no batch will be planned."""


class Planned(Generic[S]):
    """A feed with its slices by batch time; what all feeds do alike."""

    def __init__(self) -> None:
        self.slices: dict[int, S] = {}
        self._forgotten = -1

    def plan(self, time: int) -> S | None:
        """See `Feed`."""
        if time in self.slices or time <= self._forgotten:
            return None
        self.slices[time] = self.next_slice(time)
        return self.slices[time]

    def next_slice(self, time: int) -> S:
        """Decide on a slice for the batch at `time`."""
        raise NotImplementedError

    def restore(self, time: int, given: Any) -> None:
        """See `Feed`."""
        self.slices[time] = given

    def release(self, time: int) -> bool:
        """See `Feed`."""
        self.slices.pop(time, None)
        return True

    def given(self, time: int) -> Given | None:
        """See `Feed`: like Spark's, not every source tells of its batches."""
        return None

    def allot(self, time: int) -> Any:
        """See `Feed`: sources that are asked for their data receive nothing."""
        return None

    def forget(self, needed: Needed) -> None:
        """See `Feed`: what the next run asks for is in the log."""
        self._forgotten = max(needed.after, self._forgotten)
        for old in [when for when in self.slices if when <= needed.after]:
            del self.slices[old]

    def expendable(self, time: int) -> int:
        """See `Feed`."""
        return time

    def done(self, time: int) -> None:
        """See `Feed`."""

    def pending(self) -> bool:
        """See `Feed`: sources that are asked for their data receive nothing."""
        return False

    def start(self) -> None:
        """See `Feed`."""

    def stop(self) -> None:
        """See `Feed`."""

    def close(self) -> None:
        """See `Feed`."""


class QueueFeed(Planned[list[int]]):
    """Slices are numbers of RDDs in the queue; -1 is the default."""

    def __init__(self, node: graph.QueueStream, session: Session) -> None:
        super().__init__()
        self._node = node
        self._session = session
        self._waiting = list(range(len(node.rdds)))

    def next_slice(self, time: int) -> list[int]:
        """The next of the queue, or all that are left."""
        if not self._waiting:
            return [-1]
        given = self._waiting[:1] if self._node.one_at_a_time else self._waiting
        self._waiting = self._waiting[len(given) :]
        return given

    def release(self, time: int) -> bool:
        """Back to the head of the queue."""
        given = self.slices.pop(time, [])
        self._waiting = [number for number in given if number >= 0] + self._waiting
        return True

    def frame(self, time: int) -> Frame:
        """The RDDs, one after the other."""
        frames = [self._frame(number) for number in self.slices[time]]
        return Frame(tuple(part for frame in frames for part in frame.parts))

    def _frame(self, number: int) -> Frame:
        if number >= 0:
            return self._session.from_rdd(self._node.rdds[number])
        if self._node.default is not None:
            return self._session.from_rdd(self._node.default)
        return self._session.empty(1)


@evaluates(graph.FromDF)
@evaluates(graph.QueueStream)
@evaluates(graph.TextFileStream)
@evaluates(graph.BinaryRecordsStream)
@evaluates(graph.ReceiverStream)
@evaluates(graph.SocketTextStream)
@evaluates(graph.KafkaDirectStream)
@evaluates(graph.KafkaReceiverStream)
@evaluates(graph.KinesisStream)
def source(node: graph.Source, run: Evaluation, time: int) -> Frame | None:
    """The batch that the feed has planned."""
    return run.feeds[node].frame(time)
