"""Spark's Kafka connector: whether it is there, and how to come by it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from py4j.protocol import Py4JError

if TYPE_CHECKING:
    from pyspark import SparkContext

_PACKAGE = "org.apache.spark.sql.kafka010"
_CLASS = f"{_PACKAGE}.KafkaSourceRDD"

STANDS_IN = {"3.5": "3.5.7", "4.3": "4.2.0"}
"""A release of the connector that was seen to run on this minor version of Spark, for repositories that do
not have the one of Spark's own version (yet)."""


def coordinates(spark: str, scala: str) -> str:
    """What ``--packages`` takes for this version of Spark and Scala."""
    binary = ".".join(scala.split(".")[:2])
    return f"org.apache.spark:spark-sql-kafka-0-10_{binary}:{spark}"


def missing(spark: str, scala: str) -> str:
    """What to do where the connector is not on the class path."""
    text = (
        "Spark's Kafka connector is not on the class path. Start the program with\n\n"
        f"    spark-submit --packages {coordinates(spark, scala)} ...\n\n"
        "or, where it is started by python, set spark.jars.packages to the same before Spark starts."
    )
    other = STANDS_IN.get(".".join(spark.split(".")[:2]))
    if other is not None and other != spark:
        text += (
            f" A repository that does not have this version may have {coordinates(other, scala)}, which was"
            f" seen to run on Spark {spark} as well."
        )
    return text


def connected(spark_context: SparkContext) -> Any:
    """The JVM, with the connector in it.

    Raises:
        RuntimeError: it is not there; the text names the ``--packages`` line for this Spark.
    """
    jvm: Any = spark_context._jvm
    try:
        jvm.org.apache.spark.util.Utils.classForName(_CLASS, False, False)
    except Py4JError as error:
        scala = jvm.scala.util.Properties.versionNumberString()
        raise RuntimeError(missing(spark_context.version, scala)) from error
    return jvm
