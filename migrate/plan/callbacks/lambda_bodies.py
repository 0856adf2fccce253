"""The body of a lambda that is an output, as statements of the batch function."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from migrate.frozen import replace
from migrate.plan.draft.branches import opposite
from migrate.plan.draft.outputs import Printed
from migrate.plan.draft.step import Step
from migrate.plan.frames.frame import Frame
from migrate.plan.new_code.code import Call, Chain, When, calling
from migrate.plan.new_code.function_call import LEFT_OUT, Argument, as_it_stands, before_value
from migrate.syntax.quoting import quoted


def in_place(step: Step, body: ast.expr) -> Printed:
    """The statements, of columns alone: ``save(rdd) if rdd.count() else None`` becomes a branch."""
    if not isinstance(body, ast.IfExp):
        return Printed(_statement(step, body), column=True)
    when = When(quoted(body.test), opposite=opposite(body.test))
    if isinstance(body.body, ast.Constant):
        return Printed(_statement(step, body.orelse), column=True, when=replace(when, holds=False))
    otherwise = None if isinstance(body.orelse, ast.Constant) else _statement(step, body.orelse)
    return Printed(_statement(step, body.body), column=True, when=when, otherwise=otherwise)


def continued(step: Step, body: ast.expr, frame: Frame, variable: str) -> Printed | None:
    """The links of ``rdd.toDF().sort("n").show()`` below those that make the DataFrame, as one chain.

    Args:
        step: the output.
        body: the lambda's.
        frame: what makes the DataFrame.
        variable: what stands for it in the new code of the lambda, which is the only read of it.

    Returns:
        None where the body is no such chain.
    """
    new, renamed = dict(step.needs.inner.replaced), dict(step.needs.inner.renamed)
    calls: list[Call] = []
    node = body
    while node not in new and node not in renamed:
        match node:
            case ast.Call(func=ast.Attribute(value=value) as method) if method not in new:
                if any(isinstance(one, ast.Starred) for one in node.args):
                    return None
                name = renamed.get(method, method.attr)
                given = ", ".join(one.text for one in _arguments(node, new))
                calls.insert(0, Call(name, given, origin=(node,)))
                node = value
            case _:
                return None
    if not calls or new.get(node, renamed.get(node)) != variable:
        return None
    output = step.operation.call
    made = [
        replace(one, origin=tuple(call for call in one.origin if call is not output)) for one in frame.calls
    ]
    calls[-1] = replace(calls[-1], origin=(*calls[-1].origin, output))
    return Printed(Chain(frame.base, (*made, *calls)), column=True)


def _arguments(call: ast.Call, new: Mapping[ast.AST, str]) -> list[Argument]:
    """The arguments of a call, new ones as they are."""
    given = [
        Argument(new[one]) if one in new else as_it_stands(one)
        for one in call.args
        if new.get(one) != LEFT_OUT
    ]
    named = [one for one in call.keywords if new.get(one.value) != LEFT_OUT]
    return [*given, *(as_it_stands(one.value, before_value(one.arg)) for one in named)]


def _statement(step: Step, node: ast.expr) -> Chain:
    """An expression; new arguments of a call stand in it as they are, so that its lines can be broken."""
    new = dict(step.needs.inner.replaced)
    if not isinstance(node, ast.Call):
        return Chain(quoted(node))
    if not any(one in new for one in (*node.args, *(keyword.value for keyword in node.keywords))):
        return Chain(quoted(node))
    if any(isinstance(one, ast.Starred) for one in node.args):
        return Chain(quoted(node))
    return calling(node.func, *_arguments(node, new))
