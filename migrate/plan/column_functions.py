"""The functions of operators as columns; no step that may raise in Python is lost."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import replace

from migrate.columns import Compiled, Element, Exploded, Helper, compile_filter, compile_flat_map, compile_map
from migrate.columns.objects import NOTE as JSON
from migrate.plan.step import Step
from migrate.plan.tokens import check_kept, renumbered, tokens_of


def map_columns(step: Step, function: ast.expr, element: Element) -> Element:
    """The result of a function on an element, as columns.

    Raises:
        Refusal: the function has no Column form.
    """
    compiled = compile_map(function, [element], step.scope)
    return _noted(step, compiled, element, function)


def condition_of(step: Step, function: ast.expr, element: Element) -> str:
    """A predicate as the code of a condition on columns.

    Raises:
        Refusal: the function has no Column form.
    """
    compiled = compile_filter(function, [element], step.scope)
    return _noted(step, compiled, element, function).code  # type: ignore[union-attr]


def explode(step: Step, function: ast.expr, element: Element) -> Exploded:
    """The function of a flatMap as an explode.

    Raises:
        Refusal: the function has no Column form.
    """
    exploded = compile_flat_map(function, [element], step.scope, step.hint)
    need_compiled(step, exploded.notes, exploded.helpers)
    check_kept(tokens_of(element), tokens_of(exploded.array), function, "`flatMap`")
    known = tokens_of(element)
    return replace(exploded, element=renumbered(exploded.element, known))


def _noted(step: Step, compiled: Compiled, before: Element, function: ast.expr) -> Element:
    check_kept(tokens_of(before), tokens_of(compiled.element), function, f"`{step.operation.operator}`")
    need_compiled(step, compiled.notes, compiled.helpers)
    return renumbered(compiled.element, tokens_of(before))


def need_compiled(step: Step, notes: Iterable[str], helpers: Iterable[Helper]) -> None:
    """Add the notes and helpers of compiled code to the needs."""
    notes = tuple(notes)
    if JSON in notes:
        step.unsafe()
    # each of the others says where native code raises although Python gives a value
    narrower = frozenset({step.operation} if set(notes) - {JSON} else ())
    step.need(notes=notes, helpers={helper.name: helper for helper in helpers}, narrower=narrower)
