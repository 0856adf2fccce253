"""Operators that an RDD has too, under the same name: each batch's RDD is given the same call."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import ClassVar

from migrate.columns import Refusal
from migrate.frozen import replace
from migrate.graph.program import Operation
from migrate.knowledge.streaming import ROWWISE
from migrate.plan.draft.step import Step
from migrate.plan.elements.joins import JOINS, joined
from migrate.plan.frames.frame import Frame
from migrate.plan.frames.rdd import Rdd
from migrate.plan.new_code.code import Call
from migrate.plan.sources.reduce_order import reduce_in_order
from migrate.proofs.elements.arrival import is_as_it_came
from migrate.rules._register import Example, Rule

PARTITIONS = "its result depends on the partitions, and Structured Streaming makes others"
ORDER = "the order of a key's values is not promised by native code"


class SameOnRdd(Rule):
    """The call stays, on the RDD of the batch."""

    parameters: ClassVar[tuple[str, ...]] = ()
    """The operator's parameters, in order; those that are streams included."""
    why_not: ClassVar[str | None] = None
    """Why its result depends on the partitions; None where it does not."""
    shuffles: ClassVar[bool] = False
    merges: ClassVar[bool] = False
    """Whether it makes one value of several."""

    def column(self, step: Step, *frames: Frame) -> Frame:
        raise Refusal("it is RDD code", step.operation.call)

    def rdd(self, step: Step, *rdds: Rdd) -> Rdd:
        first, *others = rdds
        exact = all(rdd.exact for rdd in rdds)
        if self.why_not is not None and not exact:
            if self.why_not is not ORDER:
                raise step.blocked(self.why_not)
            behind = all(rdd.shuffled for rdd in rdds)
            reduce_in_order(step, self.why_not, merges=self.merges, behind_shuffles=behind)
        found = step.arguments(*self.parameters)
        streams = iter(others)
        arguments = [
            next(streams).chain.text if node in step.operation.others else step.argument(node)
            for node in found.values()
        ]
        exact = exact and not (self.shuffles and is_only_printed(step.operation))
        alike = self.shuffles and is_dealt_out_alike(step, rdds)
        if self.shuffles and "numPartitions" not in found and (exact or (alike and names_number(step))):
            arguments.append(default_partitions(first, step, named=len(found) < len(self.parameters) - 1))
        first = first.after(*(call for rdd in others for call in rdd.origins))
        made = first.call(Call(self.operator, ", ".join(arguments)), sure=first.sure or self.shuffles)
        return replace(made, exact=exact, shuffled=alike)


class JoinOnRdd(SameOnRdd):
    """A join of two streams of one source: the same elements as DStream's, in no order."""

    parameters = ("other", "numPartitions")
    shuffles = True

    def column(self, step: Step, *frames: Frame) -> Frame:
        number = step.arguments(*self.parameters).get("numPartitions")
        if not (number is None or isinstance(number, ast.Constant)):
            raise Refusal("its number of partitions is not a literal", number)
        left, right = frames
        return joined(step, left, right, self.operator)

    def __init_subclass__(cls) -> None:
        cls.summary = f"{cls.operator} of two streams of one source is that of DataFrames, or of RDDs"
        kind = JOINS[cls.operator]
        how = f', "{kind}"' if kind else ""
        cls.examples = (
            Example(
                "lengths = lines.map(lambda line: (line, len(line)))\n"
                "firsts = lines.map(lambda line: (line, line[:1]))\n"
                f"lengths.{cls.operator}(firsts).pprint()",
                "lengths = batch.select(\n"
                '    F.col("value").alias("line"), F.length("value").alias("value")\n'
                ")\n"
                "firsts = batch.select(\n"
                '    F.col("value").alias("line"), F.col("value").substr(1, 1).alias("value")\n'
                ")\n"
                f'lengths.join(firsts.toDF("line", "first"), "line"{how}).show(10, truncate=False)',
            ),
        )


def default_partitions(rdd: Rdd, step: Step, *, named: bool = True) -> str:
    """The default number of partitions of DStream's shuffles; an RDD's take that of their input."""
    if rdd.united_by:
        return f"{'numPartitions=' if named else ''}{rdd.united_by}.defaultParallelism"
    holder = step.names.batch if rdd.is_made else rdd.base
    of_rows = rdd.is_made or any(call.method == "rdd" for call in rdd.calls)
    context = f"{holder}.sparkSession.sparkContext" if of_rows else f"{holder}.context"
    return f"{'numPartitions=' if named else ''}{context}.defaultParallelism"


def is_dealt_out_alike(step: Step, rdds: Sequence[Rdd]) -> bool:
    """Whether a shuffle of RDDs gives what that of DStream may give, if it has as many partitions."""
    streams, windows = step.operation.parents, step.options.event_time is None
    alike = (
        rdd.shuffled or is_as_it_came(stream, windows=windows)
        for stream, rdd in zip(streams, rdds, strict=False)
    )
    return len(streams) == len(rdds) and all(alike)


def names_number(step: Step) -> bool:
    """Whether a shuffle is told the number of partitions that DStream takes."""
    return step.choices.same_shuffles and not is_only_printed(step.operation)


def is_only_printed(operation: Operation) -> bool:
    """Whether a stream is only printed, its elements as they are or changed: no partitions show."""
    return all(
        reader.operator == "pprint" or (reader.operator in ROWWISE and is_only_printed(reader))
        for reader in operation.consumers
    )
