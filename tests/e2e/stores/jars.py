"""HDFS itself, and Hadoop's client of S3, of the release of Hadoop that PySpark has."""

from __future__ import annotations

import re
from pathlib import Path

import pyspark

from migrate.kafka.ivy import Dependency, cache, retrieve

SPARK = Path(pyspark.__file__).parent / "jars"
HADOOP = next(SPARK.glob("hadoop-client-api-*.jar")).stem.rpartition("-")[2]
_AWS = {"3.3": ("com.amazonaws", "aws-java-sdk-bundle", "1.12.262")}
"""The client library of Amazon's, by the minor release of Hadoop; later ones take version 2 in parts."""
_AWS_PARTS, _AWS_VERSION = ("apache-client", "s3", "s3-transfer-manager", "sts"), "2.57.8"
_ACCELERATOR = ("software.amazon.s3.analyticsaccelerator", "analyticsaccelerator-s3", "1.3.1")
_OF_SPARK = re.compile(r"slf4j-|netty-(?!nio-client)")
"""What Spark has, in releases of its own."""


def of_hdfs() -> list[Path]:
    """What a name node and a data node run on, beside what PySpark has.

    Raises UnreachableError where they cannot be fetched.
    """
    wanted = [
        Dependency("jars", "org.apache.hadoop", "hadoop-client-minicluster", HADOOP, transitive=False),
        # Hadoop's cluster for tests asserts things, up to 3.4 by the older of them.
        Dependency("jars", "org.junit.jupiter", "junit-jupiter-api", "5.11.4"),
        Dependency("jars", "junit", "junit", "4.13.2"),
    ]
    libraries = ("hadoop-client-api", "hadoop-client-runtime", "slf4j-api", "jcl-over-slf4j")
    of_spark = [path for name in libraries for path in SPARK.glob(f"{name}-*.jar")]
    return [*_kept("hdfs", wanted), *of_spark]


def of_s3() -> list[Path]:
    """What Spark needs to read and write ``s3a:``. Raises UnreachableError where it cannot be fetched."""
    whole = _AWS.get(HADOOP.rpartition(".")[0])
    wanted = [Dependency("jars", "org.apache.hadoop", "hadoop-aws", HADOOP, transitive=False)]
    if whole is not None:
        wanted.append(Dependency("jars", *whole, transitive=False))
    else:
        wanted += [Dependency("jars", "software.amazon.awssdk", name, _AWS_VERSION) for name in _AWS_PARTS]
        wanted.append(Dependency("jars", *_ACCELERATOR, transitive=False))
    return [path for path in _kept("s3", wanted) if not _OF_SPARK.match(path.name)]


def _kept(name: str, wanted: list[Dependency]) -> list[Path]:
    place = cache() / name / HADOOP
    if not place.is_dir():
        retrieve(wanted, place)
    return sorted(place.glob("jars/*.jar"))
