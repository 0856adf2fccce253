"""What is said where Spark's Kafka connector is missing."""

from __future__ import annotations

import pytest

from compat.kafka.connector import coordinates, missing


@pytest.mark.parametrize(
    ("spark", "scala", "expected"),
    [
        ("4.3.0", "2.13.18", "org.apache.spark:spark-sql-kafka-0-10_2.13:4.3.0"),
        ("3.5.9", "2.12.18", "org.apache.spark:spark-sql-kafka-0-10_2.12:3.5.9"),
    ],
)
def test_the_packages_line_is_that_of_this_spark_and_scala(spark: str, scala: str, expected: str) -> None:
    assert coordinates(spark, scala) == expected
    assert f"spark-submit --packages {expected} " in missing(spark, scala)


def test_another_release_that_runs_is_named_where_one_was_seen_to() -> None:
    assert "spark-sql-kafka-0-10_2.13:4.2.0" in missing("4.3.0", "2.13.18")
    assert "spark-sql-kafka-0-10_2.12:3.5.7" in missing("3.5.9", "2.12.18")
    assert "seen to run" not in missing("3.5.7", "2.12.18")
    assert "seen to run" not in missing("4.1.2", "2.13.16")
