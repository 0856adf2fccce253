"""What a rule is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, TypeVar

from migrate.columns import Refusal
from migrate.knowledge.streaming import rule_id
from migrate.model import Options
from migrate.plan.outputs import Printed, Source
from migrate.plan.stages import Frame, Rdd, Stage
from migrate.plan.step import Step


@dataclass(frozen=True)
class Example:
    """Lines of a program before and after; the context is `ssc`, the batch function's frame `batch`."""

    before: str
    after: str


class Rule:
    """Rewrites the calls of one operator."""

    operator: ClassVar[str]
    """The member of `pyspark.streaming`."""
    summary: ClassVar[str]
    """What it becomes, in one line."""
    examples: ClassVar[tuple[Example, ...]] = ()

    def refuses_all(self, options: Options) -> str | None:
        """Why no call of the operator becomes native under these options; None where it depends on more."""
        return None

    @property
    def id(self) -> str:
        """The name that ``--select``, ``--ignore`` and ignore comments know the rule by."""
        return rule_id(self.operator)

    def column(self, step: Step, *frames: Frame) -> Frame:
        """The stream as a DataFrame.

        Raises:
            Refusal: it is not proven to be the same as columns.
            Blocked: it is not the same in any native form.
        """
        raise Refusal("it has no Column form", step.operation.call)

    def python(self, step: Step, *frames: Frame) -> Frame:
        """The stream as a DataFrame, by a Python function over Arrow.

        Raises:
            Refusal: its function is not proven to be pure, or to return certain types.
            Blocked: its arguments are not those of the operator.
        """
        raise Refusal("it has no form over Arrow", step.operation.call)

    def rdd(self, step: Step, *rdds: Rdd) -> Rdd:
        """The stream as RDD code inside the batch function.

        Raises:
            Blocked: it is not proven to be the same on the partitions that Structured Streaming makes.
        """
        raise step.blocked("it has no native form")


class StaysOnCompat(Rule):
    """An operator without a native form."""

    why: ClassVar[str]

    def refuses_all(self, options: Options) -> str | None:
        return self.why

    def column(self, step: Step, *frames: Frame) -> Frame:
        raise step.blocked(self.why)

    def rdd(self, step: Step, *rdds: Rdd) -> Rdd:
        raise step.blocked(self.why)


class OutputRule(Rule):
    """Rewrites the calls of an output operator."""

    def output(self, step: Step, stage: Stage) -> Printed:
        """What the batch function does with a stream.

        Raises:
            Blocked: it is not proven to do the same.
        """
        raise step.blocked("it has no native form")


class SourceRule(Rule):
    """Rewrites the calls that make a stream out of nothing."""

    def load(self, step: Step) -> Source:
        """The streaming DataFrame that stands for the stream.

        Raises:
            Blocked: it is not proven to hold the same.
        """
        raise step.blocked("it has no native form")


_RULES: dict[str, Rule] = {}
R = TypeVar("R", bound=type[Rule])


def register(rule: R) -> R:
    """Put a rule into the list that the command prints and the planner asks."""
    _RULES[rule.operator] = rule()
    return rule


def registered() -> dict[str, Rule]:
    """All rules, by operator."""
    return _RULES
