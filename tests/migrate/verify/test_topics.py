"""What holds a native query until a batch is whole; what a program on Kafka gets for PySpark."""

from __future__ import annotations

import builtins
import os
import threading

import pytest
from pyspark import SparkConf

from migrate.verify.child.runner import use_connector
from migrate.verify.child.streams_of_kafka import stand_in_for_pyspark
from migrate.verify.child.topics import Gate, parsed_offsets
from migrate.verify.spec import Kafka


def passes(gate: Gate, done: int) -> threading.Thread:
    """A query that has done so many batches, at the gate."""
    thread = threading.Thread(target=gate.wait, args=(done,), daemon=True)
    thread.start()
    return thread


def test_a_query_waits_for_the_batch_after_its_own() -> None:
    gate = Gate()
    gate.fed()
    first = passes(gate, 0)
    first.join(30)
    assert not first.is_alive()
    second, third = passes(gate, 1), passes(gate, 2)
    gate.fed()
    second.join(30)
    assert (second.is_alive(), third.is_alive()) == (False, True)
    gate.open()
    third.join(30)
    assert not third.is_alive()


def test_offsets() -> None:
    assert parsed_offsets('{"t": {"0": 5, "1": -2}}') == {"t": {0: 5, 1: -2}}


@pytest.mark.parametrize(
    ("source", "replaced"),
    [
        (b"from pyspark.streaming.kafka import KafkaUtils", True),
        (b"from pyspark.streaming import kafka", True),
        (b"import pyspark.streaming.kafka as k", True),
        (b"from compat.streaming.kafka import KafkaUtils", False),
        (b"from pyspark.streaming import StreamingContext  # no Kafka", False),
    ],
)
def test_programs_that_need_the_old_module(
    monkeypatch: pytest.MonkeyPatch, source: bytes, replaced: bool
) -> None:
    monkeypatch.setattr(builtins, "__import__", builtins.__import__)
    monkeypatch.setenv("COMPAT_ENGINE", "structured")
    before = builtins.__import__
    stand_in_for_pyspark(source)
    assert (builtins.__import__ is not before) is replaced
    assert os.environ["COMPAT_ENGINE"] == ("rdd" if b"kafka" in source else "structured")


def test_the_connector_that_fits_takes_the_place_of_the_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    old = "org.apache.spark:spark-streaming-kafka-0-8_2.11:2.4.8"
    monkeypatch.setenv("PYSPARK_SUBMIT_ARGS", f"--packages {old} --name x pyspark-shell")
    conf = (
        SparkConf(loadDefaults=False).set("spark.jars.packages", f"a:b:1,{old}").set("spark.jars", "own.jar")
    )
    use_connector(conf, Kafka("b:1", ["one.jar", "two.jar"], "suffix", 2))
    assert os.environ["PYSPARK_SUBMIT_ARGS"].split() == ["--name", "x", "pyspark-shell"]
    assert conf.get("spark.jars.packages") == "a:b:1"
    assert conf.get("spark.jars") == "own.jar,one.jar,two.jar"
    assert conf.get("spark.streaming.receiver.maxRate") == "0"
