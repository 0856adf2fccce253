"""DataFrames of JSON objects, whose keys become columns: ``rdd.toDF()`` of dicts.

Spark takes the columns from the first dict, in the order of their names. They are known where all objects
that were learnt have the same keys, with values of one type; one with another key fails the query.
"""

from __future__ import annotations

import ast

from migrate.columns import Record, Scalar, compile_only_keys, dict_keys, named_items
from migrate.frozen import replace
from migrate.plan.draft.step import Step
from migrate.plan.elements.column_functions import mapped, need_compiled
from migrate.plan.frames.frame import Frame


def of_dicts(step: Step, frame: Frame, node: ast.Call) -> Frame | None:
    """The values of all keys of a frame's JSON objects, by their names; None where they are not known.

    Args:
        step: the operator whose callback makes the DataFrame.
        frame: the objects.
        node: the call that makes it.

    Raises:
        Refusal: a value has no Column form.
    """
    keys = dict_keys(frame.element) if isinstance(frame.element, Scalar) else ()
    if not keys:
        return None
    values = ", ".join(f"event[{key!r}]" for key in keys)
    function = ast.parse(f"lambda event: ({values},)", mode="eval").body
    assert isinstance(function, ast.Lambda)
    for part in ast.walk(function):
        ast.copy_location(part, node)
    frame, made = mapped(step, frame, function)
    assert isinstance(made, Record) and isinstance(made.items[0], Scalar)
    compiled = compile_only_keys(made.items[0], keys, step.scope)
    need_compiled(step, compiled.demands)
    assert isinstance(compiled.element, Scalar)
    named = replace(named_items(made, keys), fields=tuple(keys))
    return frame.where(compiled.element.code).holding(named)
