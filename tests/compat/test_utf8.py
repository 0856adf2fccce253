"""Bytes that should be UTF-8."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from pyspark import SparkContext

from compat.utf8 import decoded

# Bytes at which encodings of UTF-8 begin, go on, or go wrong.
EDGES = [0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE]
MORE_EDGES = [0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xF7, 0xF8, 0xFB, 0xFC, 0xFE, 0xFF]


@given(st.lists(st.lists(st.sampled_from(EDGES + MORE_EDGES), max_size=12).map(bytes), min_size=200))
def test_java_reads_the_same(spark_context: SparkContext, texts: list[bytes]) -> None:
    jvm: Any = spark_context._jvm
    by_hadoop, string = jvm.org.apache.hadoop.io.Text.decode, jvm.java.lang.String
    by_java = [string(bytearray(text), "UTF-8") for text in texts]
    assert [decoded(text) for text in texts] == by_java == [by_hadoop(text) for text in texts]
