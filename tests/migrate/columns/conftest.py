"""What the tests of the expression compiler need of Spark."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pyspark.sql import SparkSession

from migrate.columns.guards import Guards
from tests.migrate.columns.both_ways import POSITIONS


@pytest.fixture(autouse=True)
def one_partition(request: pytest.FixtureRequest) -> None:
    """Shuffle a few rows into one partition, not into 200."""
    if "spark" in request.fixturenames:
        request.getfixturevalue("spark").conf.set("spark.sql.shuffle.partitions", "1")


@pytest.fixture(params=["true", "false"], ids=["ansi", "no-ansi"])
def session(request: pytest.FixtureRequest, spark: SparkSession) -> Iterator[SparkSession]:
    """A session with ANSI mode on, and one with ANSI mode off."""
    spark.conf.set("spark.sql.ansi.enabled", request.param)
    yield spark
    spark.conf.unset("spark.sql.ansi.enabled")


@pytest.fixture(params=POSITIONS, ids=lambda position: f"{position[0].value}-{position[1]}")
def guards(request: pytest.FixtureRequest, spark: SparkSession) -> Iterator[Guards]:
    """Each position of the compiler's switch, with each setting of ANSI mode that it must be right in."""
    position, ansi = request.param
    spark.conf.set("spark.sql.ansi.enabled", ansi)
    yield position
    spark.conf.unset("spark.sql.ansi.enabled")
