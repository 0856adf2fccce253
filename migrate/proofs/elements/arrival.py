"""The order of arrival of elements, and the operators up to which DStream keeps it.

A receiver's lines lie in blocks, one partition each, in the order in which they came; Kafka's messages lie
in the partitions of their topic. Until something shuffles them, one partition of all lines, or Kafka's own,
hold the same elements in the same order, only cut elsewhere, which an associative function does not show.

Any other function shows it, in DStream too: where a receiver's blocks end is a matter of its clock, so that
one block of all lines is one of the results that it may give, and a shuffle puts together what the partitions
gave in the order in which it fetches that. New code on one partition of all lines, or on Kafka's partitions
as they are, gives one of these results.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from migrate.graph.program import Operation, upstream
from migrate.knowledge import connectors, rdd, sessions, streaming
from migrate.proofs.analysis.facts import Facts
from migrate.proofs.callbacks.roles import Callback, NotTheSame, given
from migrate.proofs.elements.associative import (
    adds,
    adds_as_whole,
    adds_beside_constants,
    adds_texts,
    compares,
    is_associative,
    sums_and_firsts,
)
from migrate.proofs.elements.element_parts import elements_of
from migrate.proofs.elements.float_sums import may_be_floats, may_be_sets, reduced_parts, reduces_numbers
from migrate.proofs.elements.grouped_queries import views_are_only_grouped
from migrate.proofs.elements.value_parts import Kind, has_no_floats
from migrate.syntax.nodes import walk

NOTE = "values are reduced in the order in which they came, as before"
CUT_ALIKE = (
    "floats are summed in Kafka's partitions, and these sums in the order in which a shuffle finds them, "
    "both as before"
)
CUT_BY_DRIVER = (
    "floats are summed in Kafka's partitions as before, and these sums in the order in which the source "
    "lists the partitions; DStream's connector listed them as their brokers answered, so that with three "
    "partitions or more the last digits may differ, as they may between two runs of the old program"
)
CUT_BY_SHUFFLE = (
    "floats are summed in Kafka's partitions as before, and these sums in the order in which a shuffle finds "
    "them; the old program added them up in that in which the brokers had answered, so that with three "
    "partitions or more the last digits may differ, as they may between two of its runs; a sum of nothing "
    "but -0.0 is 0.0"
)
CUT_BY_CLOCK = (
    "floats are summed in the order in which they came; DStream sums the blocks of a receiver, which its "
    "clock cuts, and then these sums, so that its last digits differ from run to run"
)
MAYBE_CUT_BY_CLOCK = (
    "values are reduced in the order in which they came; where they are floats, DStream sums the blocks of a "
    "receiver, which its clock cuts, and then these sums, so that its last digits differ from run to run"
)
MERGED_ALIKE = (
    "values are reduced in Kafka's partitions, and what these give in the order in which a shuffle finds it, "
    "both as before"
)
MERGED_BY_DRIVER = (
    "values are reduced in Kafka's partitions as before, and what these give in the order in which the "
    "source lists the partitions; DStream's connector listed them as their brokers answered, so that with "
    "several partitions the result may differ, as it may between two runs of the old program"
)
ONE_BLOCK = (
    "values are reduced as if all of a batch had come in one block; DStream reduces the blocks of a "
    "receiver, which its clock cuts, and then what these give, so that its results differ from run to run"
)
IN_PARTITIONS = (
    "values are reduced in Kafka's partitions, and what these give in the order in which a shuffle finds it; "
    "DStream reduces the blocks of a receiver, which its clock cuts, and then what these give, so that its "
    "results differ from run to run"
)
SHUFFLED_ALIKE = (
    "values that a shuffle dealt out are reduced in its partitions, and what these give in the order in "
    "which the next one finds it, both as before"
)
FLOATS = "there may be floats, whose sums depend on how elements are cut into partitions"
NOT_ASSOCIATIVE = (
    "its function is not known to be associative, so its result may depend on how elements are cut into "
    "partitions"
)
_IN_ORDER = streaming.RECEIVERS | connectors.IN_ORDER_OF_ARRIVAL | frozenset(connectors.RECEIVED.values())
"""Sources whose elements come one after another; files are listed in another order, and packed together."""
_OF_KAFKA = frozenset({"createDirectStream", "createStream"})
_BY_DRIVER = rdd.SUMMED_VALUES - {"treeReduce"}
"""Actions that combine each partition, and then what came of them, as the partitions are listed.

They pass over those without elements; a tree of partitions shows how many there are.
"""
_PART = ast.Name | ast.Subscript | ast.Constant | ast.expr_context
"""What an expression consists of that is a part of a value: ``x[1][0]``."""
_HANDLER = 6
"""The position of ``createDirectStream``'s message handler."""
PLACES = ("topic", "partition", "offset")
"""Kafka's columns that say where a message lies; its source has partitions in no order of their own."""


