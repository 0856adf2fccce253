"""Ints that Spark's hash partitioning sends to a chosen partition."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyspark.sql import SparkSession
from pyspark.sql import functions as F
from pyspark.sql.types import IntegerType

from compat._structured.batches.salt import murmur3, salts


def test_the_hash_is_sparks(spark: SparkSession) -> None:
    values = [0, 1, 2, 3, 42, -1, -2, 12345, 2**31 - 1, -(2**31), *range(100, 400)]
    frame = spark.createDataFrame([(value,) for value in values], "value int")
    rows = frame.select("value", F.hash("value").alias("hash")).collect()
    assert {row["value"]: row["hash"] for row in rows} == {value: murmur3(value) for value in values}


@pytest.mark.parametrize("partitions", [1, 2, 3, 7, 16])
def test_a_salt_goes_to_its_partition(spark: SparkSession, partitions: int) -> None:
    frame = spark.createDataFrame([(salt,) for salt in salts(partitions)], "salt int")
    placed = frame.repartition(partitions, "salt").select("salt", F.spark_partition_id().alias("partition"))
    assert frame.schema["salt"].dataType == IntegerType()
    assert {row["salt"]: row["partition"] for row in placed.collect()} == {
        salt: partition for partition, salt in enumerate(salts(partitions))
    }


@given(st.integers(1, 300))
def test_there_is_one_for_every_partition(partitions: int) -> None:
    assert [murmur3(salt) % partitions for salt in salts(partitions)] == list(range(partitions))
