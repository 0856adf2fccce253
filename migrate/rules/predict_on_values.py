"""``predictOnValues``: the model as it was before the batch says something of the value of each pair."""

from __future__ import annotations

from migrate.model import Options
from migrate.native.stage import Frame, Rdd
from migrate.native.step import Step
from migrate.rules import _models as models
from migrate.rules._rule import Example, Rule, register

_EXAMPLE = (
    "model = StreamingKMeans(k=2).setRandomCenters(1, 1.0, 0)\n"
    "model.predictOnValues(lines.map(lambda line: (line, [float(len(line))]))).pprint()"
)


@register
class PredictOnValues(Rule):
    """Keys stay."""

    operator = "predictOnValues"
    summary = f"predictOnValues stays on compat: {models.WHY}"
    examples = (Example(_EXAMPLE, _EXAMPLE),)

    def refuses_all(self, options: Options) -> str | None:
        return models.refuses_all(options)

    def column(self, step: Step, *frames: Frame) -> Frame:
        models.model(step)
        return super().column(step, *frames)

    def rdd(self, step: Step, *rdds: Rdd) -> Rdd:
        return models.predicted(step, rdds[0], "mapValues")
