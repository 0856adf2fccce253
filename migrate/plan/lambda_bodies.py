"""The body of a lambda that is an output, as statements of the batch function."""

from __future__ import annotations

import ast
from dataclasses import replace

from migrate.plan.branches import opposite
from migrate.plan.code import Chain, When
from migrate.plan.outputs import Printed
from migrate.plan.step import Step
from migrate.syntax.quoting import quoted


def in_place(step: Step, body: ast.expr) -> Printed:
    """The statements, of columns alone: ``save(rdd) if rdd.count() else None`` becomes a branch."""
    if not isinstance(body, ast.IfExp):
        return Printed(_statement(step, body), True)
    when = When(quoted(body.test), opposite=opposite(body.test))
    if _is_none(body.body):
        return Printed(_statement(step, body.orelse), True, when=replace(when, holds=False))
    otherwise = None if _is_none(body.orelse) else _statement(step, body.orelse)
    return Printed(_statement(step, body.body), True, when=when, otherwise=otherwise)


def _statement(step: Step, node: ast.expr) -> Chain:
    """An expression; new arguments of a call stand in it as they are, so that its lines can be broken."""
    new = dict(step.needs.inner.replaced)
    if not isinstance(node, ast.Call) or not any(one in new for one in node.args):
        return Chain(quoted(node))
    if any(isinstance(one, ast.Starred) for one in node.args):
        return Chain(quoted(node))
    arguments = [new.get(one) or quoted(one) for one in node.args]
    named = ((f"{one.arg}=" if one.arg else "**") + quoted(one.value) for one in node.keywords)
    return Chain(f"{quoted(node.func)}({', '.join([*arguments, *named])})")


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None
