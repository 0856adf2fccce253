"""The order in which elements meet: that of their arrival, as far as DStream keeps it too.

A receiver's lines lie in blocks, one partition each, in the order in which they came; Kafka's messages lie
in the partitions of their topic. Until something shuffles them, one partition of all lines, or Kafka's own,
hold the same elements in the same order, only cut elsewhere. A function that ``reduceByKey`` may be given at
all is associative, and does not show where they were cut. A sum of floats does, in its last digits.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from migrate.native.facts import Facts
from migrate.native.program import Operation, upstream
from migrate.native.roles import Callback
from migrate.native.syntax import parameter_names
from migrate.nodes import walk

NOTE = (
    "values are reduced in the order in which they came, by RDDs as before: a function that is not "
    "associative, as Spark wants it to be, shows where they are cut into partitions"
)
FLOATS = "floats are in sight, whose sums depend on how they are cut into partitions"
NOT_ASSOCIATIVE = (
    "its function is not associative, so its result depends on how elements are cut into partitions"
)
SHUFFLING = frozenset(
    {
        *("reduceByKey", "groupByKey", "combineByKey", "partitionBy", "updateStateByKey", "countByValue"),
        *("count", "reduce", "repartition", "join", "leftOuterJoin", "rightOuterJoin", "fullOuterJoin"),
        *("cogroup", "countByWindow", "reduceByWindow", "reduceByKeyAndWindow", "countByValueAndWindow"),
    }
)
"""Operators after which elements are in no order of their own, or alone."""
_KEEPING = frozenset({"map", "flatMap", "filter", "mapValues", "flatMapValues", "persist", "cache", "union"})
_ARRIVING = frozenset({"socketTextStream", "createStream", "createDirectStream"})
"""Sources whose elements come one after another; files are listed in another order, and packed together."""
_HANDLER = 6
"""The position of ``createDirectStream``'s message handler."""
_VALUES = 2
_CUTTING = (ast.Sub, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow)
_OPERATORS = frozenset({"sub", "truediv", "floordiv", "mod", "pow"})
PLACES = ("topic", "partition", "offset")
"""Kafka's columns that say where a message lies; its source has partitions in no order of their own."""


def in_order_of_arrival(operation: Operation) -> bool:
    """Whether an operator is given its source's elements as they came."""
    return all(
        _arrives(parent) if parent.is_source else parent.operator in _KEEPING and in_order_of_arrival(parent)
        for parent in operation.parents
    )


def _arrives(source: Operation) -> bool:
    """Whether a source keeps its elements in order; a message handler says itself which columns are left."""
    handled = len(source.call.args) > _HANDLER or any(
        keyword.arg in ("messageHandler", None) for keyword in source.call.keywords
    )
    return source.operator in _ARRIVING and not handled


def shows_order(source: Operation, outputs: Iterable[Operation]) -> bool:
    """Whether an output reads elements that no shuffle has put into another order, in DStream neither."""
    for output in outputs:
        pending = [*output.parents]
        while pending:
            operation = pending.pop()
            if operation is source:
                return True
            if operation.operator not in SHUFFLING:
                pending += operation.parents
    return False


def shows_cuts(operation: Operation, callback: Callback | None, facts: Facts) -> str:
    """Why what an operator or a callback makes of elements shows their partitions; empty if it does not."""
    if any(map(_is_float, _code(operation, callback, facts))):
        return FLOATS
    calls = [operation.call] if callback is None else callback.reducing
    functions = [given for call in calls for given in (*call.args, *(word.value for word in call.keywords))]
    if operation.operator == "combineByKey":
        functions = functions[2:]  # the others make combiners of values
    if any(_is_not_associative(function, facts) for function in functions):
        return NOT_ASSOCIATIVE
    return ""


def _is_float(node: ast.AST) -> bool:
    return (
        (isinstance(node, ast.Constant) and isinstance(node.value, float))
        or (isinstance(node, ast.Name) and node.id == "float")
        or (isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.Div))
    )


def _is_not_associative(function: ast.expr, facts: Facts) -> bool:
    """Whether a function of two values subtracts or divides, or makes a value without one of the two."""
    called = facts.function(function)
    node = called.node if called is not None else function
    if not isinstance(node, ast.Lambda | ast.FunctionDef):
        return bool({getattr(node, "attr", None), getattr(node, "id", None)} & _OPERATORS)
    body = [node.body] if isinstance(node, ast.Lambda) else node.body
    nodes = [inner for part in body for inner in walk(part)]
    if any(
        isinstance(inner, ast.BinOp | ast.AugAssign) and isinstance(inner.op, _CUTTING) for inner in nodes
    ):
        return True
    read = {inner.id for inner in nodes if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Load)}
    names = parameter_names(node)[called.bound if called is not None else 0 :]
    picks = isinstance(node, ast.Lambda) and isinstance(node.body, ast.Name)
    return len(names) == _VALUES and not read.issuperset(names) and not picks


def _code(operation: Operation, callback: Callback | None, facts: Facts) -> Iterator[ast.AST]:
    """All nodes of the functions that elements go through, with those of this module they call."""
    calls = [step.call for step in upstream(operation) if not step.is_source]
    if callback is not None:
        calls.remove(operation.call)
    pending: list[ast.AST] = [
        given for call in calls for given in (*call.args, *(keyword.value for keyword in call.keywords))
    ]
    pending += callback.reducing if callback is not None else ()
    seen: set[ast.AST] = set()
    while pending:
        for node in walk(pending.pop()):
            yield node
            if not isinstance(node, ast.Name | ast.Attribute):
                continue
            called = facts.function(node)
            if called is not None and called.node not in seen:
                seen.add(called.node)
                pending += called.node.body
