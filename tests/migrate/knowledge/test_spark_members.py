"""The members of PySpark's classes, and what a name was meant to be that a class does not have."""

from __future__ import annotations

import inspect

import pytest
from pyspark import SparkConf, SparkContext
from pyspark.sql import DataFrame, DataFrameReader, DataFrameWriter, SparkSession, SQLContext
from pyspark.sql.group import GroupedData

from migrate.knowledge.spark_members import MEMBERS, meant

CLASSES = (SparkContext, SparkConf, SparkSession, SQLContext, DataFrame, DataFrameReader, DataFrameWriter)


@pytest.mark.parametrize("owner", [*CLASSES, GroupedData])
def test_all_public_members_of_the_installed_pyspark_are_known(owner: type) -> None:
    public = {name for name, _ in inspect.getmembers(owner) if not name.startswith("_")}
    assert public - MEMBERS[owner.__name__].keys() == set()


@pytest.mark.parametrize(
    ("owner", "name", "words"),
    [
        ("DataFrame", "registerTemplate", "`registerTempTable` is one"),
        ("SparkSession", "createDatafram", "`createDataFrame` is one"),
        ("RDD", "pprint", "a DStream has one"),
        ("SparkContext", "set", "a SparkConf has one"),
        ("RDD", "saveToCassandra", ""),
        ("DataFrame", "to_koalas", ""),
    ],
)
def test_what_a_name_was_meant_to_be(owner: str, name: str, words: str) -> None:
    assert meant(owner, name) == words
