"""Windows: over processing time they stay on compat; ``--event-time`` makes them windows over event time."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import ClassVar

from migrate.model import Options
from migrate.plan.duration import duration
from migrate.plan.stages import EventWindow, Frame, Rdd
from migrate.plan.step import Step
from migrate.proofs.constants import constant
from migrate.proofs.loop_invariant import is_loop_invariant
from migrate.rules._register import Example, Rule
from migrate.rules._same import is_none
from migrate.syntax.quoting import quoted

WHY = (
    "a window over processing time has no exact native form: intervals without input run no "
    "batch, so it would not drain (--event-time makes it one over event time)"
)
UNSAFE = (
    "windows are over the event time `{column}` and aligned to the epoch, those of DStream over the time of "
    "arrival and aligned to the start: --event-time"
)
OUTPUT = {
    True: "output mode append: a window is put out once, when the watermark has passed its end; rows that "
    "come later are dropped",
    False: "output mode update: a window is put out whenever it changes, and is kept for ever; --watermark "
    "closes it",
}


class Windowed(Rule):
    """A window with the aggregate of its elements."""

    parameters: ClassVar[tuple[str, ...]]
    """The operator's parameters, in order."""

    def __init_subclass__(cls) -> None:
        cls.summary = f"{cls.operator} is a window over event time with --event-time, else it stays on compat"

    def refuses_all(self, options: Options) -> str | None:
        """Windows need an event time."""
        return WHY if options.event_time is None else None

    def column(self, step: Step, *frames: Frame) -> Frame:
        found = step.arguments(*self.parameters)
        return self.aggregate(step, over_event_time(step, frames[0], found), found)

    def aggregate(self, step: Step, frame: Frame, found: dict[str, ast.expr]) -> Frame:
        """The aggregate of the elements of a window.

        Raises:
            Refusal: it is not proven to be an aggregate of columns.
        """
        return frame

    def rdd(self, step: Step, *rdds: Rdd) -> Rdd:
        raise step.blocked(WHY if step.options.event_time is None else "it needs columns")


def stays(*calls: str) -> tuple[Example, ...]:
    """Examples of calls that are not changed."""
    return tuple(Example(call, call) for call in calls)


def over_event_time(step: Step, frame: Frame, found: dict[str, ast.expr]) -> Frame:
    """The frame, of which the next aggregate is over windows of event time.

    Raises:
        Blocked: nobody asked for that, its length is not known there, or is less than its slide.
    """
    options = step.options
    if options.event_time is None:
        raise step.blocked(WHY)
    length, slide = found.get("windowDuration"), found.get("slideDuration")
    if length is None:
        raise step.blocked("its length is missing")
    if slide is None or is_none(slide):
        slide = step.basis.interval
        if slide is None or not is_loop_invariant(slide, step.facts):
            raise step.blocked("it slides by the batch interval, which is not known where the window is")
    long, often = _seconds(step, length), _seconds(step, slide)
    if long is not None and often is not None and often > long:
        raise step.blocked("it slides by more than its length, which a window over event time cannot")
    step.unsafe()
    step.note(UNSAFE.format(column=options.event_time))
    step.note(OUTPUT[options.watermark is not None])
    window = EventWindow(
        options.event_time,
        _spelled(step, length, "window_duration"),
        _spelled(step, slide, "slide_duration"),
        options.watermark,
    )
    return replace(frame, window=window)


def _spelled(step: Step, node: ast.expr, called: str) -> str:
    """Code for a duration where the aggregate stands, which may be lines further down.

    Args:
        step: the operator.
        node: the duration.
        called: the name of a variable for it.

    Raises:
        Blocked: it must be evaluated in another function than that which holds the aggregate.
    """
    line = step.line
    is_here = line is not None and step.basis.state in line.operations
    text = quoted(node) if is_here else step.argument(node, called)
    return duration(node, text)


def _seconds(step: Step, node: ast.expr) -> float | None:
    """The value of a duration that is written out, or bound once to a literal."""
    value: object = node.value if isinstance(node, ast.Constant) else None
    if isinstance(node, ast.Name):
        value = constant(node.id, node.lineno, step.facts)[1]
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None
