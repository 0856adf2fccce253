"""Streams that have elements only with input, and code of callbacks that runs only then."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from migrate.graph.program import Operation, upstream
from migrate.knowledge import methods, rdd, streaming
from migrate.proofs.analysis.facts import Facts
from migrate.proofs.callbacks.roles import Callback, given_callback, is_rdd
from migrate.proofs.callbacks.rows import Rows
from migrate.syntax.nodes import walk
from migrate.syntax.tree import declared_among, own_nodes

_BEFORE_STATE = 2
"""The arguments of ``updateStateByKey`` before the initial state."""


def may_come_without_input(operation: Operation, facts: Facts) -> bool:
    """Whether the stream that an operator reads may have elements in an interval without input.

    New code runs no batch then, except for a queue, so a side effect would miss these elements.
    """
    above = upstream(operation) - {operation}
    if any(step.operator == "queueStream" for step in above):
        return False
    return not all(step.is_source or _makes_nothing_of_nothing(step, facts) for step in above)


def begins_without_elements(operation: Operation, facts: Facts) -> bool:
    """Whether the stream that an operator reads has no elements as long as none came.

    A running state has none before its first input, unless the program gives it some.
    """
    above = upstream(operation) - {operation}
    return all(
        (step.is_source and step.operator != streaming.QUEUE)
        or (step.operator in streaming.OF_SEVERAL_BATCHES and not _is_given_state(step))
        or _makes_nothing_of_nothing(step, facts)
        for step in above
    )


def _is_given_state(operation: Operation) -> bool:
    """Whether a running state may begin with some keys, by its third argument."""
    call = operation.call
    given = any(keyword.arg in (None, "initialRDD") for keyword in call.keywords)
    return given or len(call.args) > _BEFORE_STATE or any(isinstance(one, ast.Starred) for one in call.args)


def _makes_nothing_of_nothing(operation: Operation, facts: Facts) -> bool:
    if operation.operator != "transform":
        return operation.is_chosen or operation.operator in streaming.NONE_WITHOUT_INPUT
    callback = given_callback(operation.call.args[0], facts) if len(operation.call.args) == 1 else None
    if callback is None:
        return False
    rdds = Rows(callback).rdds
    if isinstance(callback.node, ast.Lambda):
        returned: list[ast.expr | None] = [callback.node.body]
    else:
        returned = [node.value for node in callback.walk() if isinstance(node, ast.Return)]
    made = [value is not None and is_rdd(value, rdds, rdd.NO_MORE) for value in returned]
    return bool(made) and all(made)


def prints_without_rows(callback: Callback) -> bool:
    """Whether a callback itself prints for a batch without input, other than what it caught."""
    rows, parents = Rows(callback), callback.parents
    prints = [
        node
        for node in callback.walk()
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print"
    ]
    return any(
        not only_with_rows(node, rows, parents) and not is_in_handler(node, parents) for node in prints
    )


def is_in_handler(node: ast.AST, parents: dict[ast.AST, ast.AST]) -> bool:
    """Whether code runs only once an exception is caught."""
    step: ast.AST | None = node
    while step is not None and not isinstance(step, ast.ExceptHandler):
        step = parents.get(step)
    return step is not None


def only_with_rows(node: ast.AST, rows: Rows, parents: dict[ast.AST, ast.AST]) -> bool:
    """Whether a place in a callback is reached only for a batch with input."""
    return _only_with_rows(node, rows, parents, frozenset())


def _only_with_rows(
    node: ast.AST, rows: Rows, parents: dict[ast.AST, ast.AST], inside: frozenset[ast.AST]
) -> bool:
    """The same; `inside` are the callback's own functions whose calls are being looked at."""
    callback = rows.callback
    if callback.repeated:
        return False
    if callback.with_rows:
        return True
    if isinstance(node, ast.Call):
        given = [*node.args, *(keyword.value for keyword in node.keywords)]
        if any(map(rows.reads_unbound, given)):
            return True
    child: ast.AST = node
    step = parents.get(node)
    while step is not None:
        if rows.lead_to(child, step) or rows.fail_before(child, step):
            return True
        if isinstance(step, ast.FunctionDef) and step not in inside:
            reads = _reads_of_function(step, callback)
            inside |= {step}
            if reads is not None and all(_only_with_rows(one, rows, parents, inside) for one in reads):
                return True
        child, step = step, parents.get(step)
    own = callback.node
    return isinstance(own, ast.FunctionDef) and rows.fail_before(child, own)


