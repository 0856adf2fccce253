"""HDFS and S3 on this machine, and a Spark that can use both."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import pytest
from pyspark import SparkConf, SparkContext

from migrate.kafka import UnreachableError
from tests.compat.kinesis.server import KinesisServer
from tests.e2e.processes import end_jvm
from tests.e2e.stores.hdfs import Hdfs
from tests.e2e.stores.jars import of_hdfs, of_s3

T = TypeVar("T")
KEYS = {"access.key": "AKIATEST", "secret.key": "its secret"}


BUCKET = "checkpoints"


@dataclass(frozen=True)
class S3:
    """A bucket, and how Spark gets there."""

    uri: str
    settings: dict[str, str]
    client: Any

    def has(self, key: str) -> bool:
        """Whether there is an object of that name."""
        found = self.client.list_objects_v2(Bucket=BUCKET, Prefix=key).get("Contents", [])
        return any(entry["Key"] == key for entry in found)


@pytest.fixture(scope="session")
def hdfs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hdfs]:
    """HDFS, empty at first."""
    _fetched(of_hdfs)
    made = Hdfs(tmp_path_factory.mktemp("hdfs"))
    yield made
    made.stop()


@pytest.fixture(scope="session")
def s3() -> Iterator[S3]:
    """S3's API by moto, which has all of Amazon's on one port."""
    jars = ",".join(map(str, _fetched(of_s3)))
    server = KinesisServer()
    import boto3

    client = boto3.client(
        "s3",
        endpoint_url=server.url,
        region_name="us-east-1",
        aws_access_key_id=KEYS["access.key"],
        aws_secret_access_key=KEYS["secret.key"],
    )
    client.create_bucket(Bucket=BUCKET)
    ours = {
        **KEYS,
        "endpoint": server.url,
        "endpoint.region": "us-east-1",
        "path.style.access": "true",
        "connection.ssl.enabled": "false",
    }
    settings = {f"spark.hadoop.fs.s3a.{name}": value for name, value in ours.items()}
    yield S3(f"s3a://{BUCKET}", {"spark.jars": jars, **settings}, client)
    client.close()
    server.close()


@pytest.fixture(params=["hdfs", "s3"])
def store(request: pytest.FixtureRequest) -> str:
    """The URI of a directory of the test's own, on each of them."""
    found: Any = request.getfixturevalue(request.param)
    return f"{found.uri}/{request.node.name.partition('[')[0]}"


@pytest.fixture(scope="module")
def spark_context(s3: S3, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkContext]:
    """A local SparkContext of two cores, in a JVM of its own, by the manual clock."""
    end_jvm()
    conf = SparkConf().setMaster("local[2]").setAppName("stores").setAll(list(s3.settings.items()))
    conf.set("spark.ui.enabled", "false").set("spark.default.parallelism", "2")
    conf.set("spark.python.unix.domain.socket.enabled", "true")
    conf.set("spark.streaming.clock", "org.apache.spark.util.ManualClock")
    conf.set("spark.driver.bindAddress", "127.0.0.1").set("spark.driver.host", "127.0.0.1")
    conf.set("spark.sql.warehouse.dir", str(tmp_path_factory.mktemp("warehouse")))
    context = SparkContext(conf=conf)
    context.setLogLevel("OFF")
    yield context
    context.stop()
    end_jvm()


def _fetched(jars: Callable[[], list[Path]]) -> list[Path]:
    try:
        return jars()
    except UnreachableError as error:
        if os.environ.get("CI"):
            raise
        pytest.skip(f"jars cannot be fetched: {error}")
