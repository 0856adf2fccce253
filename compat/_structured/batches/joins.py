"""Operators on several streams."""

from __future__ import annotations

from compat import graph
from compat._structured.batches.evaluate import Evaluation
from compat._structured.batches.frame import Frame, united
from compat._structured.batches.registry import evaluates
from compat._structured.batches.shuffles import grouped

EMPTY = Frame(())
"""Stands for a side without a batch."""


@evaluates(graph.Union)
def union(node: graph.Union, run: Evaluation, time: int) -> Frame | None:
    return united([run.frame(stream, time) or EMPTY for stream in node.streams])


@evaluates(graph.Join)
def join(node: graph.Join, run: Evaluation, time: int) -> Frame | None:
    return _groups(node, run, time).then("joined", (False, False), keys_stay=True)


@evaluates(graph.LeftOuterJoin)
def left_outer_join(node: graph.LeftOuterJoin, run: Evaluation, time: int) -> Frame | None:
    return _groups(node, run, time).then("joined", (True, False), keys_stay=True)


@evaluates(graph.RightOuterJoin)
def right_outer_join(node: graph.RightOuterJoin, run: Evaluation, time: int) -> Frame | None:
    return _groups(node, run, time).then("joined", (False, True), keys_stay=True)


@evaluates(graph.FullOuterJoin)
def full_outer_join(node: graph.FullOuterJoin, run: Evaluation, time: int) -> Frame | None:
    return _groups(node, run, time).then("joined", (True, True), keys_stay=True)


@evaluates(graph.Cogroup)
def cogroup(node: graph.Cogroup, run: Evaluation, time: int) -> Frame | None:
    return _groups(node, run, time).then("cogrouped", keys_stay=True)


def _groups(node: graph.Pairing, run: Evaluation, time: int) -> Frame:
    """For each key the values of both streams, each with the number of its side."""
    left = run.frame(node.left, time) or EMPTY
    right = run.frame(node.right, time) or EMPTY
    sides = [left.then("tagged", 0), right.then("tagged", 1)]
    return grouped(run, sides, run.partitions(node.num_partitions))
