"""``union``: the rows of both frames, column by column."""

from __future__ import annotations

from migrate.columns import Refusal
from migrate.columns.shapes import Shape, join
from migrate.frozen import replace
from migrate.plan.draft.step import Step
from migrate.plan.frames.alike import joined
from migrate.plan.frames.frame import Frame
from migrate.plan.frames.rdd import Rdd
from migrate.plan.new_code.code import Call
from migrate.rules._register import Example, Rule, register
from migrate.rules._same import is_dealt_out_alike


@register
class Union(Rule):
    """Both streams must have the same columns; the names are those of the first."""

    operator = "union"
    summary = "union becomes a union of DataFrames with the same columns"
    examples = (
        Example(
            'errors = lines.filter(lambda line: "ERROR" in line)\n'
            'fatal = lines.filter(lambda line: "FATAL" in line)\n'
            "errors.union(fatal).pprint()",
            'errors = batch.where(F.col("value").contains("ERROR"))\n'
            'fatal = batch.where(F.col("value").contains("FATAL"))\n'
            "errors.union(fatal).show(10, truncate=False)",
        ),
    )

    def column(self, step: Step, *frames: Frame) -> Frame:
        first, *others = [frame.materialised() for frame in frames]
        for other in others:
            element = joined(first.element, other.element)
            if element is None:
                raise Refusal("the streams have elements of different shapes", step.operation.call)
            first = first.after(*other.origins).call(Call("union", other.chain.text), element=element)
        return replace(first, sure=_any(*(frame.sure for frame in frames)))

    def rdd(self, step: Step, *rdds: Rdd) -> Rdd:
        first, *others = rdds
        for other in others:
            value: Shape | None = None
            if first.value is not None and other.value is not None:
                value = join(first.value, other.value)
            sure = _any(first.sure, other.sure)
            first = first.after(*other.origins).call(Call("union", other.chain.text), value=value, sure=sure)
        exact = all(rdd.exact for rdd in rdds)
        return replace(first, exact=exact, shuffled=is_dealt_out_alike(step, rdds))


def _any(*sure: bool | None) -> bool | None:
    """Whether one of the RDDs has a partition: True if one surely has, None if one may have."""
    return True if True in sure else None if None in sure else False
