"""``predictOn``: the model as it was before the batch says something of each element."""

from __future__ import annotations

from migrate.model import Options
from migrate.native.stage import Frame, Rdd
from migrate.native.step import Step
from migrate.rules import _models as models
from migrate.rules._rule import Example, Rule, register

_EXAMPLE = (
    "model = StreamingKMeans(k=2).setRandomCenters(1, 1.0, 0)\n"
    "model.predictOn(lines.map(lambda line: [float(len(line))])).pprint()"
)


@register
class PredictOn(Rule):
    """PySpark pickles the model when a batch is made, before any output of the batch trains it."""

    operator = "predictOn"
    summary = f"predictOn stays on compat: {models.WHY}"
    examples = (Example(_EXAMPLE, _EXAMPLE),)

    def refuses_all(self, options: Options) -> str | None:
        return models.refuses_all(options)

    def column(self, step: Step, *frames: Frame) -> Frame:
        models.model(step)
        return super().column(step, *frames)

    def rdd(self, step: Step, *rdds: Rdd) -> Rdd:
        return models.predicted(step, rdds[0], "map")
