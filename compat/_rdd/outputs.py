"""Outputs."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from pyspark import RDD, cloudpickle
from pyspark.sql import SparkSession

from compat import graph, schema
from compat._rdd.kafka import telling_offsets
from compat._rdd.registry import Program, builds
from compat.schema import rows

cloudpickle.register_pickle_by_value(schema)  # executors do not have `compat`


@builds(graph.ForeachRDD)
def foreach_rdd(node: graph.ForeachRDD, program: Program) -> None:
    program[node.parent].foreachRDD(telling_offsets(node.parent, node.function, node.with_time))


@builds(graph.ForeachBatch)
def foreach_batch(node: graph.ForeachBatch, program: Program) -> None:
    function, columns = node.function, node.schema
    checked = rows(columns)

    def call(time: datetime, rdd: RDD[Any]) -> None:
        spark = SparkSession.builder.getOrCreate()
        batch = spark.createDataFrame(rdd.mapPartitions(checked), columns, verifySchema=False)
        function(batch, round(time.timestamp() * 1000))

    program[node.parent].foreachRDD(call)


@builds(graph.PPrint)
def pprint(node: graph.PPrint, program: Program) -> None:
    program[node.parent].pprint(node.num)


@builds(graph.SaveAsTextFiles)
def save_as_text_files(node: graph.SaveAsTextFiles, program: Program) -> None:
    program[node.parent].saveAsTextFiles(node.prefix, node.suffix)
