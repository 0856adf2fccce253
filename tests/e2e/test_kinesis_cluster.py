"""Kinesis read by executors that are processes of their own, whose Python has no `compat`."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.compat.kinesis.server import FIRST, HIGH, Amazon, KinesisServer
from tests.e2e.processes import HAS_COMPAT, SUBMIT, Program

JOB = (
    HAS_COMPAT
    + """\
import json, sys
from pyspark import SparkContext
from compat.streaming import StreamingContext
from compat.streaming.kinesis import InitialPositionInStream, KinesisUtils

url, name, checkpoint = sys.argv[1:]

def create():
    ssc = StreamingContext(sc, 1)
    ssc.checkpoint(checkpoint)
    streams = [
        KinesisUtils.createStream(
            ssc, name, name, url, "eu-central-1", InitialPositionInStream.TRIM_HORIZON, 1,
            awsAccessKeyId="AKIATEST", awsSecretKey="secret", decoder=lambda data: list(data),
        )
        for _ in range(2)
    ]
    ssc.union(*streams).map(lambda data: (tuple(data), 1)).foreachRDD(show)
    return ssc

def show(rdd):
    elements = [list(data) for data, _ in rdd.collect()]
    print("seen:", json.dumps([[rdd.getNumPartitions()], *elements]), flush=True)

sc = SparkContext(appName="cluster")
print("compat on a worker:", any(sc.parallelize(range(8), 8).map(has_compat).collect()))
print("executors:", sc._jsc.sc().getExecutorMemoryStatus().size() - 1)
ssc = StreamingContext.getOrCreate(checkpoint, create)
ssc.start()
ssc.awaitTermination()
"""
)


@pytest.fixture
def server() -> Iterator[KinesisServer]:
    started = KinesisServer()
    yield started
    started.close()


def seen(job: Program) -> list[list[list[int]]]:
    """What batches had that were not empty: the number of partitions first."""
    batches = [json.loads(line[5:]) for line in job.printed.splitlines() if line.startswith("seen:")]
    return [batch for batch in batches if len(batch) > 1]


@pytest.mark.full
@pytest.mark.timeout(600)
def test_workers_need_no_compat(
    tmp_path: Path, start: Callable[..., Program], engine: str, server: KinesisServer
) -> None:
    """Nor does a run that goes on after the driver was killed; its leases are there at once."""
    amazon = Amazon(server, "cluster")
    amazon.create(shards=2)
    amazon.put(b"low", b"\xff")
    amazon.put(b"high", key=HIGH)
    path = tmp_path / "job.py"
    path.write_text(JOB)

    def run() -> Program:
        return start(
            path,
            server.url,
            "cluster",
            tmp_path / "checkpoint",
            COMPAT_ENGINE=engine,
            PYSPARK_SUBMIT_ARGS=SUBMIT.replace("local[2]", "local-cluster[2,1,1024]"),
            PYSPARK_PYTHON=os.environ["PYSPARK_PYTHON"],  # the one of conftest.py, which hides compat
            SPARK_LOCAL_IP="127.0.0.1",
            AWS_ENDPOINT_URL_DYNAMODB=server.url,
            AWS_EC2_METADATA_DISABLED="true",
        )

    job = run()
    expected = [list(data) for data in (b"low", b"\xff", b"high")]
    job.wait(lambda: sum(len(batch) - 1 for batch in seen(job)) >= len(expected), "the records")
    assert "compat on a worker: False" in job.printed
    assert "executors: 2" in job.printed
    assert sorted(data for batch in seen(job) for data in batch[1:]) == sorted(expected)
    places = {"structured": "structured/graph", "rdd": "rdd/checkpoint-*"}  # DStreams write it late
    job.wait(lambda: any((tmp_path / "checkpoint").glob(places[engine])), "a checkpoint")
    job.kill()
    owner = amazon.rows()[FIRST]["leaseOwner"]
    amazon.put(b"later")
    job = run()
    job.wait(lambda: bool(seen(job)) and seen(job)[-1][1:] == [list(b"later")], "the record")
    assert amazon.rows()[FIRST]["leaseOwner"] == owner
    amazon.close()
