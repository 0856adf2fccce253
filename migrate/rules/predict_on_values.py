"""``predictOnValues``: the prediction for the value of each pair, by the model as it was before the batch."""

from __future__ import annotations

from migrate.rules._models import WHY, Predicting
from migrate.rules._register import Example, register

_EXAMPLE = (
    "model = StreamingKMeans(k=2).setRandomCenters(1, 1.0, 0)\n"
    "model.predictOnValues(lines.map(lambda line: (line, [float(len(line))]))).pprint()"
)


@register
class PredictOnValues(Predicting):
    """Each value gets a prediction; the keys stay."""

    operator = "predictOnValues"
    summary = f"predictOnValues stays on compat: {WHY}"
    examples = (Example(_EXAMPLE, _EXAMPLE),)
    method = "mapValues"
