"""DataFrames of lists, whose items become columns: ``createDataFrame`` of ``line.split(",", 1)``.

Spark makes as many columns as the first list has items, and fails where another one has more or fewer. Here
each list has to have as many as any may have: in ANSI mode the query fails where one has fewer.
"""

from __future__ import annotations

import ast

from migrate.columns import Scalar, compile_map
from migrate.columns.guards import Guards
from migrate.columns.shapes import List
from migrate.plan.draft.step import Step
from migrate.plan.elements.column_functions import need_compiled
from migrate.plan.frames.frame import Frame
from migrate.syntax.copies import changed

FEWER = "a batch whose lists all lack the last item, of which `createDataFrame` made fewer columns"


def of_lists(step: Step, frame: Frame, node: ast.Call) -> Frame | None:
    """The items of a frame's lists, each in a column; None where it is not known how many there may be.

    Args:
        step: the operator whose callback makes the DataFrame.
        frame: the lists.
        node: the call that makes it.
    """
    shape = frame.element.shape if isinstance(frame.element, Scalar) else None
    if not isinstance(shape, List) or shape.at_most is None:
        return None
    if step.options.strict or not step.basis.guards.left_to_spark:
        return None
    items = ", ".join(f"items[{place}]" for place in range(shape.at_most))
    function = ast.parse(f"lambda items: ({items},)", mode="eval").body
    assert isinstance(function, ast.Lambda)
    for part in ast.walk(function):
        ast.copy_location(part, node)
    compiled = compile_map(function, [frame.element], changed(step.scope, guards=Guards.ANSI))
    need_compiled(step, compiled.demands)
    made = frame.holding(compiled.element)
    if shape.at_least < shape.at_most:
        step.need(raises=(FEWER,), narrower=frozenset({step.operation}), ansi=True)
    return made
