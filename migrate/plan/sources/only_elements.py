"""Streams with one element for certain, ``words.count()``: it is a value of the batch function."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from migrate.frozen import replace
from migrate.graph.operations import Line, Operation
from migrate.plan.draft.draft import Draft
from migrate.plan.draft.step import Step
from migrate.plan.frames.frame import Frame
from migrate.plan.frames.rdd import Rdd, of_one
from migrate.plan.names.variable_names import frame_name
from migrate.plan.new_code.code import Chain, Value, When
from migrate.plan.new_code.inner import Inner
from migrate.plan.typed.shown_rows import may_come_late
from migrate.proofs.callbacks.roles import Callback
from migrate.syntax.nodes import walk
from migrate.syntax.quoting import quoted
from migrate.syntax.tree import parameter_names

_LATER = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
"""Expressions that evaluate a part of them several times, or later."""


def with_one(step: Step, element: Value, rdd: Rdd) -> Rdd:
    """An RDD whose only element is some value, in the place of another one."""
    context = f"{step.names.batch}.sparkSession.sparkContext"
    made = of_one(context, element.code)
    return Rdd(made, (), rdd.sure, origin=rdd.origins, only=element, context=context, is_made=True)


def with_items(step: Step, items: str, rdd: Rdd) -> Rdd:
    """An RDD of a list of the batch function, in the place of another one."""
    context = f"{step.names.batch}.sparkSession.sparkContext"
    made = f"{context}.parallelize({items}, 1)"
    return Rdd(made, (), rdd.sure, origin=rdd.origins, context=context, is_made=True)


def of_only_element(
    callback: Callback, element: Value | None, above: Mapping[ast.AST, ast.AST]
) -> tuple[tuple[ast.AST, str], ...] | None:
    """What a callback that only takes the elements of its RDD has in their place; None for any other one.

    Args:
        callback: ``lambda rdd: send(rdd.collect())``.
        element: the only element; None if there may be another number of them.
        above: the parents of its code.
    """
    if element is None:
        return None
    reads = list(callback.reads(callback.rdd))
    found: list[tuple[ast.AST, str]] = []
    for read in reads:
        method = above[read]
        call = above[method]
        match call:
            case ast.Call(ast.Attribute(attr="collect"), [], []):
                code = f"[{element.code}]"
            case ast.Call(ast.Attribute(attr="first"), [], []):
                code = element.code
            case _:
                return None
        if call.func is not method:
            return None
        found.append((call, code))
    return tuple(found) if len(found) == 1 or (found and element.is_variable) else None


def is_only_printed(step: Step, operation: Operation) -> bool:
    """Whether nothing is made of a stream but prints of it, and of what functions make of its elements.

    They stand in one function, beside the operator.
    """
    scope = step.program.tree.scope_of(operation.call)
    readers = [one for one in operation.consumers if one in step.basis.live]
    return bool(readers) and all(
        step.program.tree.scope_of(one.call) is scope
        and (
            prints_one(one)
            or (one.operator == "map" and _is_applied(one, step) and is_only_printed(step, one))
        )
        for one in readers
    )


def prints_one(operation: Operation) -> bool:
    """Whether an operator prints one record at least."""
    if operation.operator != "pprint":
        return False
    given = [*operation.call.args, *(keyword.value for keyword in operation.call.keywords)]
    return not given or (
        isinstance(given[0], ast.Constant) and isinstance(given[0].value, int) and given[0].value > 0
    )


def _is_applied(operation: Operation, step: Step) -> bool:
    """Whether a lambda reads its parameter once, and may be called where its result is printed."""
    match operation.call.args:
        case [ast.Lambda(ast.arguments(args=[parameter], defaults=[])) as function]:
            body = list(walk(function.body))
            reads = [node for node in body if isinstance(node, ast.Name) and node.id == parameter.arg]
            later = any(isinstance(node, _LATER) for node in body)
            return len(reads) == 1 and not later and may_come_late(function, step.facts)
    return False


def applied(step: Step, function: ast.expr, element: Value) -> Value | None:
    """A function's value for an element; None where it would evaluate the element twice."""
    if not isinstance(function, ast.Lambda):
        is_name = isinstance(function, ast.Name)
        return Value(f"{step.argument(function)}({element.code})") if is_name else None
    names = parameter_names(function)
    body = list(walk(function.body))
    if len(names) != 1 or function.args.defaults or any(isinstance(node, _LATER) for node in body):
        return None
    if function.body in body and isinstance(function.body, ast.Name) and function.body.id == names[0]:
        return element
    reads = [node for node in body if isinstance(node, ast.Name) and node.id == names[0]]
    if len(reads) != 1 and not element.is_variable:
        return None
    step.need(inner=Inner(tuple((node, element.code) for node in reads)))
    return Value(quoted(function.body))


def name_number(draft: Draft, operation: Operation, line: Line) -> When | None:
    """Give a number of rows a variable, where a stream has none if that is 0.

    Returns:
        The condition under which the stream has an element; None for other streams.
    """
    stage = draft.stages[operation]
    if not isinstance(stage, Frame) or stage.only is None or not stage.only_some:
        return None
    target = draft.basis.targets.get(operation, "")
    if not draft.basis.facts.only_binding(target) or frame_name(target) != target:
        target = draft.fresh("number")
    made = Chain(stage.only.code, target=target)
    if draft.body.variable_with(made) == target:  # a window holds it as well
        draft.body.pending.append(line.statement)
    else:
        draft.body.write(made, line.statement)
    draft.stages[operation] = replace(stage, only=Value(target, is_variable=True), only_some=False)
    return When(target)
