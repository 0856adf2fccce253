"""Outputs."""

from __future__ import annotations

from compat import graph
from compat._rdd.registry import Program, builds


@builds(graph.ForeachRDD)
def foreach_rdd(node: graph.ForeachRDD, program: Program) -> None:
    program[node.parent].foreachRDD(node.function)


@builds(graph.PPrint)
def pprint(node: graph.PPrint, program: Program) -> None:
    program[node.parent].pprint(node.num)


@builds(graph.SaveAsTextFiles)
def save_as_text_files(node: graph.SaveAsTextFiles, program: Program) -> None:
    program[node.parent].saveAsTextFiles(node.prefix, node.suffix)
