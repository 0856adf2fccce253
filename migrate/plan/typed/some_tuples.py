"""A function that gives tuples for some elements and None for the others, which the next filter leaves out.

words.map(label).filter(lambda pair: pair is not None)

words.where(in_good | in_bad).select(F.when(in_good, "good").otherwise("bad").alias("key"))
"""

from __future__ import annotations

import ast

from migrate.columns import Refusal, compile_some, leaves
from migrate.graph.operations import Operation
from migrate.plan.draft.step import Step
from migrate.plan.elements.column_functions import need_compiled
from migrate.plan.frames.frame import Frame
from migrate.plan.typed.typed_functions import deciding
from migrate.syntax.tree import parameter_names


def with_some(step: Step, frame: Frame, function: ast.expr) -> Frame | None:
    """The frame of the tuples alone, which the filter that reads them leaves as it is; None for any other.

    Args:
        step: the ``map``.
        frame: its elements.
        function: its function.
    """
    reader = _leaving_out_none(step)
    if reader is None:
        return None
    try:
        condition, made = compile_some(function, [frame.element], step.scope)
    except Refusal:
        return None
    parts = leaves(made.element)
    if made.demands.parsed or any(part.partial or part.tokens for part in (condition, *parts)):
        return None
    need_compiled(step, made.demands)
    step.need(joined=frozenset({reader}))
    decides = deciding(step, frame, condition)
    return frame.where(condition.code, filtered=True, conditions=decides).holding(made.element)


def _leaving_out_none(step: Step) -> Operation | None:
    """The filter that alone reads a stream, and leaves out None and no tuple."""
    readers = [one for one in step.operation.consumers if one in step.basis.live]
    if step.callback is not None:
        return None
    match readers[0] if len(readers) == 1 else None:
        case Operation(operator="filter", call=ast.Call(args=[ast.Lambda() as kept], keywords=[])) as reader:
            names = parameter_names(kept)
            held = [_holds(kept.body, names[0], is_none) for is_none in (False, True)] if names else []
            scope_of = step.program.tree.scope_of
            beside = scope_of(reader.call) is scope_of(step.operation.call) and not reader.is_chosen
            return reader if beside and held == [True, False] else None
    return None


def _holds(node: ast.expr, name: str, is_none: bool) -> bool | None:
    """Whether a condition on a variable holds where that is None, or a tuple; None where it is not known."""
    match node:
        case ast.Name(read) if read == name:
            return not is_none
        case ast.Constant(value):
            return bool(value)
        case ast.Compare(ast.Name(read), [operator], [ast.Constant(None)]) if read == name:
            if isinstance(operator, ast.Is | ast.Eq):
                return is_none
            return not is_none if isinstance(operator, ast.IsNot | ast.NotEq) else None
        case ast.UnaryOp(ast.Not(), operand):
            held = _holds(operand, name, is_none)
            return None if held is None else not held
        case ast.IfExp(test, body, orelse):
            held = _holds(test, name, is_none)
            return None if held is None else _holds(body if held else orelse, name, is_none)
    return None
