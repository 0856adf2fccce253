"""``count``: one row with the number of elements; none for a batch that has no partition."""

from __future__ import annotations

from migrate.columns import Refusal, Scalar
from migrate.columns.reduces import MANY
from migrate.columns.shapes import Int
from migrate.plan.only_elements import of_one
from migrate.plan.stages import Frame, Rdd, Stage
from migrate.plan.step import Step
from migrate.plan.tokens import tokens_of
from migrate.rules._register import Example, Rule, register
from migrate.rules.reduce import reduced


@register
class Count(Rule):
    """DStream counts partitions and adds up: without a partition there is nothing, not 0."""

    operator = "count"
    summary = "count becomes an aggregate; a batch without rows gives no count, as in DStream"
    examples = (
        Example(
            "lines.count().pprint()",
            "if batch.isEmpty():\n"
            "    return\n"
            'batch.agg(F.count("*").alias("count")).show(10, truncate=False)',
        ),
    )

    def column(self, step: Step, *frames: Frame) -> Frame:
        return counted(step, frames[0])

    def rdd(self, step: Step, *rdds: Rdd) -> Rdd:
        rdd = rdds[0]
        if rdd.exact:
            ones = rdd.call("mapPartitions(lambda elements: [sum(1 for _ in elements)])")
            return reduced(ones, "lambda a, b: a + b")
        _check_sure(step, rdd)
        if not rdd.sure:
            step.need(empty_guard=True)
        return of_one(step, f"{rdd.chain.text}.count()", rdd)


def counted(step: Step, frame: Frame) -> Frame:
    """The number of elements, or of each window's.

    Raises:
        Refusal: counting would skip something that may raise.
    """
    if tokens_of(frame.element):
        raise Refusal("counting does not compute a value whose computation may raise", step.operation.call)
    if frame.window is None:
        _check_sure(step, frame)
        step.need(empty_guard=not frame.sure)
    else:
        step.need(shuffles=True)
    counted = Scalar('F.col("count")', Int(0, MANY, amount=True), "count")
    return frame.grouped_by().call('agg(F.count("*").alias("count"))', element=counted, pending=False)


def _check_sure(step: Step, stage: Stage) -> None:
    """Refuse a count if it is not known whether an empty batch has a partition, and so a count of 0."""
    if stage.sure is None:
        raise step.blocked("whether an empty batch has a partition to count depends on the configuration")
