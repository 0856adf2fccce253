"""A program that reads MQTT, before and after it became native, on a real broker."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from migrate.migration import migrate
from migrate.model import Options, Outcome
from tests.compat.mqtt_broker import Broker
from tests.e2e.processes import Program
from tests.migrate.programs import module

pytest.importorskip("pyspark.sql.datasource", reason="Python data sources came with Spark 4")

JOB = """\
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext
from pyspark.streaming.mqtt import MQTTUtils

sc = SparkContext(appName="rooms")
ssc = StreamingContext(sc, 1)
pairs = MQTTUtils.createPairedStream(ssc, sys.argv[1], ["rooms/#", "ready"])


def report(rdd):
    for topic, value in rdd.map(lambda pair: (pair[0].split("/")[-1], pair[1].upper())).collect():
        print("seen:", topic, value, flush=True)


pairs.foreachRDD(report)
ssc.start()
ssc.awaitTermination()
"""


@pytest.mark.full
@pytest.mark.timeout(300)
@pytest.mark.parametrize("target", [Outcome.COMPAT, Outcome.NATIVE])
def test_the_program_prints_all_messages(
    target: Outcome, tmp_path: Path, start: Callable[..., Program]
) -> None:
    broker = Broker(tmp_path)
    broker.start()
    try:
        broker.retain("ready", "yes")
        result = migrate([module(JOB)], Options(target=target))
        assert result.graphs[0].outcome is target, result.graphs[0].reasons
        (tmp_path / "job.py").write_text(result.files[0].new)
        program = start(tmp_path / "job.py", broker.url)
        program.wait(lambda: "seen: ready YES" in program.printed, "a subscription")
        broker.publish("rooms/hall", ["warm", "é"])
        broker.publish("rooms/attic/roof", ["cold"])
        program.wait(lambda: program.printed.count("seen: ") >= 4, "the messages")
        lines = [line for line in program.printed.splitlines() if line.startswith("seen: ")]
        assert lines[0] == "seen: ready YES"
        assert sorted(lines[1:]) == ["seen: hall WARM", "seen: hall É", "seen: roof COLD"]
    finally:
        broker.kill()
