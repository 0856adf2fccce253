"""A real broker, and Spark with the connector, for all tests of Kafka."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from pyspark import SparkConf, SparkContext

from migrate.kafka import Jars, UnreachableError
from migrate.kafka import jars as fetched
from tests.e2e.kafka.broker import Broker
from tests.e2e.processes import end_jvm


@pytest.fixture(scope="session", params=[pytest.param("rdd", marks=pytest.mark.full), "structured"])
def engine(request: pytest.FixtureRequest) -> str:
    """Both in the full run: a program that reads Kafka takes its time."""
    return str(request.param)


@pytest.fixture(scope="session")
def jars() -> Jars:
    """The connector's and the broker's jars. Without them the tests are skipped, but not in CI."""
    try:
        return fetched()
    except UnreachableError as error:
        if os.environ.get("CI"):
            raise
        pytest.skip(f"the jars of Kafka cannot be fetched: {error}")


@pytest.fixture(scope="session")
def broker(jars: Jars, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Broker]:
    """A broker; tests use topics of their own."""
    made = Broker(tmp_path_factory.mktemp("broker"))
    yield made
    made.stop()


@pytest.fixture(scope="module")
def spark_context(jars: Jars, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkContext]:
    """A local SparkContext of two cores with the connector, in a JVM of its own, by the manual clock."""
    end_jvm()
    conf = SparkConf().setMaster("local[2]").setAppName("kafka")
    conf.set("spark.jars", jars.submit).set("spark.ui.enabled", "false")
    conf.set("spark.default.parallelism", "2").set("spark.python.unix.domain.socket.enabled", "true")
    conf.set("spark.streaming.clock", "org.apache.spark.util.ManualClock")
    conf.set("spark.driver.bindAddress", "127.0.0.1").set("spark.driver.host", "127.0.0.1")
    conf.set("spark.sql.warehouse.dir", str(tmp_path_factory.mktemp("warehouse")))
    context = SparkContext(conf=conf)
    context.setLogLevel("OFF")
    context.setCheckpointDir(str(tmp_path_factory.mktemp("checkpoint")))
    yield context
    context.stop()
    end_jvm()
