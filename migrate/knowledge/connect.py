"""Spark Connect: the members that it lacks, and what can go to its server as a pickle."""

from __future__ import annotations

from dataclasses import dataclass

from migrate.knowledge.table import read_table


@dataclass(frozen=True)
class Lacks:
    """One row of the table of members."""

    part: str
    """The part of Spark that the member belongs to; underscores stand for blanks."""


MEMBERS = read_table(
    """
name               part
sparkContext       SparkContext
_sc                SparkContext
rdd                RDDs
toJSON             RDDs
_jvm               JVM
_jsc               JVM
_jdf               JVM
_jsparkSession     JVM
_gateway           JVM
enableHiveSupport  settings_of_Hive
""",
    Lacks,
)
"""Members of sessions and DataFrames that raise an error on Spark Connect, or give no RDD there."""
CLASSES = read_table(
    """
name               part
pyspark.SparkContext          SparkContext
pyspark.context.SparkContext  SparkContext
pyspark.RDD                   RDDs
pyspark.mllib                 MLlib's_models_of_RDDs
pyspark.streaming             DStreams
""",
    Lacks,
)
"""Classes, and packages with all that is in them, that need a SparkContext."""

MASTER = "spark.master"
SESSION_SETTINGS = "spark.sql."
"""The beginning of settings that a session of Spark Connect takes; the server has its own of all others."""
SESSIONS = frozenset(
    f"pyspark.sql.{name}"
    for name in (
        *("SparkSession", "session.SparkSession", "SQLContext", "context.SQLContext"),
        *("HiveContext", "context.HiveContext"),
    )
)
"""Classes whose objects are sessions, or stand for one."""

PLAIN = frozenset(
    {
        *("argparse", "collections", "configparser", "datetime", "decimal", "fractions", "getpass", "json"),
        *("logging", "math", "os", "pathlib", "platform", "random", "re", "socket.gethostname", "string"),
        *("sys", "tempfile", "time", "uuid", "yaml", "pytz", "numpy", "pandas"),
        *("pyspark.sql.types", "pyspark.sql.functions", "pyspark.sql.Row", "pyspark.sql.Window"),
        *("pyspark.StorageLevel", "pyspark.SparkConf", "pyspark.sql.window"),
    }
)
"""Modules and functions whose values can be pickled."""
NOT_PLAIN = frozenset({"os.popen", "os.scandir", "sys.stdin", "sys.stdout", "sys.stderr"})
"""Members of those whose values cannot."""
