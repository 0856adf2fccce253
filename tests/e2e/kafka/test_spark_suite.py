"""Spark's own 12 tests of Kafka, as PySpark 2.4.8 had them, on each engine."""

from __future__ import annotations

import pytest

from migrate.kafka import Jars
from tests import spark_suite
from tests.e2e.kafka.broker import Broker


@pytest.mark.full
@pytest.mark.timeout(1200)
def test_all_of_sparks_tests_of_kafka(engine: str, jars: Jars, broker: Broker) -> None:
    source = spark_suite.cached() or spark_suite.fetched()
    settings = spark_suite.environment(broker.address, jars.submit)
    result = spark_suite.run(source, [spark_suite.KAFKA], engine, patience=2, **settings)
    assert result.returncode == 0, result.stderr
    assert "Ran 12 tests" in result.stderr