def in_order_of_arrival(operation: Operation, *, windows: bool = False) -> bool:
    """Whether an operator is given its source's elements as they came.

    Args:
        operation: the operator.
        windows: whether windows keep them so, one batch after the other.
    """
    return all(is_as_it_came(parent, windows=windows) for parent in operation.parents)


def is_as_it_came(stream: Operation, *, windows: bool = False) -> bool:
    """Whether a stream has its source's elements in the order in which they came."""
    if stream.is_source:
        return _arrives(stream)
    keeps = stream.operator in streaming.KEEPS_ARRIVAL or stream.is_chosen
    keeps |= windows and stream.operator == "window"
    return keeps and in_order_of_arrival(stream, windows=windows)


def in_partitions_of_kafka(operation: Operation) -> bool:
    """Whether an operator is given the elements in the partitions in which Kafka has their messages.

    A direct stream has a partition for each of the topic, a query for each that has new messages.
    """
    (parent, *others) = operation.parents
    if others or not (parent.is_source or parent.operator in streaming.ROWWISE):
        return False
    if parent.is_source:
        return parent.operator == "createDirectStream" and _arrives(parent)
    return in_partitions_of_kafka(parent)


def _arrives(source: Operation) -> bool:
    """Whether a source keeps its elements in order; a message handler says itself which columns are left."""
    handled = len(source.call.args) > _HANDLER or any(
        keyword.arg in ("messageHandler", None) for keyword in source.call.keywords
    )
    return source.use.operator in _IN_ORDER and not handled and source.repeated is None


def shows_order(source: Operation, outputs: Iterable[Operation], facts: Facts) -> bool:
    """Whether an output reads elements in an order that no shuffle has changed."""
    pending = [*outputs]
    while pending:
        operation = pending.pop()
        if operation is source:
            return True
        if operation.operator not in streaming.SHUFFLING and not _hides_order(operation, facts):
            pending += operation.parents
    return False


def _hides_order(operation: Operation, facts: Facts) -> bool:
    """Whether the callback of an operator does nothing that shows the order of an RDD's elements.

    ``lambda rdd: rdd.join(names)`` does not. ``rdd.foreachPartition(save)`` may: lines that are dealt out
    leave partitions without any.
    """
    called = given(operation.call.args[0], facts) if operation.call.args else None
    if operation.operator not in streaming.CALLBACKS or called is None:
        return False
    try:
        callback = called.callback()
    except NotTheSame:
        return False
    reads = callback.reads(callback.rdd)
    return not callback.rebound and all(_is_hidden(node, callback, facts) for node in reads)


def _is_hidden(node: ast.AST, callback: Callback, facts: Facts, *, is_frame: bool = False) -> bool:
    """Whether the methods that are called on an RDD, or are given it, end in one that hides its order.

    So does a view of a DataFrame that is made of it, if all queries group.
    """
    parents = callback.parents
    while True:
        above = parents.get(node)
        if isinstance(above, ast.Assign) and [type(target) for target in above.targets] == [ast.Name]:
            return _is_hidden_variable(above, callback, facts, is_frame=is_frame)
        call = parents.get(above) if isinstance(above, ast.Attribute) else above
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
            return isinstance(above, ast.Attribute) and above.attr == "context" and not is_frame
        if call.func is not above and node not in call.args:
            return False
        method, is_first = call.func.attr, call.args[:1] == [node]
        if is_frame:
            made_view = call.func is above and method in sessions.CHANGES_VIEWS
            return made_view and views_are_only_grouped(facts)
        if method in rdd.HIDES_ORDER:
            return True
        is_frame = method == "toDF" if call.func is above else method == "createDataFrame" and is_first
        if not is_frame and (call.func is not above or method not in rdd.KEEPS_ORDER):
            return False
        node = call


def _is_hidden_variable(statement: ast.Assign, callback: Callback, facts: Facts, *, is_frame: bool) -> bool:
    """The same of what a statement of a callback binds a local variable to."""
    (target,) = statement.targets
    assert isinstance(target, ast.Name)
    reads = callback.reads(target.id)
    return callback.only_binding(target.id) is target and all(
        _is_hidden(node, callback, facts, is_frame=is_frame) for node in reads
    )


