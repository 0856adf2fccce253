"""MLlib's streaming models, which insist on a DStream of PySpark's, on streams of compat."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pyspark.streaming
import pytest
from pyspark import SparkContext
from pyspark.mllib.classification import StreamingLogisticRegressionWithSGD
from pyspark.mllib.clustering import StreamingKMeans
from pyspark.mllib.linalg import Vectors
from pyspark.mllib.regression import LabeledPoint, StreamingLinearRegressionWithSGD

from compat.streaming import StreamingContext
from compat.testing import BatchClock

pytestmark = pytest.mark.filterwarnings("ignore:Deprecated in 2.0.0:FutureWarning")


@pytest.fixture
def ssc(spark_context: SparkContext, engine: str) -> Iterator[StreamingContext]:
    context = StreamingContext(spark_context, 1, engine=engine)
    yield context
    context.stop(stopSparkContext=False)


def played(ssc: StreamingContext, batches: int) -> None:
    clock = BatchClock(ssc)
    ssc.start()
    for _ in range(batches):
        clock.next_batch()
    assert ssc.awaitTerminationOrTimeout(0.001) is False


def collected(stream: Any) -> list[list[Any]]:
    output: list[list[Any]] = []
    stream.foreachRDD(lambda rdd: output.append(rdd.collect()))
    return output


def queue(ssc: StreamingContext, batches: list[list[Any]]) -> Any:
    return ssc.queueStream([ssc.sparkContext.parallelize(batch, 1) for batch in batches])


def test_k_means(ssc: StreamingContext) -> None:
    """The prediction of a batch is that of the model which the batches before it have trained."""
    model: Any = StreamingKMeans(k=2).setInitialCenters([[0.0], [10.0]], [1.0, 1.0])
    centers: list[list[float]] = []
    train = queue(ssc, [[Vectors.dense(0.0), Vectors.dense(3.0)], [Vectors.dense(20.0)], []])
    test = queue(ssc, [[Vectors.dense(7.0)]] * 3)
    keyed = queue(ssc, [[("seven", Vectors.dense(7.0))]] * 3)
    model.trainOn(train)
    train.foreachRDD(lambda rdd: centers.append([float(center[0]) for center in model.latestModel().centers]))
    predictions = collected(model.predictOn(test))
    of_values = collected(model.predictOnValues(keyed))
    played(ssc, 3)
    assert [center for of_batch in centers for center in of_batch] == pytest.approx([1, 10, 1, 15, 1, 15])
    assert predictions == [[1], [1], [0]]
    assert of_values == [[("seven", 1)], [("seven", 1)], [("seven", 0)]]


def line(slope: float) -> list[LabeledPoint]:
    return [LabeledPoint(slope * x, Vectors.dense([x])) for x in (-1.0, 0.5, 1.0)]


@pytest.mark.full
def test_linear_regression(ssc: StreamingContext) -> None:
    model: Any = StreamingLinearRegressionWithSGD(stepSize=0.5, numIterations=5)
    model.setInitialWeights([0.0])
    weights: list[float] = []
    train = queue(ssc, [line(3.0), [], line(-2.0)])
    test = queue(ssc, [[Vectors.dense([1.0])]] * 3)
    keyed = queue(ssc, [[("one", Vectors.dense([1.0]))]] * 3)
    model.trainOn(train)
    train.foreachRDD(lambda rdd: weights.append(float(model.latestModel().weights[0])))
    predictions = collected(model.predictOn(test))
    of_values = collected(model.predictOnValues(keyed))
    played(ssc, 3)
    assert weights[0] == weights[1] > 2 > 0 > weights[2], "an empty batch trains nothing"
    assert [batch[0] for batch in predictions] == pytest.approx([0.0, *weights[:2]])
    assert [batch[0][0] for batch in of_values] == ["one"] * 3
    assert [batch[0][1] for batch in of_values] == pytest.approx([0.0, *weights[:2]])


@pytest.mark.full
def test_logistic_regression(ssc: StreamingContext) -> None:
    model = StreamingLogisticRegressionWithSGD(stepSize=1.0, numIterations=5)
    model.setInitialWeights([0.0])
    positive = [LabeledPoint(1.0, Vectors.dense([1.0])), LabeledPoint(0.0, Vectors.dense([-1.0]))]
    negative = [LabeledPoint(0.0, Vectors.dense([1.0])), LabeledPoint(1.0, Vectors.dense([-1.0]))] * 5
    model.trainOn(queue(ssc, [positive, negative * 5, []]))
    test = queue(ssc, [[Vectors.dense([1.0])]] * 3)
    keyed = queue(ssc, [[("one", Vectors.dense([1.0]))]] * 3)
    predictions = collected(model.predictOn(test))
    of_values = collected(model.predictOnValues(keyed))
    played(ssc, 3)
    assert predictions == [[0], [1], [0]]
    assert of_values == [[("one", 0)], [("one", 1)], [("one", 0)]]


@pytest.mark.parametrize(
    "make",
    [
        pytest.param(lambda: StreamingKMeans(k=1).setRandomCenters(1, 1.0, 42), id="k-means"),
        pytest.param(lambda: StreamingLinearRegressionWithSGD().setInitialWeights([0.0]), id="linear"),
        pytest.param(lambda: StreamingLogisticRegressionWithSGD().setInitialWeights([0.0]), id="logistic"),
    ],
)
def test_models_want_a_dstream(ssc: StreamingContext, make: Callable[[], Any]) -> None:
    model, stream = make(), ssc.queueStream([[1]])
    assert isinstance(stream, pyspark.streaming.DStream)
    model.trainOn(stream)
    with pytest.raises(TypeError, match="DStream"):
        model.trainOn([1])
