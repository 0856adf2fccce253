"""MLlib's models in callbacks: RDDs of batches get the same predictions as those of DStreams."""

from __future__ import annotations

from pyspark import SparkContext
from pyspark.mllib import classification, feature, recommendation
from pyspark.sql import SparkSession

from tests.migrate.programs import file, socket_program
from tests.migrate.rules.running import after_program, before

IMPORTED = (classification, feature, recommendation)
"""Modules that are not new when programs import them: those that are would be forgotten after each run."""
PROGRAM = """\
from pyspark.mllib.classification import NaiveBayes
from pyspark.mllib.feature import IDF, HashingTF
from pyspark.mllib.recommendation import ALS
from pyspark.mllib.regression import LabeledPoint

tf = HashingTF(64)
known = [(0.0, "a b"), (1.0, "c d e"), (1.0, "e e"), (0.0, "x,y")]
model = NaiveBayes.train(sc.parallelize([LabeledPoint(n, tf.transform(text.split())) for n, text in known]))
ratings = ALS.train(sc.parallelize([(n % 3, n % 5, 1.0 + n % 4) for n in range(15)], 1), 2, seed=7)


def classify(rdd):
    if rdd.isEmpty():
        return
    features = tf.transform(rdd.map(lambda line: line.split()))
    labels = model.predict(features)
    print(labels.count(), sorted(labels.collect()))
    weights = IDF().fit(features)
    print(sorted(str(row) for row in weights.transform(features).collect()))
    stars = ratings.predictAll(rdd.map(lambda line: (len(line) % 4, 1)))
    print(sorted((one.user, one.product, round(one.rating, 6)) for one in stars.collect()))


lines.foreachRDD(classify)
lines.map(lambda line: tf.transform(line.split())).transform(lambda rdd: model.predict(rdd)).pprint()
lines.transform(lambda rdd: tf.transform(rdd)).map(str).pprint()
"""
BATCHES = [("a b", "c", "e d"), (), ("", "a", "a", "x y z"), ("b",)]


def test_models_predict_the_same(spark_context: SparkContext, spark: SparkSession) -> None:
    source = socket_program(PROGRAM)
    assert "compat" not in file(source).new
    (was,) = before([PROGRAM], BATCHES, spark_context)
    assert len(was.batches[0]) == 5
    assert after_program(source, BATCHES, spark).batches == was.batches
