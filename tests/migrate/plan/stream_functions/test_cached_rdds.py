"""RDDs that a program persists, in the batch function."""

from __future__ import annotations

import pytest

from tests.migrate.programs import file

PROGRAM = """\
import json
import random
import pyspark
from pyspark import SparkContext, StorageLevel
from pyspark.streaming import StreamingContext
sc = SparkContext(appName="Test")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", 9999)
result = lines.map(json.loads).map(lambda d: (d["a"], random.random()))
{persist}
result.foreachRDD(lambda rdd: rdd.foreach(print))
{more}
result.pprint()
ssc.start()
ssc.awaitTermination()
"""
BESIDE = "lines.pprint()"


@pytest.mark.parametrize("more", ["", BESIDE])
@pytest.mark.parametrize(
    ("persist", "new"),
    [
        ("result.persist(StorageLevel.MEMORY_AND_DISK)", ".persist(StorageLevel.MEMORY_AND_DISK)"),
        (
            "result.persist(storageLevel=pyspark.StorageLevel.DISK_ONLY)",
            ".persist(pyspark.StorageLevel.DISK_ONLY)",
        ),
        ("result.persist(StorageLevel.MEMORY_ONLY)", ".persist()"),
        ("result.persist(StorageLevel.MEMORY_AND_DISK_SER)", ".persist()"),
        ("result.persist()", ".persist()"),
        ("result.cache()", ".persist()"),
    ],
)
def test_an_rdd_is_persisted_where_its_stream_was(persist: str, more: str, new: str) -> None:
    text = file(PROGRAM.format(persist=persist, more=more)).new
    assert f"{new}\n" in text
    assert ("StorageLevel" in text) is ("StorageLevel" in new)
