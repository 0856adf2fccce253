"""Typed functions that stand right above the callback which reads them.

    title_udf = F.udf(lambda value: value.title(), "string")


    def show(batch):
        batch.select(title_udf("value")).show()

They need no session to be made, and are read beside their use.
"""

from __future__ import annotations

import ast

from migrate.plan.code import Inner
from migrate.plan.step import Step
from migrate.syntax.nodes import position, walk


def callback_below(step: Step) -> ast.FunctionDef | None:
    """The callback above which a typed function can stand that this method of its RDD is given.

    None where it reads variables of functions, or what the module binds below that place.
    """
    callback, facts = step.callback, step.facts
    if not isinstance(callback, ast.FunctionDef) or callback not in facts.tree.body or not _has_lines(step):
        return None
    (function, *_) = step.operation.call.args or (None,)
    if not isinstance(function, ast.Name | ast.Lambda):
        return None
    names = [node for node in walk(function) if isinstance(node, ast.Name)]
    if {home for name in names if (home := facts.home(name)) is not None} - {*walk(function)}:
        return None
    read = {"F", *((function.id,) if isinstance(function, ast.Name) else ())}
    below = (binding for name in read for binding in facts.bindings.get(name, ()))
    return None if any(position(binding) > position(callback) for binding in below) else callback


def _has_lines(step: Step) -> bool:
    """Whether the module is a file, whose imports stand above all of it."""
    return not any(module.form.has_cells for module in step.program.modules if module.tree is step.facts.tree)


def put_above(step: Step, callback: ast.FunctionDef, wanted: str, code: str) -> str:
    """The name that a statement above a callback gives to a typed function, where ``{name}`` stands."""
    before, _, after = code.partition("{name}")
    for place, row in step.known.inner.before:
        name = row[len(before) : len(row) - len(after)]
        if place is callback and row == f"{before}{name}{after}" and name.isidentifier():
            return name
    name = step.fresh(wanted, anywhere=True)
    step.need(inner=Inner(before=((callback, before + name + after),)))
    return name
