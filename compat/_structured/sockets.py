"""Lines from a TCP server, received on the driver by the rules of Spark's ``SocketReceiver``."""

from __future__ import annotations

import contextlib
import logging
import socket
import threading
import traceback
from typing import TYPE_CHECKING, Any

from compat import graph
from compat._structured import infos
from compat._structured.frame import Frame
from compat._structured.sources import Given, Planned

if TYPE_CHECKING:
    from compat._structured.clock import Clock
    from compat._structured.listeners import Listeners
    from compat._structured.session import Session

_log = logging.getLogger(__name__)


class SocketLines(Planned[int]):
    """Blocks of lines, cut every ``spark.streaming.blockInterval`` of real time; a block is a partition.

    A block belongs to the first batch time that is not before the engine's time at its cut. What was received
    and not put out is lost in a crash: there is nobody to ask for it again. Slices are numbers of blocks.

    Args:
        number: the id of the source, for listeners.
        node: host and port.
        session: makes DataFrames of the lines.
        clock: tells which batch a block belongs to.
        listeners: are told when the connection comes and goes.
    """

    def __init__(
        self, number: int, node: graph.SocketTextStream, session: Session, clock: Clock, listeners: Listeners
    ) -> None:
        super().__init__()
        self._number = number
        self._node = node
        self._listeners = listeners
        self._session = session
        self._clock = clock
        self._block_seconds = _setting(session, "spark.streaming.blockInterval", "200ms")
        self._restart_seconds = _setting(session, "spark.streaming.receiverRestartDelay", "2000ms")
        self._current: list[str] = []
        self._blocks: list[tuple[int, list[str]]] = []
        self._given: dict[int, list[list[str]]] = {}
        self._changing = threading.Lock()
        self._stopped = threading.Event()
        self._connection: socket.socket | None = None
        self._threads: list[threading.Thread] = []

    def allot(self, time: int) -> None:
        """What was received belongs to a batch, whether it is read or not."""
        self.plan(time)

    def next_slice(self, time: int) -> int:
        """The blocks that were cut up to `time`."""
        with self._changing:
            self._given[time] = [block for cut, block in self._blocks if cut <= time]
            self._blocks = [(cut, block) for cut, block in self._blocks if cut > time]
        return len(self._given[time])

    def release(self, time: int) -> None:
        """The blocks stay where they belong, for windows and states that ask again."""

    def forget(self, time: int) -> None:
        """See `Feed`."""
        super().forget(time)
        for old in [when for when in self._given if when <= time]:
            del self._given[old]

    def frame(self, time: int) -> Frame:
        """A partition for each block; nothing for a batch of an earlier run."""
        blocks = self._given.get(time)
        if not blocks:
            return Frame(())
        rdd = self._session.spark_context.parallelize(blocks, len(blocks))
        return self._session.from_rdd(rdd).then("flatten")

    def given(self, time: int) -> Given:
        """The number of lines."""
        return Given(sum(map(len, self._given.get(time, ()))), {})

    def pending(self) -> bool:
        """Whether there is a block, or the beginning of one, that no batch has got."""
        with self._changing:
            return bool(self._blocks or self._current)

    def start(self) -> None:
        """Connect, and go on connecting."""
        for work in (self._receive, self._cut_blocks):
            name = f"{work.__name__}-{self._node.hostname}:{self._node.port}"
            self._threads.append(threading.Thread(target=work, name=name, daemon=True))
            self._threads[-1].start()

    def stop(self) -> None:
        """Disconnect; what was received until now is one more block."""
        self._stopped.set()
        with self._changing:
            connection = self._connection
        if connection is not None:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join(timeout=5)
        self._cut()

    def _receive(self) -> None:
        while not self._stopped.is_set():
            self._tell(infos.JavaStreamingListenerReceiverStarted)
            message, error = self._connect()
            if self._stopped.is_set():
                message, error = "Stopped by driver", ""
            else:
                _log.warning("%s, connecting again. %s", message, error.rstrip().rpartition("\n")[2])
            self._tell(infos.JavaStreamingListenerReceiverStopped, message, error)
            self._stopped.wait(self._restart_seconds)

    def _connect(self) -> tuple[str, str]:
        """Receive until the connection ends; why it did, and the traceback of an error."""
        where = f"{self._node.hostname}:{self._node.port}"
        message = f"Error connecting to {where}"
        try:
            with socket.create_connection((self._node.hostname, self._node.port)) as connection:
                message = f"Error receiving data from {where}"
                with self._changing:
                    self._connection = connection
                self._take_lines(connection)
        except OSError:
            return message, traceback.format_exc()
        return f"Socket data stream had no more data from {where}", ""

    def _tell(self, event: type[infos.Event], message: str = "", error: str = "") -> None:
        active = event is infos.JavaStreamingListenerReceiverStarted
        name = f"SocketReceiver-{self._number}"
        where = (socket.gethostname(), "driver")
        when = self._clock.now() if error else -1
        info = infos.JavaReceiverInfo(self._number, name, active, *where, message, error, when)
        self._listeners.post(event(info))

    def _take_lines(self, connection: socket.socket) -> None:
        with connection.makefile("r", encoding="utf-8", errors="replace", newline=None) as lines:
            for line in lines:
                if self._stopped.is_set():
                    return
                with self._changing:
                    self._current.append(line.removesuffix("\n"))

    def _cut_blocks(self) -> None:
        while not self._stopped.wait(self._block_seconds):
            self._cut()

    def _cut(self) -> None:
        with self._changing:
            if self._current:
                self._blocks.append((self._clock.now(), self._current))
                self._current = []


def _setting(session: Session, name: str, default: str) -> float:
    """A duration of the SparkConf, in seconds."""
    jvm: Any = session.spark_context._jvm
    asked = session.spark_context.getConf().get(name, default)
    milliseconds: int = jvm.org.apache.spark.network.util.JavaUtils.timeStringAsMs(asked)
    return milliseconds / 1000
