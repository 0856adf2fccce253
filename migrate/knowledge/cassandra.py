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


def coordinate(spark: SparkVersion) -> str:
    """The connector for a version of Spark, for ``--packages``."""
    return f"com.datastax.spark:spark-cassandra-connector_{spark.scala}:{NEWEST}"


def named_in(text: str) -> list[str]:
    """The packages of the library that a text names.

    >>> named_in("--packages a:b:1,anguenot:pyspark-cassandra:2.4.0 pyspark-shell")
    ['anguenot:pyspark-cassandra:2.4.0']
    """
    return list(dict.fromkeys(_PACKAGE.findall(text)))


def is_of_library(name: str) -> bool:
    """Whether a module's name is the library's, or that of a part of it."""
    return name == LIBRARY or name.startswith(f"{LIBRARY}.")
