"""MLlib's models on streams: their calls are sites, and the user may have them in the batch function."""

from __future__ import annotations

from pathlib import Path

import pytest

from migrate.model import Options, Outcome, Tier
from migrate.verify import verify
from tests.migrate.programs import run, socket_program

UNSAFE = Options(unsafe=True)
KMEANS = "model = StreamingKMeans(k=2, decayFactor=0.5).setRandomCenters(2, 1.0, 7)\n"
KMEANS_IMPORT = "from pyspark.mllib.clustering import StreamingKMeans\n"
LINEAR = "model = StreamingLinearRegressionWithSGD()\nmodel.setInitialWeights([0.0])\n"
LINEAR_IMPORT = "from pyspark.mllib.regression import StreamingLinearRegressionWithSGD\n"
USES = (
    "points = lines.map(parse)\nmodel.trainOn(points)\n"
    "model.predictOnValues(points.map(lambda p: (p.label, p.features))).pprint()"
)


def program(body: str, imports: str = KMEANS_IMPORT) -> str:
    return imports + socket_program(body)


def test_calls_of_a_model_are_sites_of_the_stream_s_graph() -> None:
    result = run(program(KMEANS + USES))
    assert [graph.outcome for graph in result.graphs] == [Outcome.COMPAT]
    by_operator = {site.operator: site for site in result.sites}
    assert {"trainOn", "predictOnValues", "pprint"} <= by_operator.keys()
    assert by_operator["trainOn"].reason.startswith("`trainOn`: what a model learns depends on the order")
    assert (by_operator["predictOnValues"].tier, by_operator["predictOnValues"].rule) == (
        Tier.COMPAT,
        "predict_on_values",
    )


def test_kmeans_is_asked_as_it_was_before_its_batch() -> None:
    result = run(program(KMEANS + USES), UNSAFE)
    assert result.graphs[0].outcome is Outcome.NATIVE, result.graphs[0].reasons
    new = result.files[0].new
    assert "import copy\n" in new
    asked = new.index("fitted = copy.copy(model.latestModel())")
    learned = new.index('model.latestModel().update(points, 0.5, "batches")')
    assert asked < learned < new.index(".mapValues(lambda features: fitted.predict(features))")
    safe = {site.operator: site.safe for site in result.sites}
    assert not safe["trainOn"] and not safe["predictOnValues"] and safe["map"]
    assert any("no longer forgets" in note for note in result.graphs[0].notes)


@pytest.mark.parametrize(
    ("made", "learned"),
    [
        ("StreamingKMeans(2).setRandomCenters(1, 1.0, 0)", 'update(points, 1.0, "batches")'),
        ('StreamingKMeans(2, 0.9, "points").setInitialCenters(c, w)', 'update(points, 0.9, "points")'),
        (
            "StreamingKMeans().setDecayFactor(0.25).setRandomCenters(1, 1.0, 0)",
            'update(points, 0.25, "batches")',
        ),
    ],
)
def test_how_kmeans_forgets_is_written_out(made: str, learned: str) -> None:
    body = f"model = {made}\npoints = lines.map(parse)\nmodel.trainOn(points)"
    assert f"model.latestModel().{learned}" in run(program(body), UNSAFE).files[0].new


def test_a_regression_learns_from_batches_with_elements() -> None:
    new = run(program(LINEAR + USES, LINEAR_IMPORT), UNSAFE).files[0].new
    assert "fitted = model.latestModel()\n" in new
    assert "train_linear_regression(model, points)" in new
    assert "import LinearRegressionWithSGD, StreamingLinearRegressionWithSGD\n" in new
    logistic = (
        "from pyspark.mllib.classification import StreamingLogisticRegressionWithSGD as Model\n",
        "model = Model(numIterations=5).setInitialWeights([0.0])\n",
    )
    new = run(program(logistic[1] + USES, logistic[0]), UNSAFE).files[0].new
    assert "train_logistic_regression(model, points)" in new and "regParam=model.regParam" in new


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("model = StreamingKMeans(k=2)\n" + USES, "first centers or weights"),
        (KMEANS + "model.setHalfLife(2, 'batches')\n" + USES, "`setHalfLife`"),
        ("model = StreamingKMeans(2, decay).setRandomCenters(1, 1.0, 0)\n" + USES, "not written out"),
        (KMEANS + USES + "\nlines.foreachRDD(lambda rdd: print(model.latestModel()))", "other functions"),
        (KMEANS + "model = again(model)\n" + USES, "is not followed"),
        ("copy = 1\n" + KMEANS + USES, "`copy`"),
    ],
)
def test_what_is_not_followed_stays_on_compat(body: str, why: str) -> None:
    (graph,) = run(program(body), UNSAFE).graphs
    assert graph.outcome is Outcome.COMPAT
    assert why in " ".join(graph.reasons)


def test_a_model_of_another_library_is_not_followed() -> None:
    (graph,) = run(program(KMEANS + USES, "from learning import StreamingKMeans\n"), UNSAFE).graphs
    assert graph.outcome is not Outcome.NATIVE


def test_the_centers_may_be_read_where_the_program_is_built() -> None:
    body = KMEANS + USES + "\nprint(model.latestModel().clusterCenters)"
    assert run(program(body), UNSAFE).graphs[0].outcome is Outcome.NATIVE


POINTS = "1;1.0,2.0\n0;0.5,0.25\n1;3.0,1.0\n0;9.0,8.0\n1;9.5,8.5\n1;0.1,0.2\n0;3.25,4.5\n1;7.0,7.0\n"
PARSE = (
    "from pyspark.mllib.linalg import Vectors\nfrom pyspark.mllib.regression import LabeledPoint\n\n\n"
    "def parse(line):\n    label, features = line.split(';')\n"
    "    return LabeledPoint(float(label), Vectors.dense([float(x) for x in features.split(',')]))\n\n\n"
)


@pytest.mark.full
@pytest.mark.timeout(900)
@pytest.mark.parametrize(
    ("imports", "body"),
    [
        (
            KMEANS_IMPORT,
            "model = StreamingKMeans(k=2, decayFactor=1.0).setRandomCenters(2, 1.0, 7)\n"
            "model.trainOn(points.map(lambda p: p.features))\n",
        ),
        (LINEAR_IMPORT, f"{LINEAR.replace('[0.0]', '[0.0, 0.0]')}model.trainOn(points)\n"),
    ],
)
def test_a_model_says_the_same_before_and_after(imports: str, body: str, tmp_path: Path) -> None:
    """Batches without input among them: with two clusters and no decay they change nothing."""
    asked = "model.predictOnValues(points.map(lambda p: (p.label, p.features)))"
    whole = (
        f"{body.replace('model.trainOn', f'{asked}.pprint(){chr(10)}model.trainOn')}"
        f"{asked}.foreachRDD(lambda rdd: print(rdd.collect()))"
    )
    old = PARSE + program(f"points = lines.map(parse)\n{whole}", imports)
    new = run(old, UNSAFE).files[0].new
    (tmp_path / "old.py").write_text(old)
    (tmp_path / "new.py").write_text(new)
    (tmp_path / "points.txt").write_text(POINTS)
    (tmp_path / "work").mkdir()
    result = verify(
        tmp_path / "old.py",
        tmp_path / "new.py",
        arguments=["h", "1"],
        cwd=tmp_path / "work",
        source=tmp_path / "points.txt",
        batches=4,
        timeout=300.0,
    )
    assert result.exit_code == 0, result
