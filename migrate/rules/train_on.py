"""``trainOn``: the batch function trains the model, by MLlib's methods for one RDD."""

from __future__ import annotations

import ast

from migrate.columns import Helper
from migrate.model import Options
from migrate.plan.draft.outputs import Printed
from migrate.plan.draft.step import Step
from migrate.plan.frames.frame import Frame
from migrate.plan.frames.stages import Stage, to_rdd
from migrate.plan.new_code.code import Call, Chain
from migrate.rules import _models as models
from migrate.rules._register import Example, OutputRule, register
from migrate.syntax.quoting import quoted

_EXAMPLE = (
    "model = StreamingKMeans(k=2).setRandomCenters(1, 1.0, 0)\n"
    "model.trainOn(lines.map(lambda line: [float(len(line))]))"
)
_REGRESSION = '''def {name}(model, rdd):
    """Train a model on a batch, as its trainOn did."""
    if not rdd.isEmpty():
        trained = {algorithm}.train(
            rdd,
            model.numIterations,
            model.stepSize,
            model.miniBatchFraction,
            model.latestModel().weights,
            convergenceTol=model.convergenceTol,{more}
        )
        model.setInitialWeights(trained.weights)'''
_ALGORITHMS = {
    "pyspark.mllib.classification.StreamingLogisticRegressionWithSGD": (
        "train_logistic_regression",
        "LogisticRegressionWithSGD",
        "\n            regParam=model.regParam,",
    ),
    "pyspark.mllib.regression.StreamingLinearRegressionWithSGD": (
        "train_linear_regression",
        "LinearRegressionWithSGD",
        "",
    ),
}


@register
class TrainOn(OutputRule):
    """The steps of the models' own trainOn for each RDD, by public methods."""

    operator = "trainOn"
    summary = f"trainOn stays on compat: {models.WHY}"
    examples = (Example(_EXAMPLE, _EXAMPLE),)

    def refuses_all(self, options: Options) -> str | None:
        return models.refuses_all(options)

    def output(self, step: Step, stage: Stage) -> Printed:
        name = models.model(step)
        rdd = to_rdd(stage) if isinstance(stage, Frame) else stage
        variable = step.names.rdd if rdd.calls else rdd.base
        step.refused = "the batch function trains the model on the batch's RDD"
        if step.operation.use.model == models.KMEANS:
            learned = Call("update", ", ".join((variable, *_forgetting(step))), origin=(step.operation.call,))
            chain = Chain(f"{name}.latestModel()", (learned,))
            return Printed(chain, column=False, variable=variable)
        function, algorithm, more = _ALGORITHMS[step.operation.use.model]
        step.imports(algorithm)
        source = _REGRESSION.format(name=function, algorithm=algorithm, more=more)
        called = step.helper(Helper(function, source))
        return Printed(Chain(f"{called}({name}, {variable})"), column=False, uses=2, variable=variable)


def _forgetting(step: Step) -> tuple[str, str]:
    """The decay factor of a StreamingKMeans and its time unit, which have no public getter.

    Raises:
        Blocked: they are not those of its constructor.
    """
    if "setHalfLife" in models.setters(step):
        raise step.blocked("`setHalfLife` is no decay factor that could be written out")
    call = models.made(step)
    given = dict(zip(("k", "decayFactor", "timeUnit"), call.args, strict=False))
    given.update({keyword.arg: keyword.value for keyword in call.keywords if keyword.arg})
    changed = models.setters(step).get("setDecayFactor")
    if changed is not None:
        given["decayFactor"] = changed.args[0] if changed.args else changed.keywords[0].value
    found = given.get("decayFactor"), given.get("timeUnit")
    if not all(isinstance(node, ast.Constant | None) for node in found):
        raise step.blocked("its decay factor or time unit is not written out")
    factor, unit = found
    return "1.0" if factor is None else quoted(factor), '"batches"' if unit is None else quoted(unit)
