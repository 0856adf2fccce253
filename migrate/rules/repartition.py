"""``repartition``: the same, of a DataFrame or an RDD."""

from __future__ import annotations

from migrate.frozen import replace
from migrate.plan.draft.step import Step
from migrate.plan.frames.frame import Frame
from migrate.plan.frames.rdd import Rdd
from migrate.plan.new_code.code import Call
from migrate.rules._register import Example, register
from migrate.rules._same import SameOnRdd


@register
class Repartition(SameOnRdd):
    """Elements lie in as many partitions as before, in no order of their own."""

    operator = "repartition"
    summary = "repartition stays, on the DataFrame or the RDD of the batch"
    parameters = ("numPartitions",)
    examples = (
        Example(
            "halves = numbers.repartition(2)\nhalves.foreachRDD(lambda rdd: print(rdd.getNumPartitions()))",
            "halves = numbers.repartition(2)\nprint(halves.getNumPartitions())",
        ),
        Example(
            "one = lines.repartition(1)\none.pprint()",
            "one = batch.repartition(1)\none.show(10, truncate=False)",
        ),
    )

    def column(self, step: Step, *frames: Frame) -> Frame:
        number = step.arguments(*self.parameters)["numPartitions"]
        return (
            frames[0]
            .materialised()
            .call(Call("repartition", step.argument(number)), sure=True, shuffles=True)
        )

    def rdd(self, step: Step, *rdds: Rdd) -> Rdd:
        return replace(super().rdd(step, *rdds), sure=True)
