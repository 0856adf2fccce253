"""``pyspark_cassandra``, which adds members to PySpark's classes, and the connector that DataFrames have."""

from __future__ import annotations

import re

from migrate.knowledge.spark_version import SparkVersion

LIBRARY = "pyspark_cassandra"
CONTEXTS = frozenset({f"{LIBRARY}.CassandraSparkContext", f"{LIBRARY}.context.CassandraSparkContext"})
"""The class with members for Cassandra that a program may make its SparkContext of."""
ROWS = frozenset({f"{LIBRARY}.Row", f"{LIBRARY}.types.Row"})
"""The class of elements whose parts have the names of columns."""
SAVE = "saveToCassandra"
"""The output that the library adds to streams, and the method that it adds to RDDs."""
MEMBERS = frozenset(
    {SAVE, "cassandraTable", "deleteFromCassandra", "joinWithCassandraTable", "repartitionByCassandraReplica"}
)
"""The members that the library adds to streams, RDDs and contexts."""
FORMAT = "org.apache.spark.sql.cassandra"
"""The connector's data source."""
SETTINGS = "spark.cassandra.output."
"""The prefix of settings that the connector's data source reads, and that the library passed by."""
NEWEST, WRITTEN_FOR = "3.5.1", (3, 5)
"""The newest connector, and its release of Spark; it also writes on those of Spark 4."""
WRITE_OPTIONS = {
    "ttl": f"{SETTINGS}ttl",
    "timestamp": f"{SETTINGS}timestamp",
    "batch_size": f"{SETTINGS}batch.size.bytes",
    "batch_buffer_size": f"{SETTINGS}batch.grouping.buffer.size",
    "parallelism_level": f"{SETTINGS}concurrent.writes",
}
"""The options of `SAVE` that are whole numbers, and those of the data source that are the same."""
_PACKAGE = re.compile(r"(?:anguenot|TargetHolding)[:/]pyspark-cassandra:[\w.-]+", re.IGNORECASE)
_CONNECTOR = re.compile(
    r"(?:com\.)?datastax(?:\.spark)?:spark-cassandra-connector(?:-assembly)?(?:_(?P<scala>2\.\d+))?:"
    r"\d[\w.]*(?:-(?!s_)\w+)*(?:-s_(?P<of_list>2\.\d+))?"
)
"""The connector itself, as Maven or, with Scala's version at the end, the list of Spark's packages has it."""


def coordinate(spark: SparkVersion) -> str:
    """The connector for a version of Spark, for ``--packages``."""
    return f"com.datastax.spark:spark-cassandra-connector_{spark.scala}:{NEWEST}"


def named_in(text: str) -> list[str]:
    """The packages of the library that a text names.

    >>> named_in("--packages a:b:1,anguenot:pyspark-cassandra:2.4.0 pyspark-shell")
    ['anguenot:pyspark-cassandra:2.4.0']
    """
    return list(dict.fromkeys(_PACKAGE.findall(text)))


def others_of_connector(text: str, spark: SparkVersion) -> list[str]:
    """The packages in a text that are the connector for another Scala.

    >>> others_of_connector("datastax:spark-cassandra-connector:2.4.0-s_2.11", SparkVersion("4.0"))
    ['datastax:spark-cassandra-connector:2.4.0-s_2.11']
    """
    found = _CONNECTOR.finditer(text) if "spark-cassandra-connector" in text else ()
    scalas = {one[0]: one["scala"] or one["of_list"] for one in found}
    return [package for package, scala in scalas.items() if scala not in (None, spark.scala)]


def is_of_library(name: str) -> bool:
    """Whether a module's name is the library's, or that of a part of it."""
    return name == LIBRARY or name.startswith(f"{LIBRARY}.")
