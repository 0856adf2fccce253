"""The interface of a rule: it returns the new form of a call, and its step collects the needs."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from migrate.columns import Refusal
from migrate.knowledge.streaming import rule_id
from migrate.model import Options
from migrate.plan.draft.held import Held
from migrate.plan.draft.outputs import Input, Printed
from migrate.plan.draft.step import Step
from migrate.plan.frames.frame import Frame
from migrate.plan.frames.rdd import Rdd
from migrate.plan.frames.stages import Stage
from migrate.plan.new_code.code import Value

NO_TYPED = "it has no typed function"


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
    """Its native form, in one line."""
    examples: ClassVar[tuple[Example, ...]] = ()
    takes_rows: ClassVar[bool] = False
    """Whether it can read rows of a DataFrame as RDD code, by a function that is made one of rows."""
    to_number: ClassVar[bool] = False
    """Whether it is a window that may put its elements together to one number, or does so with its reader."""

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

    def held(self, step: Step, stage: Stage) -> Held | None:
        """What the driver holds of a window whose elements are put together to one number; None for others.

        Raises:
            Refusal: it cannot.
            Blocked: the window has no native form.
        """
        return None

    def of_value(self, step: Step, value: Value) -> Value:
        """What is made of a stream's number in the driver: the next one, or the statement of an output.

        Raises:
            Refusal: only a DataFrame of it will do.
        """
        raise Refusal("it reads a DataFrame", step.operation.call)

    def python(self, step: Step, *frames: Frame) -> Frame:
        """The stream as a DataFrame, by a typed Python function.

        Raises:
            Refusal: its function is not proven to be pure, or to return certain types.
            Blocked: its arguments are not those of the operator.
        """
        raise Refusal(NO_TYPED, step.operation.call)

    def rdd(self, step: Step, *rdds: Rdd) -> Rdd:
        """The stream as RDD code inside the batch function.

        Raises:
            Blocked: it is not proven to be the same on the partitions that Structured Streaming makes.
        """
        raise step.blocked("it has no native form")


class OutputRule(Rule):
    """Rewrites the calls of an output operator."""

    def output(self, step: Step, stage: Stage) -> Printed:
        """The statement of the batch function for a stream.

        Raises:
            Blocked: it is not proven to do the same.
        """
        raise step.blocked("it has no native form")


class SourceRule(Rule):
    """Rewrites the calls of a source."""

    repeats: ClassVar[bool] = False
    """Whether the streams of a comprehension or a loop are DataFrames which are united, or one for all."""

    def load(self, step: Step) -> Input:
        """The streaming DataFrame that stands for the stream.

        Raises:
            Blocked: it is not proven to have the same elements.
        """
        raise step.blocked("it has no native form")


class StateRule(Rule):
    """Rewrites the calls of an operator that keeps a state from batch to batch."""

    def with_initial(self, step: Step, frame: Frame, changed: str) -> Merged:
        """The state that the query gives, merged with the initial one.

        Args:
            step: the call.
            frame: the state that the query gives.
            changed: its keys, as an argument of ``join``, if nothing else of the initial state is put out.

        Raises:
            Refusal: the initial state is not a list of pairs that is written out.
        """
        raise Refusal("it has no initial state", step.operation.call)

    def with_state(self, step: Step, added: Stage, name: str) -> Merged:
        """The state after a batch: the last one merged with the batch.

        Args:
            step: the call.
            added: a variable of the batch function: sums of a batch, or pairs of which nothing is known.
            name: the variable of the state.

        Raises:
            Refusal: the initial state is not a list of pairs that is written out.
        """
        raise Refusal("it keeps no state", step.operation.call)


@dataclass(frozen=True)
class Merged:
    """A state inside the batch function."""

    stage: Stage
    name: str
    """The variable that holds the state before the first batch."""
    first: str
    """The code of its first value."""
    statement: ast.stmt | None = None
    """The statement of the program that this code replaces; None if the program makes no initial state."""


Rules = Callable[[str], Rule | None]
"""Gives the rule in charge of a member of `pyspark.streaming`."""
