"""A receiver at work: its elements in blocks, and the blocks that each batch gets."""

from __future__ import annotations

import logging
import threading
import traceback
from collections.abc import Callable, Container
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from compat.receivers.rate import Rate
from compat.receivers.receiver import Stopping, Store

if TYPE_CHECKING:
    from pyspark import SparkContext

    from compat.receivers.journal import Journal
    from compat.receivers.receiver import Receiver

_log = logging.getLogger(__name__)


@dataclass
class Block:
    """A partition of a batch."""

    elements: list[Any] | None
    """None: they are in the journal alone."""
    parts: list[str]
    """Where they are in the journal."""


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

    A block belongs to the first batch time that is not before the engine's time at its cut. With a journal it
    is written down first, so that a later run has it; without one it is lost in a crash.

    Args:
        receiver: receives.
        spark_context: has the settings.
        now: the engine's time, in milliseconds.
        told: hears of the connection.
        journal: where blocks are written down; None: nowhere.
    """

    def __init__(
        self,
        receiver: Receiver,
        spark_context: SparkContext,
        now: Callable[[], int],
        told: Told,
        journal: Journal | None = None,
    ) -> None:
        self._receiver = receiver
        self._now = now
        self._told = told
        self._block_seconds = _setting(spark_context, "spark.streaming.blockInterval", "200ms")
        self._restart_seconds = _setting(spark_context, "spark.streaming.receiverRestartDelay", "2000ms")
        self._rate = _rate(spark_context)
        self._journal = journal
        self._current: list[Any] = []
        self._parts: list[str] = []
        self._written = 0
        """How many elements of the current block are in the journal, as `_parts`."""
        self._writing = threading.Lock()
        self._blocks: list[tuple[int, Block]] = []
        self._given: dict[int, list[Block]] = {}
        self._changing = threading.Lock()
        self._stopping = Stopping()
        self._threads: list[threading.Thread] = []

    def restore(self, time: int, parts: list[list[str]]) -> None:
        """The blocks that an earlier run allotted to the batch at `time`."""
        self._given[time] = [Block(None, names) for names in parts]

    def start(self) -> None:
        """Connect, and go on connecting. What an earlier run received and gave to no batch comes first."""
        if self._journal is not None:
            known = {name for blocks in self._given.values() for block in blocks for name in block.parts}
            left = [(time, name) for time, name in self._journal.restore() if name not in known]
            self._blocks = [(time, Block(None, [name])) for time, name in left]
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
        self._try_to_cut()

    def allot(self, time: int) -> list[list[str]]:
        """Give the batch at `time` the blocks that were cut until then, and that no other batch has.

        Returns for each where it is in the journal.
        """
        with self._changing:
            if time not in self._given:
                self._given[time] = [block for cut, block in self._blocks if cut <= time]
                self._blocks = [(cut, block) for cut, block in self._blocks if cut > time]
            return [block.parts for block in self._given[time]]

    def given(self, time: int) -> list[list[Any]]:
        """The elements of the blocks of the batch at `time`; none where nothing is known of it.

        Raises RuntimeError for a block of an earlier run that cannot be read again.
        """
        blocks = self._given.get(time, [])
        for block in blocks:
            if block.elements is None:
                block.elements = self._recall(block)
        return [block.elements or [] for block in blocks]

    def forget(self, needed: Container[int]) -> None:
        """Only these batches will be asked for again."""
        with self._changing:
            times = [when for when in self._given if when not in needed]
            blocks = [block for when in times for block in self._given.pop(when)]
        for name in [name for block in blocks for name in block.parts]:
            if self._journal is not None:
                self._journal.delete(name)

    def unload(self, time: int) -> None:
        """Batches up to `time` will be asked for by a later run alone, which reads the journal."""
        with self._changing:
            for when in self._given:
                if when <= time:
                    self._given[when] = [Block(None, block.parts) for block in self._given[when]]

    def pending(self) -> bool:
        """Whether there is a block, or the beginning of one, that no batch has got."""
        with self._changing:
            return bool(self._blocks or self._current)

    def _receive(self) -> None:
        store = Store(self._store, self._settle)
        while not self._stopping:
            self._told.started()
            error = ""
            try:
                message = self._receiver.receive(store, self._stopping)
            except Exception as failure:
                message, error = str(failure), traceback.format_exc()
            if self._stopping:
                message, error = "Stopped by driver", ""
            else:
                _log.warning("%s, connecting again. %s", message, error.rstrip().rpartition("\n")[2])
            self._told.stopped(message, error)
            self._stopping.wait(self._restart_seconds)

    def _store(self, element: Any) -> None:
        if self._rate is not None:
            self._rate.wait(self._stopping)
        if not self._stopping:
            with self._changing:
                self._current.append(element)

    def _cut_blocks(self) -> None:
        while not self._stopping.wait(self._block_seconds):
            self._try_to_cut()

    def _try_to_cut(self) -> None:
        try:
            self._cut()
        except Exception as error:  # a full disk, or a file system that is away
            _log.warning("What came from %s is in no batch yet: %s", self._receiver.place, error)

    def _cut(self) -> None:
        with self._writing:
            self._write()
            with self._changing:
                end = len(self._current) if self._journal is None else self._written
                if end:
                    self._blocks.append((self._now(), Block(self._current[:end], self._parts)))
                    self._current, self._parts, self._written = self._current[end:], [], 0

    def _settle(self) -> None:
        with self._writing:  # several senders wait for one write
            self._write()

    def _write(self) -> None:
        if self._journal is None:
            return
        with self._changing:
            new = self._current[self._written :]
        if new:
            name = self._journal.write(new, self._now())
            with self._changing:
                self._parts.append(name)
                self._written += len(new)

    def _recall(self, block: Block) -> list[Any]:
        """The elements of a block that is in the journal alone."""
        assert self._journal is not None
        return [element for name in block.parts for element in self._journal.read(name)]


def _rate(spark_context: SparkContext) -> Rate | None:
    asked = int(spark_context.getConf().get("spark.streaming.receiver.maxRate", "0"))
    return Rate(asked) if asked > 0 else None


def _setting(spark_context: SparkContext, name: str, default: str) -> float:
    """A duration of the SparkConf, in seconds."""
    jvm: Any = spark_context._jvm
    asked = spark_context.getConf().get(name, default)
    milliseconds: int = jvm.org.apache.spark.network.util.JavaUtils.timeStringAsMs(asked)
    return milliseconds / 1000
