"""Conditions by whose functions of Python rows are left out, before what may raise on these rows."""

from __future__ import annotations

from migrate.plan.choices import Choices, RatherError
from migrate.plan.frames.frame import Frame


def behind_conditions(frame: Frame, choices: Choices) -> Frame:
    """The frame, whose earlier conditions Spark asks before one that may raise.

    It asks two conditions of typed functions together, of all rows, and a condition of columns before them:
    also one that reads what a function made of the rows that are left.

    Raises:
        RatherError: functions of them must not be moved.
    """
    loose = frame.conditions - choices.pinned
    if loose:
        raise RatherError(Choices(pinned=loose))
    return frame
