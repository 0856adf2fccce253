"""Receivers on the driver, by one that gives what the test puts in."""

from __future__ import annotations

import queue
import threading
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pyspark import SparkContext

from compat import graph
from compat.streaming import DStream, StreamingContext
from compat.testing import BatchClock
from tests.receiving import MAILBOXES, Mailbox, receiving_context
from tests.statements import wait_until


@pytest.fixture
def ssc(spark_context: SparkContext, engine: str) -> Iterator[StreamingContext]:
    yield from receiving_context(spark_context, engine)


@pytest.fixture
def box(tmp_path: Path) -> queue.Queue[Any]:
    return MAILBOXES.setdefault(tmp_path.name, queue.Queue())


@pytest.fixture
def stream(ssc: StreamingContext, box: queue.Queue[Any], tmp_path: Path) -> DStream[Any]:
    return ssc._add_stream(graph.ReceiverStream(1000, Mailbox(tmp_path.name), identity=str(uuid.uuid4())))


def batches_of(stream: DStream[Any]) -> list[list[list[Any]]]:
    found: list[list[list[Any]]] = []
    stream.foreachRDD(lambda rdd: found.append(rdd.glom().collect()))
    return found


def flat(batches: list[list[list[Any]]]) -> list[Any]:
    return [element for batch in batches for partition in batch for element in partition]


def test_elements_of_any_kind_come_in_order(
    ssc: StreamingContext, stream: DStream[Any], box: queue.Queue[Any]
) -> None:
    """Without elements there is no block, and thus no partition."""
    batches = batches_of(stream)
    clock = BatchClock(ssc)
    ssc.start()
    clock.next_batch()
    assert batches == [[]]
    sent = ["é", b"\xff", ({"a": "b"}, b""), ["nested"], 7]
    for element in sent:
        box.put(element)

    def arrived() -> bool:
        clock.next_batch()
        return len(flat(batches)) >= len(sent)

    wait_until(arrived, "all elements")
    assert flat(batches) == sent
    assert all(partition for batch in batches for partition in batch), "a block is not empty"


def test_a_connection_that_ends_or_fails_is_made_again(
    ssc: StreamingContext, stream: DStream[Any], box: queue.Queue[Any]
) -> None:
    batches = batches_of(stream)
    clock = BatchClock(ssc)
    ssc.start()
    for element in [1, None, 2, ConnectionError("gone"), 3]:
        box.put(element)

    def arrived() -> bool:
        clock.next_batch()
        return len(flat(batches)) == 3

    wait_until(arrived, "all elements")
    assert flat(batches) == [1, 2, 3]


def test_windows_and_second_readers_see_the_same_blocks(
    ssc: StreamingContext, stream: DStream[Any], box: queue.Queue[Any]
) -> None:
    once, twice = batches_of(stream), batches_of(stream.map(lambda n: n))
    window = batches_of(stream.window(3, 3))
    clock = BatchClock(ssc)
    ssc.start()
    for number in range(3):
        box.put(number)
        wait_until(box.empty, "the element to be taken")

        def arrived(wanted: int = number + 1) -> bool:
            clock.next_batch()
            return len(flat(once)) == wanted

        wait_until(arrived, "the element's batch")
    while len(once) % 3:
        clock.next_batch()
    assert flat(once) == flat(twice) == flat(window) == [0, 1, 2]
    assert [partition for batch in once for partition in batch] == [p for batch in window for p in batch]


def test_a_graceful_stop_puts_out_what_was_received(
    ssc: StreamingContext, stream: DStream[Any], box: queue.Queue[Any]
) -> None:
    batches = batches_of(stream)
    clock = BatchClock(ssc)
    ssc.start()
    clock.next_batch()
    box.put("last")
    wait_until(box.empty, "the element to be taken")
    stopping = threading.Thread(target=lambda: ssc.stop(stopSparkContext=False, stopGraceFully=True))
    stopping.start()

    def stopped() -> bool:
        clock.skip_batch()  # a graceful stop waits for the end of the running interval, by this clock
        stopping.join(0.2)
        return not stopping.is_alive()

    wait_until(stopped, "the end of the graceful stop")
    assert flat(batches) == ["last"]


def test_a_recovered_run_receives_again(
    spark_context: SparkContext, engine: str, box: queue.Queue[Any], tmp_path: Path
) -> None:
    out = tmp_path / "out"
    out.mkdir()

    def build() -> StreamingContext:
        context = next(receiving_context(spark_context, engine))
        node = graph.ReceiverStream(1000, Mailbox(tmp_path.name), identity=str(uuid.uuid4()))
        context._add_stream(node).foreachRDD(appending(str(out / "elements")))
        context.checkpoint(str(tmp_path / "checkpoint"))
        return context

    for element in ("before", "after"):
        context = StreamingContext.getOrCreate(str(tmp_path / "checkpoint"), build, engine=engine)
        context.start()
        box.put(element)

        def arrived(wanted: str = element, running: StreamingContext = context) -> bool:
            running._engine.advance_clock(1000)
            threading.Event().wait(0.1)
            return (out / "elements").exists() and wanted in (out / "elements").read_text().split()

        wait_until(arrived, f"the element {element}")
        context.stop(stopSparkContext=False)
        while not box.empty():
            box.get()
    assert (out / "elements").read_text().split() == ["before", "after"]


def appending(path: str) -> Any:
    """A callback that is pickled into the checkpoint."""

    def append(rdd: Any) -> None:
        with open(path, "a") as file:  # noqa: PTH123
            file.writelines(f"{element}\n" for element in rdd.collect())

    return append
