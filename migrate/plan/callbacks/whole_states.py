"""Callbacks of a running state, all of which must be computed in each batch, or it is not kept."""

from __future__ import annotations

import ast
from collections.abc import Collection, Container

from migrate.columns import leaves
from migrate.columns.shapes import Int, Str
from migrate.frozen import replace
from migrate.plan.callbacks.conversion import Conversion
from migrate.plan.draft.outputs import Printed
from migrate.plan.draft.step import Step
from migrate.plan.frames.frame import Frame
from migrate.plan.frames.stages import Stage
from migrate.proofs.callbacks.computes_all import computes_all, times_acted
from migrate.proofs.callbacks.roles import Callback, forwarded, given


def of_state(step: Step, stage: Stage, printed: Printed) -> Printed:
    """The output of a callback, if it is of a running state: whether it computes all of it, and how often."""
    if not _is_of_state(step):
        return printed
    called = given(step.function("func"), step.facts)
    assert called is not None
    callback, inner = called.callback(), step.needs.inner
    handed = forwarded(callback, step.facts) if called.editable else None
    callback = callback if handed is None else handed.callback
    gone = {*(node for node, _ in inner.replaced), *inner.dropped}
    counted = {below for below, put in inner.before if put.counts}
    if not _computes_all(step, callback, stage, gone, counted):
        return printed
    looks = sum(put.looks for _, put in inner.before)
    return replace(printed, whole=True, uses=max(printed.uses, looks + times_acted(callback, step.facts)))


def count_rows(conversion: Conversion) -> None:
    """Let a callback count the rows of a running state where it looks for one, if that computes all of it."""
    step, callback, frame = conversion.step, conversion.callback, conversion.frame
    if not _is_of_state(step) or frame.whole:
        return
    gone = {*conversion.replaced, *conversion.dropped}
    looks = {*conversion.guards}
    if _computes_all(step, callback, frame, gone) or not _computes_all(step, callback, frame, gone, looks):
        return
    conversion.guards = {below: replace(one, counts=True) for below, one in conversion.guards.items()}


def _is_of_state(step: Step) -> bool:
    return step.basis.state is not None and step.operation.parents[0] is step.basis.state


def _computes_all(
    step: Step,
    callback: Callback,
    stage: Stage,
    gone: Collection[ast.AST],
    counted: Container[ast.stmt] = (),
) -> bool:
    """Whether a callback is certain to compute all of a state."""
    shapes = [leaf.shape for leaf in leaves(stage.element)] if isinstance(stage, Frame) else []
    numbers = [one for one in shapes if not isinstance(one, Str)]
    only_grow = bool(shapes) and all(isinstance(one, Int) and one.amount for one in numbers)
    # in complete mode Spark puts all rows into a partition's state before it hands out the first one
    complete = not step.options.changed_keys and step.basis.event_time is None
    return computes_all(callback, step.facts, gone, only_grow=only_grow, at_once=complete, counted=counted)
