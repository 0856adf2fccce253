"""Actions that make one value of all elements of an RDD: ``rdd.max()`` is ``df.agg(F.max("n")).first()[0]``.

An aggregate of no rows is None, where an RDD without elements raises: so a place that is only reached with
elements is asked for, but for ``sum``, which is 0 then.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from itertools import groupby

from migrate.columns import COUNT, Refusal, Scalar, compile_reduce
from migrate.columns.shapes import Float
from migrate.frozen import dataclass, replace
from migrate.plan.draft.step import Step
from migrate.plan.elements.column_functions import need_compiled
from migrate.plan.frames.frame import Frame
from migrate.plan.frames.tokens import check_kept, tokens_of
from migrate.plan.new_code.code import Call
from migrate.proofs.callbacks.guards import only_with_rows
from migrate.proofs.callbacks.roles import Callback
from migrate.proofs.callbacks.rows import Rows
from migrate.syntax.nodes import walk
from migrate.syntax.quoting import quoted

ACTIONS = frozenset({"max", "min", "reduce", "sum"})


@dataclass(frozen=True)
class Aggregate:
    """The value of an action, as code."""

    code: str
    frame: str = ""
    """Code of the DataFrame that is aggregated; empty if its rows are counted."""
    column: str = ""
    """Code of the aggregate."""
    is_float: bool = False
    """Whether floats are summed."""


def value_of(step: Step, callback: Callback, node: ast.Call, frame: Frame) -> Aggregate:
    """The value, which is computed on a column.

    Args:
        step: the operator that is given the callback.
        callback: the function that the action stands in.
        node: the call of the action.
        frame: the DataFrame that stands for the RDD.

    Raises:
        Refusal: it is no known aggregate of ints or texts, nor a sum of floats, or there may be no elements.
    """
    assert isinstance(node.func, ast.Attribute)
    name = node.func.attr
    function = _function(node, name, step)
    has_rows = not frame.filtered and _has_rows(callback, node)
    if name != "sum" and not has_rows:
        raise Refusal(f"`{name}` raises for an RDD without elements, and a DataFrame gives None", node)
    compiled = compile_reduce(function, frame.element, step.scope, floats=has_rows)
    made = compiled.element
    if not isinstance(made, Scalar):
        raise Refusal(f"`{name}` gives a tuple", node)
    check_kept(tokens_of(frame.element), tokens_of(made), function, f"`{name}`")
    need_compiled(step, compiled.demands)
    if made.aggregate == COUNT:
        return Aggregate(frame.call(Call("count", "")).chain.text)
    column = made.code if has_rows else f"F.coalesce({made.code}, F.lit(0))"
    grouped = frame.grouped_by()
    code = grouped.call(Call("agg", column), Call("first", "", item=0)).chain.text
    return Aggregate(code, grouped.chain.text, column, isinstance(made.shape, Float))


def together(call: ast.Call, values: Mapping[ast.AST, Aggregate], replaced: Mapping[ast.AST, str]) -> str:
    """The code of a call of which several arguments, one after the other, are aggregates of one DataFrame.

    ``print(rdd.max(), rdd.min())`` is ``print(*rows.agg(F.max("n"), F.min("n")).first())``. Empty if there
    are none, another argument is replaced inside, or comments may stand between them.
    """
    groups = [
        (frame, list(group))
        for frame, group in groupby(call.args, lambda one: values[one].frame if one in values else "")
    ]
    if call.lineno != call.end_lineno or not any(frame and len(group) > 1 for frame, group in groups):
        return ""
    others = [one for one in (call.func, *call.args, *call.keywords) if one not in replaced]
    if any(node in replaced for one in others for node in walk(one)):
        return ""
    given = []
    for frame, group in groups:
        if frame and len(group) > 1:
            given.append(f"*{frame}.agg({', '.join(values[one].column for one in group)}).first()")
        else:
            given += [replaced.get(one) or _as_given(one) for one in group]
    given += [
        f"{one.arg}={quoted(one.value)}" if one.arg else f"**{quoted(one.value)}" for one in call.keywords
    ]
    return f"{quoted(call.func)}({', '.join(given)})"


def _as_given(argument: ast.expr) -> str:
    """An argument as new code."""
    return f"*{quoted(argument.value)}" if isinstance(argument, ast.Starred) else quoted(argument)


def _function(node: ast.Call, name: str, step: Step) -> ast.expr:
    """The function of two values that the action reduces them with."""
    if node.keywords or len(node.args) != (name == "reduce"):
        raise Refusal(f"`{name}` has arguments that are not covered", node)
    if name == "reduce":
        return node.args[0]
    if name in step.facts.shadowed:
        raise Refusal(f"`{name}` may be something else in this file", node)
    text = "lambda a, b: a + b" if name == "sum" else f"lambda a, b: {name}(a, b)"
    function = ast.parse(text, mode="eval").body
    return ast.fix_missing_locations(ast.copy_location(function, node))


def _has_rows(callback: Callback, node: ast.Call) -> bool:
    """Whether the RDD of a callback has elements where an expression is evaluated.

    That holds for states and windows, too, which may have elements without input.
    """
    asked = replace(callback, repeated=False)
    return only_with_rows(node, Rows(asked), asked.parents)
