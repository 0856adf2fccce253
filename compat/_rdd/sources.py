"""Sources."""

from __future__ import annotations

from typing import Any

from pyspark.streaming import DStream

from compat import graph
from compat._rdd.registry import Program, builds


@builds(graph.SocketTextStream)
def socket_text_stream(node: graph.SocketTextStream, program: Program) -> DStream[Any]:
    return program.context.socketTextStream(node.receiver.hostname, node.receiver.port, node.storage_level)


@builds(graph.TextFileStream)
def text_file_stream(node: graph.TextFileStream, program: Program) -> DStream[Any]:
    return program.context.textFileStream(node.directory)


@builds(graph.BinaryRecordsStream)
def binary_records_stream(node: graph.BinaryRecordsStream, program: Program) -> DStream[Any]:
    return program.context.binaryRecordsStream(node.directory, node.record_length)


@builds(graph.FromDF)
def from_df(node: graph.FromDF, program: Program) -> DStream[Any]:
    if node.streaming:
        raise ValueError(
            "from_df: a streaming DataFrame needs the structured engine (COMPAT_ENGINE=structured);"
            " the rdd engine takes a static one"
        )
    return program.context.queueStream([node.frame.rdd], default=node.frame.rdd)


@builds(graph.JavaDStream)
def java_dstream(node: graph.JavaDStream, program: Program) -> DStream[Any]:
    return DStream(node.java, program.context, node.serializer)


@builds(graph.QueueStream)
def queue_stream(node: graph.QueueStream, program: Program) -> DStream[Any]:
    return program.context.queueStream(list(node.rdds), node.one_at_a_time, node.default)
