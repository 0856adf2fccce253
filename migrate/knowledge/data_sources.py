"""Data sources of MongoDB and Elasticsearch by the names that they had on Spark 2, and what there is now."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from migrate.knowledge.spark_version import SparkVersion
from migrate.knowledge.table import names, read_table


@dataclass(frozen=True)
class DataSource:
    """One row of the table."""

    project: str
    word: bool
    """Whether the name is a word that may mean anything elsewhere than in ``format("es")``."""


SOURCES = read_table(
    """
name                                       project word
com.mongodb.spark.sql                      MongoDB -
com.mongodb.spark.sql.DefaultSource        MongoDB -
mongo                                      MongoDB yes
es                                         Elasticsearch yes
org.elasticsearch.spark.sql                Elasticsearch -
org.elasticsearch.hadoop.mr.EsOutputFormat Hadoop -
""",
    DataSource,
)
WORDS = names(SOURCES, lambda row: row.word)
FORMATTED = frozenset(
    {
        *("format", "load", "save", "saveAsTable", "insertInto", "start", "toTable"),
        *("createTable", "createExternalTable"),
    }
)
"""Methods of readers, writers and catalogs that take a format, by the name `format` or `source`."""
RESOURCES = frozenset({"es.resource", "es.resource.read", "es.resource.write"})
"""The settings of Elasticsearch's connector that name an index, and its type."""

MONGODB = (
    'name MongoDB\'s connector of today, `format("mongodb")` for `{}`, with the settings '
    "`spark.mongodb.read.connection.uri` and `spark.mongodb.write.connection.uri` for "
    "`spark.mongodb.input.uri` and `spark.mongodb.output.uri` (`connection.uri` as an option), and start "
    "with --packages org.mongodb.spark:mongo-spark-connector_{}:10.5.0{}"
)
_OF_3 = (
    "; no release for Spark 4 is known: this one is for 3.5, and on 4.3 was tried as far as its connection"
)
ELASTICSEARCH = {
    3: "start with Elasticsearch's connector for Spark 3: --packages "
    "org.elasticsearch:elasticsearch-spark-30_2.12:9.5.6",
    4: "write to Elasticsearch by its client for Python, in the place of `{}`: no release of its connector "
    "for Spark 4 is known, and that for Spark 3 (elasticsearch-spark-30_2.13:9.3.2) fails there",
}
OUTPUT_FORMAT = (
    "start with --packages org.elasticsearch:elasticsearch-spark-30_{}: its `EsOutputFormat` runs on this "
    "Spark, and that of older packages lacks what only Hadoop 2 had"
)
WITH_TYPE = (
    "name the index alone in the place of {}: Elasticsearch has no types since version 8, and its connector "
    "refuses one"
)
_RELEASES = {"2.12": "2.12:9.5.6", "2.13": "2.13:9.3.2"}
"""The newest packages that were seen, by their Scala."""


def told_of_sources(found: Iterable[str], spark: SparkVersion) -> Iterator[str]:
    """What must change for data sources with some names, on a version of Spark."""
    for name in found:
        match SOURCES[name].project:
            case "MongoDB":
                yield MONGODB.format(name, spark.scala, _OF_3 if spark.release >= (4, 0) else "")
            case "Elasticsearch":
                yield ELASTICSEARCH[spark.release[0]].format(name)
            case _:
                yield OUTPUT_FORMAT.format(_RELEASES[spark.scala])
