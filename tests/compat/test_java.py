"""What programs reach for that PySpark keeps behind underscores."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pyspark import SparkContext

from compat.streaming import DStream, StreamingContext
from compat.testing import BatchClock


@pytest.fixture
def ssc(spark_context: SparkContext, engine: str) -> Iterator[StreamingContext]:
    context = StreamingContext(spark_context, 1, engine=engine)
    yield context
    context.stop(stopSparkContext=False)


def test_a_java_context_has_a_state(ssc: StreamingContext) -> None:
    ssc.queueStream([[1]]).foreachRDD(lambda rdd: None)
    java = ssc._jssc
    assert java.getState().toString() == "INITIALIZED"
    java.start()
    assert str(java.getState()) == java.ssc().getState().toString() == "ACTIVE"
    assert java.awaitTerminationOrTimeout(1) is False
    java.stop(False)
    assert java.getState().toString() == "STOPPED"
    assert java.awaitTerminationOrTimeout(60000) is True
    java.awaitTermination()
    with pytest.raises(Exception, match="already been stopped"):
        java.start()


def test_a_context_that_java_stopped_is_not_active(ssc: StreamingContext) -> None:
    ssc.queueStream([[1]]).foreachRDD(lambda rdd: None)
    ssc.start()
    assert StreamingContext.getActive() is ssc
    ssc._jssc.ssc().stop(False, False)
    assert StreamingContext.getActive() is None
    with pytest.raises(RuntimeError, match="already been stopped"):
        ssc.start()
    assert not ssc.sparkContext._jsc.sc().isStopped()


def test_a_java_context_knows_spark_and_its_interval(ssc: StreamingContext) -> None:
    java = ssc._jssc
    sc = ssc.sparkContext
    assert java.sparkContext().appName() == sc.appName
    assert java.ssc().sparkContext().appName() == java.ssc().sc().appName() == sc.appName
    assert java.ssc().conf().get("spark.app.name") == sc.appName
    assert java.ssc().graph().batchDuration().milliseconds() == 1000
    assert java.ssc().graph().batchDuration().toString() == "1000 ms"


def test_a_java_context_remembers(ssc: StreamingContext) -> None:
    ssc._jssc.remember(ssc._jduration(10))
    stream = ssc.queueStream([[1], [2]])
    stream.foreachRDD(lambda rdd: None)
    clock = BatchClock(ssc)
    ssc.start()
    clock.next_batch()
    clock.next_batch()
    assert [rdd.collect() for rdd in stream.slice(1, 2)] == [[1], [2]]


def test_a_java_context_checkpoints(ssc: StreamingContext, tmp_path: Path) -> None:
    ssc._jssc.checkpoint(str(tmp_path))
    ssc.textFileStream(str(tmp_path)).foreachRDD(lambda rdd: None)
    ssc.start()
    ssc.stop(False)
    assert list(tmp_path.iterdir())


def test_rdd_has_the_real_ones(spark_context: SparkContext) -> None:
    ssc = StreamingContext(spark_context, 1, engine="rdd")
    stream = ssc.queueStream([[1]]).map(str)
    assert ssc._jssc.getClass().getSimpleName() == "JavaStreamingContext"
    assert stream._jdstream.dstream().slideDuration().milliseconds() == 1000
    assert type(stream._jrdd_deserializer) is type(spark_context.serializer)


def test_rdd_wraps_a_java_stream(spark_context: SparkContext) -> None:
    ssc = StreamingContext(spark_context, 1, engine="rdd")
    jvm: Any = spark_context._jvm
    queue = jvm.java.util.concurrent.LinkedBlockingQueue()
    queue.add(spark_context.parallelize([1, 2], 1)._jrdd)
    stream: DStream[int] = DStream(ssc._jssc.queueStream(queue, True), ssc, spark_context.serializer)
    seen: list[list[int]] = []
    stream.map(lambda x: x + 1).foreachRDD(lambda rdd: seen.append(rdd.collect()))
    clock = BatchClock(ssc)
    ssc.start()
    clock.next_batch()
    ssc.stop(False)
    assert seen == [[2, 3]]


def test_structured_wraps_none(spark_context: SparkContext) -> None:
    java = StreamingContext(spark_context, 1, engine="rdd").queueStream([[1]])._jdstream
    ssc = StreamingContext(spark_context, 1, engine="structured")
    with pytest.raises(NotImplementedError, match="COMPAT_ENGINE=rdd"):
        DStream(java, ssc, spark_context.serializer)
    assert ssc._graph.nodes == []


def test_structured_says_what_is_not_there(spark_context: SparkContext) -> None:
    ssc = StreamingContext(spark_context, 1, engine="structured")
    with pytest.raises(
        AttributeError, match=r"JavaStreamingContext\.queueStream.*getState.*COMPAT_ENGINE=rdd"
    ):
        ssc._jssc.queueStream([], True)
    with pytest.raises(AttributeError, match=r"ScalaContext\.scheduler"):
        ssc._jssc.ssc().scheduler()
    for name in ("_jdstream", "_jrdd_deserializer"):
        with pytest.raises(AttributeError, match="no JVM DStream behind it"):
            getattr(ssc.queueStream([[1]]), name)


def test_an_unknown_attribute_is_named() -> None:
    stream = object.__new__(DStream)
    with pytest.raises(AttributeError, match="no attribute 'saveToCassandra'"):
        stream.saveToCassandra  # noqa: B018
