"""The state of ``updateStateByKey`` as an RDD, which the program's own function updates in each batch."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from migrate.columns import Helper
from migrate.graph.program import Operation
from migrate.syntax.tree import is_none

PARAMETERS = ("updateFunc", "numPartitions", "initialRDD")
"""The parameters of ``updateStateByKey``."""
_SOURCE = '''\
def updated(state, pairs, update{parameter}):
    """The state after a batch: `update` is given a key's new values, and its last state or None."""
    partitions = {partitions}
    both = state.cogroup(pairs.partitionBy(partitions), partitions)  # the state is not shuffled
    new = both.mapValues(lambda found: update(list(found[1]), next(iter(found[0]), None)))
    new = new.filter(lambda pair: pair[1] is not None).persist()
    new.localCheckpoint()
    new.count()
    state.unpersist()
    return new'''
_DEFAULT = "state.context.defaultParallelism"


def updated(states: Iterable[Operation]) -> Helper:
    """Return the function that updates a program's states, with a number of partitions if one is given."""
    if any(_number(state.call) is not None for state in states):
        source = _SOURCE.format(parameter=", partitions=None", partitions=f"partitions or {_DEFAULT}")
    else:
        source = _SOURCE.format(parameter="", partitions=_DEFAULT)
    return Helper("updated", source)


def _number(call: ast.Call) -> ast.expr | None:
    """The number of partitions that a call gives; None where it is left to Spark."""
    given: dict[str | None, ast.expr] = dict(zip(PARAMETERS, call.args, strict=False))
    given.update((word.arg, word.value) for word in call.keywords)
    number = given.get("numPartitions")
    return None if number is None or is_none(number) else number
