"""A program that reads Flume, before and after it became native, and the data source on executors."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from migrate.migration import migrate
from migrate.model import Options, Outcome
from tests.compat.flume_agents import AvroSink, SparkSink, free_port
from tests.e2e.processes import SUBMIT, Program
from tests.migrate.programs import module

pytest.importorskip("pyspark.sql.datasource", reason="Python data sources came with Spark 4")

JOB = """\
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext
from pyspark.streaming.flume import FlumeUtils

sc = SparkContext(appName="logs")
ssc = StreamingContext(sc, 1)
events = FlumeUtils.createStream(ssc, "127.0.0.1", int(sys.argv[1]))


def report(rdd):
    for host, line in rdd.map(lambda event: (event[0].get("host"), event[1].upper())).collect():
        print("seen:", host, line, flush=True)


events.foreachRDD(report)
ssc.start()
ssc.awaitTermination()
"""
ON_EXECUTORS = """\
import sys
from pyspark.sql import SparkSession
from compat.sources import FlumeSource


def has_compat(rows):
    try:
        import compat
    except ImportError:
        yield from ("no compat: " + row.body.decode() for row in rows)


def seen(batch, batch_id):
    print("executors:", batch.sparkSession.sparkContext._jsc.sc().getExecutorMemoryStatus().size() - 1)
    for line in batch.repartition(4).rdd.mapPartitions(has_compat).collect():
        print(line, flush=True)


spark = SparkSession.builder.getOrCreate()
spark.dataSource.register(FlumeSource)
events = spark.readStream.format("flume").options(addresses=sys.argv[1]).load()
events.writeStream.trigger(processingTime="1 second").foreachBatch(seen).start().awaitTermination()
"""


@pytest.mark.full
@pytest.mark.timeout(300)
@pytest.mark.parametrize("target", [Outcome.COMPAT, Outcome.NATIVE])
def test_the_program_prints_all_events(
    target: Outcome, tmp_path: Path, start: Callable[..., Program]
) -> None:
    result = migrate([module(JOB)], Options(target=target))
    assert result.graphs[0].outcome is target, result.graphs[0].reasons
    (tmp_path / "job.py").write_text(result.files[0].new)
    port = free_port()
    program = start(tmp_path / "job.py", port)
    with AvroSink(port) as agent:
        agent.append(({"host": "one"}, b"a"))
        agent.append_batch([({}, "é".encode()), ({"host": "two"}, b"b")])
        program.wait(lambda: program.printed.count("seen: ") >= 3, "the events")
    lines = [line for line in program.printed.splitlines() if line.startswith("seen: ")]
    assert lines == ["seen: one A", "seen: None É", "seen: two B"]


@pytest.mark.full
@pytest.mark.timeout(300)
def test_executors_need_no_compat(tmp_path: Path, start: Callable[..., Program]) -> None:
    (tmp_path / "job.py").write_text(ON_EXECUTORS)
    jvm, submit = os.environ["SPARK_SUBMIT_OPTS"], SUBMIT.replace("local[2]", "local-cluster[2,1,1024]")
    with SparkSink() as agent:
        agent.put(*(({"n": str(n)}, b"%d" % n) for n in range(20)))
        job = start(
            tmp_path / "job.py",
            f"127.0.0.1:{agent.port}",
            PYSPARK_SUBMIT_ARGS=f"--conf 'spark.executor.extraJavaOptions={jvm}' {submit}",
            SPARK_LOCAL_IP="127.0.0.1",
        )
        job.wait(lambda: job.printed.count("no compat: ") >= 20, "the events")
    lines = [line for line in job.printed.splitlines() if line.startswith("no compat: ")]
    assert sorted(lines) == sorted(f"no compat: {n}" for n in range(20))
    assert "executors: 2" in job.printed
