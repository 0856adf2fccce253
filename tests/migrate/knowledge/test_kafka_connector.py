"""The connector for Kafka in the places of those of DStreams."""

from __future__ import annotations

import pytest

from migrate.knowledge.kafka_connector import coordinate, other_scala, renewed
from migrate.knowledge.spark_version import SparkVersion

OLD, OLDER = "org.apache.spark:spark-streaming-kafka-0-8_2.11:2.0.2", "spark-streaming-kafka_2.10-1.6.1.jar"
JAR = "/opt/jars/spark-streaming-kafka-0-8-assembly_2.11-2.4.3.jar"


@pytest.mark.parametrize(
    ("text", "new"),
    [
        (OLD, "NEW"),
        (f"--packages {OLD} pyspark-shell", "--packages NEW pyspark-shell"),
        (f"--packages={OLD},a:b:1 pyspark-shell", "--packages=NEW,a:b:1 pyspark-shell"),
        (f"a:b:1,{OLD.replace('0-8', '0-8-assembly')},c:d:2", "a:b:1,NEW,c:d:2"),
        (OLD.replace("-0-8", ""), "NEW"),
        (OLD.replace("0-8", "0-10"), "NEW"),
        ("--packages org.apache.spark:spark-streaming-kafka-0-8:2.1.0 app", "--packages NEW app"),
        (f"{OLD},{OLD.replace('streaming', 'sql')}", "NEW"),
        (f"{OLD},a:b:1,org.apache.spark:spark-sql-kafka-0-10_2.11:2.2.0", "NEW,a:b:1"),
        (f"--jars {JAR} pyspark-shell", "--packages NEW pyspark-shell"),
        ("--jars <spark-streaming-kafka-0-8-assembly.jar> app", "--packages NEW app"),
        (f"--jars a.jar,{OLDER} app", "--packages NEW --jars a.jar app"),
        (f"--jars {JAR} --packages a:b:1 app", "--packages a:b:1,NEW app"),
        (f"--packages a:b:1 --jars {JAR}", "--packages a:b:1,NEW"),
    ],
)
def test_a_connector_is_renewed_and_what_is_beside_it_stays(text: str, new: str) -> None:
    assert renewed(text, "org.apache.spark:new_2.13:1") == new.replace("NEW", "org.apache.spark:new_2.13:1")


@pytest.mark.parametrize("text", ["", "a:b:1", "--jars a.jar", "spark-streaming-kafka", JAR])
def test_other_texts_stay(text: str) -> None:
    assert renewed(text, "new") == text


@pytest.mark.parametrize(
    ("spark", "connector"),
    [
        ("3.5", "2.12:3.5.7"),
        ("3.5.1", "2.12:3.5.1"),
        ("3.5.9", "2.12:3.5.7"),
        ("4.0.0", "2.13:4.0.0"),
        ("4.3.0", "2.13:4.2.0"),
    ],
)
def test_the_connector_of_a_version(spark: str, connector: str) -> None:
    """3.5.9 and 4.3.0 have none of their own."""
    found = coordinate(SparkVersion.parse(spark))
    assert found == f"org.apache.spark:spark-sql-kafka-0-10_{connector}"


def test_packages_for_another_scala() -> None:
    text = "--packages a:b_2.11:1,c:d_2.13:2,e:f:3"
    assert other_scala(text, SparkVersion.parse("4.0")) == ["a:b_2.11:1"]
    assert other_scala(text.replace("2.11", "2.12"), SparkVersion.parse("3.5")) == ["c:d_2.13:2"]