def cut_alike(operation: Operation, callback: Callback | None, facts: Facts) -> str:
    """How values are reduced that lie in the partitions in which DStream has them, or may have: Kafka's own.

    What the partitions give is put together as a shuffle fetches it, or on the driver as the partitions are
    listed: an order that neither Spark nor Kafka promises. A receiver may have read one partition after the
    other, each into a block.

    Returns:
        The note on it; empty where they lie elsewhere, or the number of partitions shows.
    """
    calls = [] if callback is None else callback.reducing
    methods = {call.func.attr for call in calls if isinstance(call.func, ast.Attribute)}
    if not (methods <= ((rdd.SUMS | rdd.GROUPS) & rdd.RDDS) | _BY_DRIVER and of_kafka(operation)):
        return ""
    sources = {step.operator for step in upstream(operation) if step.is_source}
    added = _adds(operation, callback, facts) and reduces_numbers(operation, callback, facts)
    if "createStream" in sources:
        return CUT_BY_CLOCK if added else IN_PARTITIONS
    if methods & _BY_DRIVER:
        return CUT_BY_DRIVER if added else MERGED_BY_DRIVER
    return CUT_ALIKE if added else MERGED_ALIKE


def only_lists(callback: Callback | None) -> bool:
    """Whether the calls of a callback that depend on the order only list the values of a key."""
    calls = [] if callback is None else [call.func for call in callback.reducing]
    lists = (isinstance(one, ast.Attribute) and one.attr in rdd.LISTS_OF_VALUES for one in calls)
    return bool(calls) and all(lists)


def is_cut_by_clock(operation: Operation) -> bool:
    """Whether a receiver's clock cuts what is reduced: another time elsewhere, or not at all."""
    sources = [step.use.operator for step in upstream(operation) if step.is_source]
    return all(source in streaming.RECEIVERS | connectors.IN_ONE_PARTITION for source in sources)


def of_kafka(operation: Operation) -> bool:
    """Whether all elements come from Kafka."""
    return all(step.use.operator in _OF_KAFKA for step in upstream(operation) if step.is_source)


def is_whole_sum(operation: Operation, callback: Callback | None, facts: Facts) -> bool:
    """Whether whole numbers are added up, which gives the same in any order and in any partitions."""
    calls = [operation.call] if callback is None else callback.reducing
    if all(adds_as_whole(call, facts) for call in calls):
        return True
    if _adds(operation, callback, facts) and reduces_numbers(operation, callback, facts, whole=True):
        return True
    if callback is not None:
        return False
    (parts, *others) = reduced_parts(operation, callback, facts)
    items = parts if isinstance(parts, tuple) and not others else ()
    whole = [part is Kind.WHOLE for part in items]
    return adds_beside_constants(operation.call, whole, facts) or _adds_beside_key(operation, facts)


def _adds_beside_key(operation: Operation, facts: Facts) -> bool:
    """Whether whole numbers are added up, beside the key that is kept as it is.

    ``pairs.map(lambda p: (p[0], (p[0], p[1]))).reduceByKey(lambda a, b: (a[0], a[1] + b[1]))``
    """
    sums = sums_and_firsts(operation.call, facts)
    (parent, *others) = operation.parents
    if operation.operator != "reduceByKey" or not sums or parent.operator != "map" or others:
        return False
    match parent.call.args:
        case [ast.Lambda(body=ast.Tuple(elts=[key, ast.Tuple(elts=items)]))]:
            parts = elements_of(parent, facts)
        case _:
            return False
    match parts:
        case (kind, (*kinds,)) if has_no_floats(kind) and len(kinds) == len(items) == len(sums):
            pass
        case _:
            return False
    plain = all(isinstance(node, _PART) for node in walk(key))
    return plain and all(
        part is Kind.WHOLE if is_sum else ast.unparse(item) == ast.unparse(key)
        for is_sum, item, part in zip(sums, items, kinds, strict=True)
    )


def _adds(operation: Operation, callback: Callback | None, facts: Facts) -> bool:
    calls = [operation.call] if callback is None else callback.reducing
    parts = reduced_parts(operation, callback, facts)
    return len(calls) == len(parts) and all(map(adds, calls, parts, [facts] * len(calls)))


def shows_cuts(operation: Operation, callback: Callback | None, facts: Facts) -> str:
    """Why the result of an operator or a callback depends on the partitions; empty if it does not."""
    calls = [operation.call] if callback is None else callback.reducing
    if not all(is_associative(call, facts) for call in calls):
        return NOT_ASSOCIATIVE
    if any(compares(call, facts) for call in calls) and may_be_sets(operation, callback, facts):
        return NOT_ASSOCIATIVE
    if all(adds_texts(call, facts) for call in calls):
        return ""
    return FLOATS if may_be_floats(operation, callback, facts) else ""


def cut_by_clock(operation: Operation, callback: Callback | None, facts: Facts) -> str:
    """The note on sums of a receiver's values, which may be floats."""
    return CUT_BY_CLOCK if reduces_numbers(operation, callback, facts) else MAYBE_CUT_BY_CLOCK
