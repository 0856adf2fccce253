"""A part of Spark's own DStream tests on each engine; `tests/spark_suite.py` runs them all."""

from __future__ import annotations

import pytest

from tests import spark_suite

SMOKE = {"rdd": "StreamingListenerTests", "structured": "StreamingContextTests"}

pytestmark = pytest.mark.timeout(600)


def test_a_class_of_sparks_tests(engine: str) -> None:
    source = spark_suite.cached()
    if source is None:
        pytest.skip("Spark's tests are not here: `python tests/spark_suite.py` fetches and runs them")
    result = spark_suite.run(source, [SMOKE[engine]], engine, patience=5)
    assert result.returncode == 0, result.stderr


@pytest.mark.full
@pytest.mark.timeout(3600)
def test_all_of_sparks_tests(engine: str) -> None:
    source = spark_suite.cached() or spark_suite.fetched()
    result = spark_suite.run(source, spark_suite.CLASSES, engine, patience=5)
    assert result.returncode == 0, result.stderr
    assert "Ran 47 tests" in result.stderr


PROGRAM = """import unittest
from pyspark.streaming.context import StreamingContext
from pyspark.streaming.kafka import Broker
from pyspark.streaming.flume import FlumeUtils


class BasicOperationTests(unittest.TestCase):
    def test_map(self):
        name = "pyspark.streaming"


@unittest.skipIf(True, "pyspark.streaming.kafka")
class KafkaStreamTests(BasicOperationTests):
    pass


class FlumeStreamTests(BasicOperationTests):
    pass


def search_kafka_assembly_jar():
    pass


if __name__ == "__main__":
    unittest.main()
"""

EXPECTED = """import unittest
from compat.streaming.context import StreamingContext


class BasicOperationTests(unittest.TestCase):
    def test_map(self):
        name = "pyspark.streaming"


def search_kafka_assembly_jar():
    pass
"""


def test_only_imports_change() -> None:
    changed = spark_suite.swapped(PROGRAM, "compat.streaming")
    assert changed.split() == EXPECTED.split()


def test_those_of_kafka_stay_where_they_are_asked_for() -> None:
    changed = spark_suite.swapped(PROGRAM, "compat.streaming", kafka=True)
    assert "from compat.streaming.kafka import Broker" in changed
    assert "class KafkaStreamTests(BasicOperationTests):" in changed
    assert "flume" not in changed.lower()
