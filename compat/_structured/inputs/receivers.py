"""What receivers give to each batch."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING, NoReturn

from compat import graph
from compat._structured.batches.frame import Frame
from compat._structured.inputs.sources import Given, Planned
from compat._structured.life import infos
from compat.receivers.reception import Reception

if TYPE_CHECKING:
    from compat._structured.durable.needed import Needed
    from compat._structured.life.clock import Clock
    from compat._structured.life.listeners import Listeners
    from compat._structured.life.session import Session
    from compat.receivers.journal import Journal


class Received(Planned[list[list[str]]]):
    """The blocks of a `Reception`. Slices tell where these are in its journal, if it has one.

    Args:
        number: the id of the source, for listeners.
        node: has the receiver.
        session: makes DataFrames of the elements.
        clock: tells which batch a block belongs to.
        listeners: are told when the connection comes and goes.
        journal: where blocks are written down; None: nowhere, for a run that cannot be recovered.
    """

    def __init__(
        self,
        number: int,
        node: graph.Received,
        session: Session,
        clock: Clock,
        listeners: Listeners,
        journal: Journal | None,
    ) -> None:
        super().__init__()
        self._session = session
        told = _Told(number, node.receiver.name, clock, listeners)
        self._reception = Reception(node.receiver, session.spark_context, clock.now, told, journal)
        self._last = -1
        """The last batch that blocks were allotted to."""
        self._lasts = journal is not None
        self._counts: dict[int, int] = {}

    def allot(self, time: int) -> list[list[str]] | None:
        """What was received belongs to a batch, whether it is read or not."""
        if time <= self._last:
            return None
        self._last = time
        return self._reception.allot(time)

    def plan(self, time: int) -> None:
        """Blocks belong to the batch that they were allotted to."""

    def restore(self, time: int, given: list[list[str]]) -> None:
        """See `Feed`."""
        self._last = max(self._last, time)
        self._reception.restore(time, given)

    def release(self, time: int) -> bool:
        """The blocks stay where they belong, for windows and states that ask again."""
        return False

    def forget(self, needed: Needed) -> None:
        """See `Feed`."""
        self._counts = {time: count for time, count in self._counts.items() if time in needed}
        self._reception.forget(needed)
        if self._lasts:
            self._reception.unload(needed.after)

    def frame(self, time: int) -> Frame:
        """A partition for each block.

        Blocks of an earlier run that cannot be read again fail the outputs that read them, as in Spark: so
        the batch is run again by the next start.
        """
        try:
            blocks = self._reception.given(time)
        except Exception as error:
            return self._failing(str(error))
        self._counts[time] = sum(map(len, blocks))
        if not blocks:
            return Frame(())
        rdd = self._session.spark_context.parallelize(blocks, len(blocks))
        return self._session.from_rdd(rdd).then("flatten")

    def _failing(self, text: str) -> Frame:
        def fail(_: int) -> NoReturn:
            raise RuntimeError(text)

        return self._session.from_rdd(self._session.spark_context.parallelize([0], 1).map(fail))

    def given(self, time: int) -> Given:
        """The number of elements."""
        return Given(self._counts.get(time, 0), {})

    def pending(self) -> bool:
        """See `Feed`."""
        return self._reception.pending()

    def start(self) -> None:
        """See `Feed`."""
        self._reception.start()

    def stop(self) -> None:
        """See `Feed`."""
        self._reception.stop()


class _Told:
    """Passes on to listeners what Spark's receivers tell them."""

    def __init__(self, number: int, kind: str, clock: Clock, listeners: Listeners) -> None:
        self._number = number
        self._name = f"{kind}-{number}"
        self._clock = clock
        self._listeners = listeners

    def started(self) -> None:
        self._post(infos.JavaStreamingListenerReceiverStarted, "", "")

    def stopped(self, message: str, error: str) -> None:
        self._post(infos.JavaStreamingListenerReceiverStopped, message, error)

    def _post(self, event: type[infos.Event], message: str, error: str) -> None:
        active = event is infos.JavaStreamingListenerReceiverStarted
        where = (socket.gethostname(), "driver")
        when = self._clock.now() if error else -1
        info = infos.JavaReceiverInfo(self._number, self._name, active, *where, message, error, when)
        self._listeners.post(event(info))
