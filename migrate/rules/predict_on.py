"""``predictOn``: the model as it was before the batch says something of each element."""

from __future__ import annotations

from migrate.rules._models import WHY, Predicting
from migrate.rules._rule import Example, register

_EXAMPLE = (
    "model = StreamingKMeans(k=2).setRandomCenters(1, 1.0, 0)\n"
    "model.predictOn(lines.map(lambda line: [float(len(line))])).pprint()"
)


@register
class PredictOn(Predicting):
    """The model of each moment says something of each element."""

    operator = "predictOn"
    summary = f"predictOn stays on compat: {WHY}"
    examples = (Example(_EXAMPLE, _EXAMPLE),)
    method = "map"
