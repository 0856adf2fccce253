"""Methods of an RDD in a callback: whether each gives the same in other partitions and another order."""

from __future__ import annotations

import ast

from migrate.columns import Refusal, compile_reduce, element_of
from migrate.columns import Scope as ColumnScope
from migrate.columns.shapes import Shape
from migrate.knowledge import cassandra, rdd
from migrate.proofs.analysis.facts import Facts
from migrate.proofs.callbacks.roles import NotTheSame, made_of
from migrate.proofs.elements.result_shapes import value_shape
from migrate.proofs.partitions import foreach_partition
from migrate.proofs.partitions.map_partitions import gives_nothing_of_nothing, is_elementwise

_RANGES = (
    "`offsetRanges`: a partition without new messages has a range as well, which no row of the batch shows"
)
OF_CASSANDRA = (
    "`{}` is of `{}`, which has no release for a Spark after 2.4, and what it does here is not proven to be "
    "a write of columns"
)
SAVED = (
    f"`{cassandra.SAVE}` of `{cassandra.LIBRARY}`: only an output, or a callback that does nothing else, "
    "saves what it gets, and only values of known types, or dicts whose keys are written out in the function "
    "of a `map`"
)
INDEXED = "zipWithIndex"
"""Gives each element its place, which a sort has fixed but for elements that it leaves equal."""


def check_method(
    node: ast.Attribute,
    parents: dict[ast.AST, ast.AST],
    facts: Facts,
    scope: ColumnScope,
    value: Shape | None,
    *,
    alike: bool = False,
) -> str:
    """Check that a method of an RDD gives the same result in a batch of Structured Streaming.

    `alike` says whether all partitions with elements are DStream's.

    Returns:
        Why the result may depend on the order of the elements; empty if it does not.

    Raises:
        NotTheSame: it may depend on more than their order.
    """
    if node.attr == "offsetRanges":
        raise NotTheSame(_RANGES)
    if node.attr == INDEXED and _is_sorted(node.value) and isinstance(parents.get(node), ast.Call):
        return ""
    if node.attr == cassandra.SAVE:
        raise NotTheSame(SAVED)
    if node.attr in cassandra.MEMBERS:
        raise NotTheSame(OF_CASSANDRA.format(node.attr, cassandra.LIBRARY))
    if node.attr not in rdd.FOLLOWED:
        raise NotTheSame(f"`{node.attr}` may depend on the partitions or the order of an RDD")
    call = parents.get(node)
    if not isinstance(call, ast.Call) or call.func is not node:
        if node.attr in ("context", "ctx"):
            return ""
        raise NotTheSame(f"`{node.attr}` is used without being called")
    if node.attr == "foreachPartition":
        function = call.args[0] if len(call.args) == 1 else None
        why = foreach_partition.why_not(function, facts, alike=alike)
        if why:
            raise NotTheSame(why)
    if node.attr == "mapPartitions" and not (call.args and _in_any(call.args[0], facts, alike=alike)):
        raise NotTheSame(
            "the function of `mapPartitions` does more than to go through the elements one by one"
        )
    if node.attr == "reduceByKey":
        known = pair_value(node.value, facts) or value
        if known is None or not call.args:
            return "the result of `reduceByKey` may depend on the order of the values"
        try:
            compile_reduce(call.args[0], element_of(known), scope)
        except Refusal as refusal:
            return f"the result of `reduceByKey` may depend on the order: {refusal.reason}"
    if node.attr in rdd.GROUPS:
        return f"the result of `{node.attr}` may depend on the order of the values"
    if node.attr in rdd.SUMMED_VALUES:
        return f"the result of `{node.attr}` may depend on the order of the elements"
    return ""


def _is_sorted(node: ast.expr) -> bool:
    """Whether an RDD's elements are in the order of a sort."""
    match made_of(node, rdd.KEEPS_ORDER):
        case ast.Call(ast.Attribute(attr="sortBy" | "sortByKey")):
            return True
    return False


def _in_any(function: ast.expr, facts: Facts, *, alike: bool) -> bool:
    """Whether a function of `mapPartitions` gives the same in the partitions of a query."""
    return is_elementwise(function, facts) or (alike and gives_nothing_of_nothing(function, facts))


def pair_value(node: ast.AST, facts: Facts) -> Shape | None:
    """The shape of the values of ``rdd.map(lambda w: (w, 1))``, or of a variable that is bound to it once."""
    if isinstance(node, ast.Name):
        made = facts.value_of(facts.only_binding(node.id))
        return None if made is None or isinstance(made, ast.Name) else pair_value(made, facts)
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return None
    if node.func.attr in rdd.SAME_ELEMENTS:
        return pair_value(node.func.value, facts)
    return value_shape(node.args[0], facts) if node.func.attr == "map" and node.args else None
