"""The word count of Kafka on executors that are processes of their own, whose Python has no `compat`."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from migrate.kafka import Jars
from tests.e2e.kafka.broker import Broker
from tests.e2e.processes import HAS_COMPAT, SUBMIT, Program

JOB = (
    HAS_COMPAT
    + """\
import json, sys
from pyspark import SparkContext
from compat.streaming import StreamingContext
from compat.streaming.kafka import KafkaUtils, OffsetRange

broker, topic, checkpoint = sys.argv[1:]
sc = SparkContext(appName="cluster")
print("compat on a worker:", any(sc.parallelize(range(8), 8).map(has_compat).collect()))
print("executors:", sc._jsc.sc().getExecutorMemoryStatus().size() - 1)

ssc = StreamingContext(sc, 1)
ssc.checkpoint(checkpoint)
params = {"metadata.broker.list": broker, "auto.offset.reset": "smallest"}
lines = KafkaUtils.createDirectStream(ssc, [topic], params).map(lambda pair: pair[1])
messages = KafkaUtils.createDirectStream(ssc, [topic], params, messageHandler=lambda message: message)
seen = {"counts": [], "messages": [], "places": []}
words = lines.flatMap(lambda line: line.split()).map(lambda word: (word, 1))
words.reduceByKey(lambda a, b: a + b).foreachRDD(lambda rdd: seen["counts"].append(rdd.collect()))
moved = messages.repartition(2).map(lambda message: (message.partition, message.offset, message.message))
moved.foreachRDD(lambda rdd: seen["messages"].append(sorted(rdd.collect())))

def place(rdd):
    ranges = rdd.offsetRanges()
    ends = rdd.mapPartitionsWithIndex(lambda index, _: [(ranges[index].partition, ranges[index].untilOffset)])
    seen["places"].append(ends.collect())

messages.foreachRDD(place)
ssc.start()
while min(map(len, seen.values())) < 2:
    if ssc.awaitTerminationOrTimeout(0.05):
        break
print("seen:", json.dumps({name: batches[0] for name, batches in seen.items()}))
ssc.stop()
"""
)


@pytest.mark.full
@pytest.mark.timeout(900)
def test_workers_need_no_compat(
    tmp_path: Path, start: Callable[..., Program], engine: str, broker: Broker, jars: Jars
) -> None:
    topic = broker.topic(2)
    broker.send(topic, "a b a", "c")
    broker.send(topic, "b", partition=1)
    path = tmp_path / "job.py"
    path.write_text(JOB)
    master = SUBMIT.replace("local[2]", "local-cluster[2,1,1024]")
    job = start(
        path,
        broker.address,
        topic,
        tmp_path / "checkpoint",
        COMPAT_ENGINE=engine,
        PYSPARK_SUBMIT_ARGS=master.replace("pyspark-shell", f"--jars {jars.submit} pyspark-shell"),
        PYSPARK_PYTHON=os.environ["PYSPARK_PYTHON"],  # the one of conftest.py, which hides compat
        SPARK_LOCAL_IP="127.0.0.1",
    )
    job.wait(lambda: "seen:" in job.printed, "two batches", seconds=600)
    assert "compat on a worker: False" in job.printed
    assert "executors: 2" in job.printed
    seen = json.loads(job.printed.split("seen:")[1].splitlines()[0])
    assert dict(seen["counts"]) == {"a": 2, "b": 2, "c": 1}
    assert seen["messages"] == [[0, 0, "a b a"], [0, 1, "c"], [1, 0, "b"]]
    assert seen["places"] == [[0, 2], [1, 1]]
