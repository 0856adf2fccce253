"""Filters one after the other that stay Python: they are one typed function.

    words.filter(lambda w: w not in known).filter(lambda w: len(parsed(w)) > 1)

    keep_udf = F.udf(lambda w: w not in known and len(parsed(w)) > 1, "boolean")

Spark asks two typed functions of all rows, and the second one may fail for what the first one leaves out.
"""

from __future__ import annotations

import ast

from migrate.columns import Refusal, Scalar, compile_filter
from migrate.graph.operations import Operation
from migrate.knowledge.streaming import ITSELF, ROWWISE
from migrate.plan.draft.step import Step
from migrate.plan.elements.row_functions import NewLambda
from migrate.plan.frames.frame import Frame
from migrate.plan.new_code.inner import Inner
from migrate.syntax.nodes import walk
from migrate.syntax.quoting import quoted
from migrate.syntax.tree import parameter_names
from migrate.typed import Result, result_of_filter


def with_next(
    step: Step, frame: Frame, function: ast.expr, found: Result
) -> tuple[Operation, NewLambda] | None:
    """The filter that alone reads what another one leaves, and the condition of both.

    None where it is another operator, or better a condition by itself.

    Args:
        step: the first filter, which stays Python.
        frame: what it is given.
        function: its condition.
        found: what is known of that.
    """
    if not _only_tells(found):
        return None
    readers = [one for one in step.operation.consumers if one in step.basis.live]
    if len(readers) != 1 or step.callback is not None or not isinstance(frame.element, Scalar):
        return None
    (reader,) = readers
    match reader.operator, reader.call, function:
        case "filter", ast.Call(args=[ast.Lambda() as other], keywords=[]), ast.Lambda():
            names = [*parameter_names(function), *parameter_names(other)]
        case _:
            return None
    scope_of = step.program.tree.scope_of
    plain = _is_plain(function) and _is_plain(other) and _stays(step, frame.element, other)
    if not plain or scope_of(reader.call) is not scope_of(step.operation.call):
        return None
    first, second = names
    read = [node for node in walk(function.body) if isinstance(node, ast.Name)]
    if first != second:
        nested = any(isinstance(node, ast.arg) for node in walk(function.body))
        if nested or second in {node.id for node in read}:
            return None
        own = [*function.args.posonlyargs, *function.args.args, *(node for node in read if node.id == first)]
        step.need(inner=Inner(renamed=tuple((node, second) for node in own)))
    body = f"{quoted(function.body)} and {quoted(other.body)}"
    return reader, NewLambda((second,), body)


def may_move(reader: Operation) -> bool:
    """Whether no later condition may be asked together with the one of a filter and that before it."""
    found = [*reader.consumers]
    for one in found:  # grows while it is walked
        if one.is_chosen or one.operator in ("filter", "foreachRDD", "transform", "transformWith"):
            return False
        found += [other for other in one.consumers if one.operator in ROWWISE | ITSELF and other not in found]
    return True


def _is_plain(function: ast.Lambda) -> bool:
    """Whether a lambda has one parameter and no defaults."""
    arguments = function.args
    more = (arguments.vararg, arguments.kwarg, *arguments.kwonlyargs, *arguments.defaults)
    return len(parameter_names(function)) == 1 and not any(more)


def _stays(step: Step, element: Scalar, function: ast.Lambda) -> bool:
    """Whether a condition is a typed function, with no column in its place, that gives a bool and no more."""
    try:
        compile_filter(function, [element], step.scope)
    except Refusal:
        pass
    else:
        return False
    try:
        found = result_of_filter(function, [element], step.scope)
    except Refusal:
        return False
    return _only_tells(found)


def _only_tells(found: Result) -> bool:
    """Whether a condition gives a bool, and does nothing else."""
    return found.exact and not (found.prints or found.reads_clock or found.stays)
