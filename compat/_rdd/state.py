"""State that lives from batch to batch."""

from __future__ import annotations

from typing import Any

from pyspark.streaming import DStream

from compat import graph
from compat._rdd.registry import Program, builds


@builds(graph.UpdateStateByKey)
def update_state_by_key(node: graph.UpdateStateByKey, program: Program) -> DStream[Any]:
    return program[node.parent].updateStateByKey(node.function, node.num_partitions, node.initial_rdd)
