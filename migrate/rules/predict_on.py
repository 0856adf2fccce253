"""``predictOn``: the prediction for each element, by the model as it was before the batch."""

from __future__ import annotations

from migrate.rules._models import WHY, Predicting
from migrate.rules._register import Example, register

_EXAMPLE = (
    "model = StreamingKMeans(k=2).setRandomCenters(1, 1.0, 0)\n"
    "model.predictOn(lines.map(lambda line: [float(len(line))])).pprint()"
)


@register
class PredictOn(Predicting):
    """Each element gets a prediction of the model at that moment."""

    operator = "predictOn"
    summary = f"predictOn stays on compat: {WHY}"
    examples = (Example(_EXAMPLE, _EXAMPLE),)
    method = "map"
