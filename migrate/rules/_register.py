"""The list of rules, and the class of those without a native form."""

from __future__ import annotations

from typing import ClassVar, TypeVar

from migrate.model import Options
from migrate.plan.draft.rule import Example, OutputRule, Rule, SourceRule, StateRule
from migrate.plan.draft.step import Step
from migrate.plan.frames.frame import Frame
from migrate.plan.frames.rdd import Rdd


class StaysOnCompat(Rule):
    """An operator without a native form."""

    why: ClassVar[str]

    def refuses_all(self, options: Options) -> str | None:
        return self.why

    def column(self, step: Step, *frames: Frame) -> Frame:
        raise step.blocked(self.why)

    def rdd(self, step: Step, *rdds: Rdd) -> Rdd:
        raise step.blocked(self.why)


_RULES: dict[str, Rule] = {}
R = TypeVar("R", bound=type[Rule])


def register(rule: R) -> R:
    """Put a rule into the list that the command prints and the planner asks."""
    _RULES[rule.operator] = rule()
    return rule


def registered() -> dict[str, Rule]:
    """All rules, by operator."""
    return _RULES


def to_console(frame: str, rows: int = 10) -> str:
    """The end of an example whose query has the console sink.

    Args:
        frame: the variable of the streaming DataFrame.
        rows: how many rows of a batch are shown.
    """
    return (
        "query = (\n"
        f'    {frame}.writeStream.format("console")\n'
        f"    .options(truncate=False, numRows={rows})\n"
        '    .trigger(processingTime="1 second")\n'
        "    .start()\n"
        ")"
    )


def state_to_console(frame: str) -> str:
    """The end of an example whose query prints the first rows of a running state.

    Args:
        frame: the variable of the streaming DataFrame.
    """
    return (
        "query = (\n"
        f"    {frame}.limit(10)\n"
        '    .writeStream.outputMode("complete")\n'
        '    .format("console")\n'
        '    .option("truncate", False)\n'
        '    .trigger(processingTime="1 second")\n'
        "    .start()\n"
        ")"
    )


__all__ = [
    "Example",
    "OutputRule",
    "Rule",
    "SourceRule",
    "StateRule",
    "StaysOnCompat",
    "register",
    "registered",
    "state_to_console",
    "to_console",
]
