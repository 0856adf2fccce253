"""Actions that make one value of all elements of an RDD: ``rdd.max()`` is ``df.agg(F.max("n")).first()[0]``.

An aggregate of no rows is None, where an RDD without elements raises: so a place that is only reached with
elements is asked for, but for ``sum``, which is 0 then.
"""

from __future__ import annotations

import ast

from migrate.columns import COUNT, Refusal, Scalar, compile_reduce
from migrate.columns.shapes import Float
from migrate.frozen import replace
from migrate.plan.column_functions import need_compiled
from migrate.plan.stages import Frame
from migrate.plan.step import Step
from migrate.plan.tokens import check_kept, tokens_of
from migrate.proofs.guards import only_with_rows
from migrate.proofs.roles import Callback
from migrate.proofs.rows import Rows

ACTIONS = frozenset({"max", "min", "reduce", "sum"})


def value_of(step: Step, callback: Callback, node: ast.Call, frame: Frame) -> tuple[str, bool]:
    """The code of the value, which is computed on a column, and whether floats are summed for it.

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
        return frame.call("count()").chain.text, False
    code = made.code if has_rows else f"F.coalesce({made.code}, F.lit(0))"
    return frame.grouped_by().call(f"agg({code})", "first()[0]").chain.text, isinstance(made.shape, Float)


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
