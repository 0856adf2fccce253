"""Sources."""

from __future__ import annotations

from typing import Any

from pyspark.streaming import DStream

from compat import graph
from compat._rdd.registry import Program, builds


@builds(graph.SocketTextStream)
def socket_text_stream(node: graph.SocketTextStream, program: Program) -> DStream[Any]:
    return program.context.socketTextStream(node.hostname, node.port, node.storage_level)


@builds(graph.TextFileStream)
def text_file_stream(node: graph.TextFileStream, program: Program) -> DStream[Any]:
    return program.context.textFileStream(node.directory)


@builds(graph.QueueStream)
def queue_stream(node: graph.QueueStream, program: Program) -> DStream[Any]:
    return program.context.queueStream(list(node.rdds), node.one_at_a_time, node.default)