def _reads_of_function(function: ast.FunctionDef, callback: Callback) -> list[ast.Name] | None:
    """The reads of a function that a callback defines, beside its own; None where others may have it."""
    name, nodes = function.name, callback.walk()
    named = [node for node in nodes if isinstance(node, ast.Name) and node.id == name]
    alike = [node for node in nodes if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name == name]
    bound = len(alike) > 1 or any(not isinstance(node.ctx, ast.Load) for node in named)
    if bound or function.decorator_list or name in declared_among(nodes):
        return None
    own = {*walk(function)}
    return [node for node in named if node not in own]


def gives_none_without_rows(callback: Callback) -> bool:
    """Whether a function returns None for an RDD without elements, and something only with some.

    def make_frame(rdd):
        rows = rdd.collect()
        if len(rows) > 0:
            return spark.createDataFrame(rows)
    """
    own = callback.node
    if not isinstance(own, ast.FunctionDef) or own.decorator_list or callback.repeated:
        return False
    rows, parents = Rows(callback), callback.parents
    for node in (node for statement in callback.body for node in own_nodes(statement)):
        if isinstance(node, ast.Yield | ast.YieldFrom):
            return False
        gives = isinstance(node, ast.Return) and not _is_none(node.value)
        if gives and not only_with_rows(node, rows, parents):
            return False
    return True


def _is_none(node: ast.expr | None) -> bool:
    return node is None or (isinstance(node, ast.Constant) and node.value is None)


def does_nothing_without_rows(callback: Callback) -> bool:
    """Whether a callback only asks if its RDD has elements, where it has none.

    def save(rdd):
        if not rdd.isEmpty():
            spark.createDataFrame(rdd).write.saveAsTable("words")
    """
    if not isinstance(callback.node, ast.FunctionDef) or callback.repeated:
        return False
    return _only_asks(callback.node.body, Rows(callback))


def _only_asks(block: Sequence[ast.stmt], rows: Rows) -> bool:
    """Whether statements only ask if there are elements, where there are none."""
    for statement in block:
        match statement:
            case ast.If(test, [ast.Return(None)], []) if not _joins(test) and rows.none(test):
                return True
            case ast.If(test, _, []) if not _joins(test) and rows.some(test):
                continue
            case ast.Try(body, _, [], []) if _only_asks(body, rows):
                continue
            case ast.Assign([ast.Name()], value) if rows.is_count(value) or rows.are_elements(value):
                continue
            case ast.Pass() | ast.Import() | ast.ImportFrom() | ast.Expr(ast.Constant()):
                continue
            case ast.Global(names) if not any(map(rows.callback.binds, names)):
                continue
            case _:
                return False
    return True


def _joins(test: ast.expr) -> bool:
    """Whether a test has several parts, of which one may do anything."""
    return any(isinstance(node, ast.BoolOp) for node in own_nodes(test))


def adds_nothing(node: ast.AugAssign | ast.Call, callback: Callback) -> bool:
    """Whether a change changes nothing for a batch without input: ``total += rdd.count()``."""
    if callback.repeated:
        return False
    rows = Rows(callback)
    if isinstance(node, ast.AugAssign):
        return isinstance(node.op, ast.Add) and (rows.is_count(node.value) or rows.are_elements(node.value))
    method = node.func.attr if isinstance(node.func, ast.Attribute) else ""
    return method in methods.ADDS_ITEMS and len(node.args) == 1 and rows.are_elements(node.args[0])
