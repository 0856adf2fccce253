"""A receiver at work: its elements in blocks, and the blocks that each batch gets."""

from __future__ import annotations

import logging
import threading
import traceback
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

from compat.receivers.receiver import Stopping

if TYPE_CHECKING:
    from pyspark import SparkContext

    from compat.receivers.receiver import Receiver

_log = logging.getLogger(__name__)

Block = list[Any]


class Told(Protocol):
    """Hears of the connection."""

    def started(self) -> None:
        """The receiver connects."""

    def stopped(self, message: str, error: str) -> None:
        """The connection ended; `error` is a traceback, or empty."""


class Unheard:
    """For an engine whose listeners do not hear of these receivers."""

    def started(self) -> None:
        """See `Told`."""

    def stopped(self, message: str, error: str) -> None:
        """See `Told`."""


class Reception:
    """Blocks of elements, cut every ``spark.streaming.blockInterval`` of real time; a block is a partition.

    A block belongs to the first batch time that is not before the engine's time at its cut. What was received
    and not put out is lost in a crash: there is nobody to ask for it again.

    Args:
        receiver: receives.
        spark_context: has the settings.
        now: the engine's time, in milliseconds.
        told: hears of the connection.
    """

    def __init__(
        self,
        receiver: Receiver,
        spark_context: SparkContext,
        now: Callable[[], int],
        told: Told,
    ) -> None:
        self._receiver = receiver
        self._now = now
        self._told = told
        self._block_seconds = _setting(spark_context, "spark.streaming.blockInterval", "200ms")
        self._restart_seconds = _setting(spark_context, "spark.streaming.receiverRestartDelay", "2000ms")
        self._current: Block = []
        self._blocks: list[tuple[int, Block]] = []
        self._given: dict[int, list[Block]] = {}
        self._changing = threading.Lock()
        self._stopping = Stopping()
        self._threads: list[threading.Thread] = []

    def start(self) -> None:
        """Connect, and go on connecting."""
        for work in (self._receive, self._cut_blocks):
            name = f"{work.__name__}-{self._receiver.place}"
            self._threads.append(threading.Thread(target=work, name=name, daemon=True))
            self._threads[-1].start()

    def stop(self) -> None:
        """Disconnect; what was received until now is one more block."""
        self._stopping.set()
        for thread in self._threads:
            if thread is not threading.current_thread():
                thread.join(timeout=5)
        self._cut()

    def allot(self, time: int) -> list[Block]:
        """The blocks of the batch at `time`: those that were cut until then, and that no other batch has."""
        with self._changing:
            if time not in self._given:
                self._given[time] = [block for cut, block in self._blocks if cut <= time]
                self._blocks = [(cut, block) for cut, block in self._blocks if cut > time]
            return self._given[time]

    def given(self, time: int) -> list[Block]:
        """The blocks that were allotted to the batch at `time`; none for a batch of an earlier run."""
        return self._given.get(time, [])

    def forget(self, time: int) -> None:
        """No batch up to `time` will be asked for again."""
        with self._changing:
            for old in [when for when in self._given if when <= time]:
                del self._given[old]

    def pending(self) -> bool:
        """Whether there is a block, or the beginning of one, that no batch has got."""
        with self._changing:
            return bool(self._blocks or self._current)

    def _receive(self) -> None:
        while not self._stopping:
            self._told.started()
            error = ""
            try:
                message = self._receiver.receive(self._store, self._stopping)
            except Exception as failure:
                message, error = str(failure), traceback.format_exc()
            if self._stopping:
                message, error = "Stopped by driver", ""
            else:
                _log.warning("%s, connecting again. %s", message, error.rstrip().rpartition("\n")[2])
            self._told.stopped(message, error)
            self._stopping.wait(self._restart_seconds)

    def _store(self, element: Any) -> None:
        if not self._stopping:
            with self._changing:
                self._current.append(element)

    def _cut_blocks(self) -> None:
        while not self._stopping.wait(self._block_seconds):
            self._cut()

    def _cut(self) -> None:
        with self._changing:
            if self._current:
                self._blocks.append((self._now(), self._current))
                self._current = []


def _setting(spark_context: SparkContext, name: str, default: str) -> float:
    """A duration of the SparkConf, in seconds."""
    jvm: Any = spark_context._jvm
    asked = spark_context.getConf().get(name, default)
    milliseconds: int = jvm.org.apache.spark.network.util.JavaUtils.timeStringAsMs(asked)
    return milliseconds / 1000
