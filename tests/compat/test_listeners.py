"""StreamingListener."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pyspark import SparkContext

from compat._structured.life import infos
from compat.streaming import StreamingContext, StreamingListener
from compat.testing import BatchClock
from tests.compat.test_sources import Server, put
from tests.statements import wait_until


@pytest.fixture
def ssc(spark_context: SparkContext, engine: str) -> Iterator[StreamingContext]:
    context = StreamingContext(spark_context, 1, engine=engine)
    yield context
    context.stop(stopSparkContext=False)


class Recorder(StreamingListener):
    """Notes every event and what `read` makes of it."""

    def __init__(self) -> None:
        super().__init__()
        self.events: list[tuple[str, Any]] = []

    def of(self, *names: str) -> list[Any]:
        return [read for name, read in self.events if name in names]


def noting(name: str, read: Callable[[Any], Any]) -> Callable[[Recorder, Any], None]:
    def told(self: Recorder, event: Any) -> None:
        self.events.append((name, read(event)))

    return told


def batch(event: Any) -> dict[str, Any]:
    info = event.batchInfo()
    inputs, outputs = info.streamIdToInputInfo(), info.outputOperationInfos()
    return {
        "time": info.batchTime().milliseconds(),
        "submitted": info.submissionTime(),
        "started": info.processingStartTime(),
        "ended": info.processingEndTime(),
        "delays": (info.schedulingDelay(), info.processingDelay(), info.totalDelay()),
        "records": info.numRecords(),
        "inputs": {number: source(inputs[number]) for number in inputs},
        "outputs": {number: output(outputs[number]) for number in outputs},
    }


def source(info: Any) -> tuple[Any, ...]:
    files = info.metadata().get("files")
    return (
        info.inputStreamId(),
        info.numRecords(),
        None if files is None else len(files) if isinstance(files, list) else files.size(),
        info.metadataDescription(),
    )


def output(info: Any) -> dict[str, Any]:
    assert info.name() and info.description()
    return {
        "time": info.batchTime().milliseconds(),
        "id": info.id(),
        "started": info.startTime(),
        "ended": info.endTime(),
        "failure": info.failureReason(),
    }


def receiver(event: Any) -> tuple[Any, ...]:
    info = event.receiverInfo()
    assert info.location() and info.executorId() == "driver"
    return info.streamId(), info.name(), info.active(), info.lastErrorMessage(), info.lastError()


READS = {
    "onStreamingStarted": lambda event: event.time(),
    "onReceiverStarted": receiver,
    "onReceiverError": receiver,
    "onReceiverStopped": receiver,
    "onBatchSubmitted": batch,
    "onBatchStarted": batch,
    "onBatchCompleted": batch,
    "onOutputOperationStarted": lambda event: output(event.outputOperationInfo()),
    "onOutputOperationCompleted": lambda event: output(event.outputOperationInfo()),
}
for name, read in READS.items():
    setattr(Recorder, name, noting(name, read))


def completed(recorder: Recorder, number: int) -> Callable[[], bool]:
    return lambda: len(recorder.of("onBatchCompleted")) >= number


def test_the_events_of_a_batch_and_their_order(ssc: StreamingContext) -> None:
    recorder = Recorder()
    ssc.addStreamingListener(recorder)
    stream = ssc.queueStream([[1], [2, 3]])
    stream.foreachRDD(lambda rdd: None)
    stream.window(2, 2).pprint()
    clock = BatchClock(ssc)
    ssc.start()
    for number in (1, 2):
        clock.next_batch()
        wait_until(completed(recorder, number), "the end of the batch, which comes after that of its outputs")
    one_output = ["onOutputOperationStarted", "onOutputOperationCompleted"]
    # The clock's own output is the last of every batch.
    assert [name for name, _ in recorder.events] == [
        "onStreamingStarted",
        *("onBatchSubmitted", "onBatchStarted", *one_output * 2, "onBatchCompleted"),
        *("onBatchSubmitted", "onBatchStarted", *one_output * 3, "onBatchCompleted"),
    ]
    assert [info["id"] for info in recorder.of("onOutputOperationStarted")] == [0, 1, 0, 1, 2]
    assert [info["time"] for info in recorder.of("onOutputOperationCompleted")] == [1000] * 2 + [2000] * 3


def test_a_batch_info_grows_from_event_to_event(ssc: StreamingContext) -> None:
    recorder = Recorder()
    ssc.addStreamingListener(recorder)
    ssc.queueStream([[1]]).foreachRDD(lambda rdd: None)
    clock = BatchClock(ssc)
    ssc.start()
    clock.next_batch()
    wait_until(completed(recorder, 1), "a completed batch")
    [begun] = recorder.of("onStreamingStarted")
    [submitted] = recorder.of("onBatchSubmitted")
    [started] = recorder.of("onBatchStarted")
    [ended] = recorder.of("onBatchCompleted")
    assert {info["time"] for info in (submitted, started, ended)} == {1000}
    assert {info["submitted"] for info in (submitted, started, ended)} == {submitted["submitted"]}
    assert begun <= submitted["submitted"] <= started["started"] == ended["started"] <= ended["ended"]
    assert (submitted["started"], submitted["ended"], started["ended"]) == (-1, -1, -1)
    assert submitted["delays"] == (-1, -1, -1)
    assert started["delays"] == (started["started"] - started["submitted"], -1, -1)
    waited, took = ended["started"] - ended["submitted"], ended["ended"] - ended["started"]
    assert ended["delays"] == (waited, took, waited + took)
    assert [output["started"] for output in submitted["outputs"].values()] == [-1, -1]
    assert all(output["ended"] >= output["started"] > 0 for output in ended["outputs"].values())
    assert list(ended["outputs"]) == [0, 1] == [output["id"] for output in ended["outputs"].values()]


def test_a_queue_tells_nothing_of_its_batches(ssc: StreamingContext) -> None:
    recorder = Recorder()
    ssc.addStreamingListener(recorder)
    ssc.queueStream([[1, 2, 3]]).foreachRDD(lambda rdd: None)
    clock = BatchClock(ssc)
    ssc.start()
    clock.next_batch()
    wait_until(completed(recorder, 1), "a completed batch")
    assert [(info["records"], info["inputs"]) for info in recorder.of("onBatchCompleted")] == [(0, {})]


def test_files_tell_their_names(ssc: StreamingContext, directory: Path) -> None:
    recorder = Recorder()
    ssc.addStreamingListener(recorder)
    ssc.queueStream([[1]]).foreachRDD(lambda rdd: None)
    ssc.textFileStream(str(directory)).foreachRDD(lambda rdd: None)
    clock = BatchClock(ssc)
    ssc.start()
    put(directory, "a", "one line\n", 1)
    clock.next_batch()
    clock.next_batch()
    wait_until(completed(recorder, 2), "two completed batches")
    first, second = recorder.of("onBatchCompleted")
    assert first["inputs"] == {1: (1, 0, 1, f"file:{directory}/a")}
    assert second["inputs"] == {1: (1, 0, 0, "")}


def test_a_failed_output_tells_why_and_the_batch_completes(ssc: StreamingContext) -> None:
    recorder = Recorder()
    ssc.addStreamingListener(recorder)
    stream = ssc.queueStream([[1]])
    stream.foreachRDD(lambda rdd: 1 // 0)
    stream.foreachRDD(lambda rdd: None)
    clock = BatchClock(ssc)
    ssc.start()
    clock.next_batch()
    wait_until(completed(recorder, 1), "a completed batch")
    [info] = recorder.of("onBatchCompleted")
    failures = [output["failure"] for output in info["outputs"].values()]
    assert "ZeroDivisionError" in failures[0]
    assert failures[1:] == [None, None]


def test_a_batch_that_could_not_be_made_is_not_told(ssc: StreamingContext) -> None:
    recorder = Recorder()
    ssc.addStreamingListener(recorder)
    stream = ssc.queueStream([[1], [2]])
    stream.transform(lambda time, rdd: rdd.map(1 // (time.second - 1))).foreachRDD(lambda rdd: None)
    clock = BatchClock(ssc)
    ssc.start()
    clock.skip_batch()
    with pytest.raises(Exception, match="ZeroDivisionError"):
        ssc.awaitTerminationOrTimeout(60)
    clock.next_batch()
    wait_until(completed(recorder, 1), "a completed batch")
    assert [info["time"] for info in recorder.of("onBatchSubmitted")] == [2000]


class Broken(StreamingListener):
    def onBatchStarted(self, batchStarted: Any) -> None:  # noqa: N802, N803
        raise ValueError("this listener is broken")


def test_a_listener_that_raises_harms_nobody(ssc: StreamingContext) -> None:
    recorder, seen = Recorder(), []
    ssc.addStreamingListener(Broken())
    ssc.addStreamingListener(recorder)
    ssc.queueStream([[1]]).foreachRDD(lambda rdd: seen.append(rdd.collect()))
    clock = BatchClock(ssc)
    ssc.start()
    clock.next_batch()
    wait_until(completed(recorder, 1), "a completed batch")
    assert seen == [[1]]
    assert ssc.awaitTerminationOrTimeout(0.001) is False


def test_a_listener_may_come_late(ssc: StreamingContext) -> None:
    early, late = Recorder(), Recorder()
    ssc.addStreamingListener(early)
    ssc.queueStream([[1]]).foreachRDD(lambda rdd: None)
    clock = BatchClock(ssc)
    ssc.start()
    clock.next_batch()
    wait_until(completed(early, 1), "the end of the first batch, of which the other listener must not hear")
    ssc.addStreamingListener(late)
    clock.next_batch()
    wait_until(completed(late, 1), "a completed batch")
    assert [info["time"] for info in late.of("onBatchCompleted")] == [2000]
    assert [info["time"] for info in early.of("onBatchCompleted")] == [1000, 2000]


@pytest.fixture
def server() -> Iterator[Server]:
    running = Server()
    yield running
    running.close()


def test_receivers(ssc: StreamingContext, server: Server) -> None:
    recorder = Recorder()
    ssc.addStreamingListener(recorder)
    ssc.queueStream([[1]]).foreachRDD(lambda rdd: None)
    ssc.socketTextStream("127.0.0.1", server.port).foreachRDD(lambda rdd: None)
    clock = BatchClock(ssc)
    ssc.start()
    wait_until(lambda: len(server.connections) == 1, "a connection")
    server.connections[0].sendall(b"one\ntwo\n")

    def arrived() -> bool:
        clock.next_batch()
        return sum(info["records"] for info in recorder.of("onBatchCompleted")) == 2

    wait_until(arrived, "two records")
    told = [info["inputs"] for info in recorder.of("onBatchCompleted")]
    assert all(set(inputs) == {1} for inputs in told)
    assert {inputs[1][0] for inputs in told} == {1}
    assert {inputs[1][2:] for inputs in told} == {(None, None)}
    server.connections[0].close()
    wait_until(lambda: len(recorder.of("onReceiverStarted")) == 2, "a second start")
    started, stopped = recorder.of("onReceiverStarted")[0], recorder.of("onReceiverStopped")[0]
    assert started == (1, "SocketReceiver-1", True, "", "")
    assert stopped[:3] == (1, "SocketReceiver-1", False)
    assert "Socket data stream had no more data" in stopped[3]


def test_a_receiver_without_a_server(ssc: StreamingContext) -> None:
    recorder = Recorder()
    ssc.addStreamingListener(recorder)
    with socket.create_server(("127.0.0.1", 0)) as nobody:
        port = nobody.getsockname()[1]
    ssc.socketTextStream("127.0.0.1", port).foreachRDD(lambda rdd: None)
    ssc.start()
    wait_until(lambda: bool(recorder.of("onReceiverStopped")), "a stop")
    *_, message, error = recorder.of("onReceiverStopped")[0]
    assert f"Error connecting to 127.0.0.1:{port}" in message
    assert "refused" in error


def test_structured_tells_that_receivers_stop_with_the_context(
    spark_context: SparkContext, server: Server
) -> None:
    """On the other engine the listeners may be gone before they are told."""
    recorder = Recorder()
    ssc = StreamingContext(spark_context, 1, engine="structured")
    ssc.addStreamingListener(recorder)
    ssc.socketTextStream("127.0.0.1", server.port).foreachRDD(lambda rdd: None)
    ssc.start()
    wait_until(lambda: len(server.connections) == 1, "a connection")
    ssc.stop(False)
    assert recorder.of("onReceiverStopped") == [(0, "SocketReceiver-0", False, "Stopped by driver", "")]


def test_a_listener_of_structured_may_stop_the_context(spark_context: SparkContext) -> None:
    """On the other engine this is up to Spark, where it may never return."""
    ssc = StreamingContext(spark_context, 1, engine="structured")
    returned = threading.Event()

    class Stopping(StreamingListener):
        def onBatchCompleted(self, batchCompleted: Any) -> None:  # noqa: N802, N803
            ssc.stop(stopSparkContext=False)
            returned.set()

    ssc.addStreamingListener(Stopping())
    ssc.queueStream([[1]]).foreachRDD(lambda rdd: None)
    clock = BatchClock(ssc)
    ssc.start()
    clock.next_batch()
    assert returned.wait(60)
    assert ssc.awaitTerminationOrTimeout(60) is True


INFOS = [
    infos.JavaStreamInputInfo,
    infos.JavaOutputOperationInfo,
    infos.JavaBatchInfo,
    infos.JavaReceiverInfo,
    *infos.Event.__subclasses__(),
]


@pytest.mark.parametrize("kind", INFOS, ids=lambda kind: kind.__name__)
def test_infos_have_the_fields_of_spark(spark_context: SparkContext, kind: type[infos.Info]) -> None:
    jvm: Any = spark_context._jvm
    load = jvm.java.lang.Class.forName
    java = load(f"org.apache.spark.streaming.api.java.{kind.__name__}")
    assert [field.getName() for field in java.getDeclaredFields()] == list(kind.fields)


def test_every_event_is_a_method_of_a_listener() -> None:
    told = {kind.told for kind in infos.Event.__subclasses__()}
    methods = {name for name in dir(StreamingListener) if name.startswith("on")}
    assert told == methods - {"onReceiverError"}, "a receiver that restarts tells that it stopped"


def test_infos_are_values() -> None:
    assert infos.Time(5) == infos.Time(5) != infos.Time(6)
    assert {infos.Time(5): "five"}[infos.Time(5)] == "five"
    assert str(infos.Time(5)) == infos.Time(5).toString() == "5 ms"
    assert str(infos.JavaStreamInputInfo(0, 1, {}, None)) == "JavaStreamInputInfo(0, 1, {}, None)"
    with pytest.raises(AttributeError, match="no attribute 'seconds'"):
        infos.Time(5).seconds()
    entries = infos.JavaMap({1: "a"})
    assert (entries.size(), entries.isEmpty(), entries.containsKey(1), entries.keySet()) == (
        1,
        False,
        True,
        {1},
    )
