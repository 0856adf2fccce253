"""Callbacks that hand their RDDs to MLlib: models make RDDs of them, and what learns of them is left."""

from __future__ import annotations

import pytest

from tests.migrate.programs import blocked, file, socket_program

HEAD = """\
from pyspark.mllib.classification import NaiveBayesModel
from pyspark.mllib.clustering import KMeans
from pyspark.mllib.feature import IDF, HashingTF
tf = HashingTF(64)
model = NaiveBayesModel.load(sc, "labels")
"""
CALLBACK = "def classify(rdd):\n    features = tf.transform(rdd.map(lambda line: line.split()))\n    {}\n"


def test_a_model_predicts_for_each_element() -> None:
    body = CALLBACK.format("print(sorted(model.predict(features).collect()))")
    new = file(socket_program(f"{HEAD}{body}lines.foreachRDD(classify)")).new
    assert '    features = tf.transform(batch.rdd.map(lambda line: line["value"].split()))\n' in new
    assert "    print(sorted(model.predict(features).collect()))\n" in new
    assert "batch_id == 0" not in new


def test_a_transform_may_be_a_model() -> None:
    body = (
        "vectors = lines.map(lambda line: tf.transform(line.split()))\n"
        "vectors.transform(lambda rdd: model.predict(rdd)).pprint()"
    )
    new = file(socket_program(HEAD + body)).new
    assert '    vectors = batch.rdd.map(lambda line: tf.transform(line["value"].split()))\n' in new
    assert "    for record in model.predict(vectors).take(10):\n" in new


def test_weights_of_a_batch_need_elements() -> None:
    body = CALLBACK.format("print(IDF().fit(features).transform(features).collect())")
    new = file(socket_program(f"{HEAD}{body}lines.foreachRDD(classify)")).new
    assert "    if batch_id == 0 and batch.isEmpty():" in new
    assert "    print(IDF().fit(features).transform(features).collect())\n" in new


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("print(KMeans.train(features, 2).k)", "handed to `KMeans.train`"),
        ("print(KMeans.train(rdd, 2).k)", "handed to `KMeans.train`"),
        ("print(features.zipWithIndex().collect())", "`zipWithIndex` may depend on the partitions"),
        ("print(other.predict(features).collect())", "handed to `other.predict`"),
    ],
)
def test_what_depends_on_partitions_or_is_not_known_stays(code: str, why: str) -> None:
    assert why in blocked(f"{HEAD}{CALLBACK.format(code)}lines.foreachRDD(classify)")
