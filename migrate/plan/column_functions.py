"""The functions of operators as columns; no step that may raise in Python is lost."""

from __future__ import annotations

import ast
from dataclasses import replace

from migrate.columns import (
    Compiled,
    Element,
    Exploded,
    Scalar,
    compile_filter,
    compile_flat_map,
    compile_map,
)
from migrate.columns.element import Demands
from migrate.columns.json_values import LEARNT
from migrate.columns.objects import NOTE as JSON
from migrate.plan.step import Step
from migrate.plan.tokens import check_kept, renumbered, tokens_of


def map_columns(step: Step, function: ast.expr, element: Element, place: int | None = None) -> Element:
    """The result of a function on an element, as columns.

    Args:
        step: the operator.
        function: the function.
        element: what it is given.
        place: which item of the new elements the result is, if they are tuples of it and others.

    Raises:
        Refusal: the function has no Column form.
    """
    compiled = compile_map(function, [element], step.scope_of(place))
    return _noted(step, compiled, element, function)


def condition_of(step: Step, function: ast.expr, element: Element) -> Scalar:
    """A predicate as a condition on columns.

    Raises:
        Refusal: the function has no Column form.
    """
    compiled = compile_filter(function, [element], step.scope)
    condition = _noted(step, compiled, element, function)
    assert isinstance(condition, Scalar)
    return condition


def explode(step: Step, function: ast.expr, element: Element, place: int | None = None) -> Exploded:
    """The function of a flatMap as an explode; see `map_columns`.

    Raises:
        Refusal: the function has no Column form.
    """
    exploded = compile_flat_map(function, [element], step.scope_of(place), step.hint)
    need_compiled(step, exploded.demands)
    check_kept(tokens_of(element), tokens_of(exploded.array), function, "`flatMap`")
    known = tokens_of(element)
    return replace(exploded, element=renumbered(exploded.element, known))


def _noted(step: Step, compiled: Compiled, before: Element, function: ast.expr) -> Element:
    check_kept(tokens_of(before), tokens_of(compiled.element), function, f"`{step.operation.operator}`")
    need_compiled(step, compiled.demands)
    return renumbered(compiled.element, tokens_of(before))


def need_compiled(step: Step, demands: Demands) -> None:
    """Add what compiled code demands to the needs."""
    if JSON in demands.notes:
        step.unsafe()
    if LEARNT in demands.notes:
        step.learnt()
    own = frozenset({step.operation})
    step.need(
        notes=demands.notes,
        helpers={helper.name: helper for helper in demands.helpers},
        raises=demands.raises,
        gives=demands.gives,
        ansi=demands.ansi,
        narrower=own if demands.raises else frozenset(),
        looser=own if demands.gives else frozenset(),
    )
