"""Programs that receive: contexts that do not wait long, and what a stream has put out."""

from __future__ import annotations

import queue
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from pyspark import SparkContext

from compat.receivers.receiver import Receiver, Stopping, Store
from compat.streaming import DStream, StreamingContext
from compat.testing import BatchClock
from tests.statements import wait_until

MAILBOXES: dict[str, queue.Queue[Any]] = {}
"""What receivers are about to get, by their names: an exception ends the connection, None too."""


@dataclass(frozen=True)
class Mailbox(Receiver):
    name: ClassVar[str] = "Mailbox"
    label: str

    @property
    def place(self) -> str:
        return self.label

    def receive(self, store: Store, stopping: Stopping) -> str:
        box = MAILBOXES[self.place]
        with stopping.interrupting(lambda: box.put(None)):
            while (element := box.get()) is not None:
                if isinstance(element, Exception):
                    raise element
                store(element)
        return "nothing more"


def receiving_context(spark_context: SparkContext, engine: str) -> Iterator[StreamingContext]:
    """A context, for a fixture: connections are made again, and blocks are cut, soon."""
    spark_context._conf.set("spark.streaming.receiverRestartDelay", "50ms")
    spark_context._conf.set("spark.streaming.blockInterval", "50ms")
    context = StreamingContext(spark_context, 1, engine=engine)
    yield context
    context.stop(stopSparkContext=False)


class Program:
    """A program that runs, and what it has put out."""

    def __init__(self, ssc: StreamingContext, stream: DStream[Any]) -> None:
        self.found: list[Any] = []
        stream.foreachRDD(lambda rdd: self.found.extend(rdd.collect()))
        self._clock = BatchClock(ssc)
        ssc.start()
        self._clock.next_batch()  # the first takes its time, and what is waited for later should not

    def until(self, condition: Callable[[], bool], what: str) -> None:
        """Run batches until something is so."""

        def holds() -> bool:
            self._clock.next_batch()
            return condition()

        wait_until(holds, what)

    def wait_for(self, count: int) -> list[Any]:
        """What was put out when there are so many elements."""
        self.until(lambda: len(self.found) >= count, f"{count} elements")
        return self.found
