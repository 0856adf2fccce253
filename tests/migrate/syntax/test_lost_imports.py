"""Names that PySpark has no more where programs of Spark 2 import them from."""

from __future__ import annotations

import builtins
import importlib

import pytest

from migrate.knowledge.lost_names import MOVED
from migrate.model import Options, Outcome
from tests.migrate.programs import file, run

PROGRAM = """\
from pyspark import SparkContext
from pyspark.streaming import StreamingContext
{imports}
ssc = StreamingContext(SparkContext(), 1)
{code}
ssc.socketTextStream("localhost", 9999).pprint()
ssc.start()
ssc.awaitTermination()
"""
ENCODER = "from pyspark.ml.feature import StringIndexer, OneHotEncoderEstimator, VectorAssembler"
BOTH = pytest.mark.parametrize("target", [Outcome.NATIVE, Outcome.COMPAT])


def new(imports: str, code: str, target: Outcome) -> str:
    """The new text of a program with some more code."""
    text = file(PROGRAM.format(imports=imports, code=code), Options(target=target)).new
    assert text is not None
    return text


@pytest.mark.parametrize("name", MOVED)
def test_the_table_names_what_this_pyspark_has(name: str) -> None:
    old, _, member = name.rpartition(".")
    assert not hasattr(importlib.import_module(old), member)
    module, _, now = MOVED[name].now.rpartition(".")
    assert hasattr(importlib.import_module(module) if module else builtins, now)


@BOTH
def test_what_nothing_reads_goes_from_the_import(target: Outcome) -> None:
    text = new(ENCODER, "print(StringIndexer(), VectorAssembler())", target)
    assert "from pyspark.ml.feature import StringIndexer, VectorAssembler\n" in text
    assert "OneHotEncoder" not in text


@BOTH
def test_another_name_of_the_same_thing_is_read(target: Outcome) -> None:
    text = new(ENCODER, "print(StringIndexer(), VectorAssembler(), OneHotEncoderEstimator())", target)
    assert "from pyspark.ml.feature import StringIndexer, OneHotEncoder, VectorAssembler\n" in text
    assert "print(StringIndexer(), VectorAssembler(), OneHotEncoder())\n" in text


@BOTH
@pytest.mark.parametrize("more", ["OneHotEncoder = None", "__all__ = ['OneHotEncoderEstimator']"])
def test_it_keeps_its_name_where_the_other_one_is_something_else(target: Outcome, more: str) -> None:
    code = f"{more}\nprint(OneHotEncoderEstimator())"
    text = new("from pyspark.ml.feature import OneHotEncoderEstimator", code, target)
    assert "from pyspark.ml.feature import OneHotEncoder as OneHotEncoderEstimator\n" in text
    assert "print(OneHotEncoderEstimator())\n" in text


@BOTH
@pytest.mark.parametrize(
    ("imports", "becomes"),
    [
        (
            "from pyspark.ml.feature import OneHotEncoderEstimator as thing",
            "from pyspark.ml.feature import OneHotEncoder as thing\n",
        ),
        (
            "from pyspark.sql.functions import DataFrame as thing",
            "from pyspark.sql import DataFrame as thing\n",
        ),
        (
            "from pyspark.mllib.regression import LabeledPoint as point, Vectors as thing",
            "from pyspark.mllib.regression import LabeledPoint as point\n"
            "from pyspark.mllib.linalg import Vectors as thing\n",
        ),
        ("from pyspark.sql.types import long as thing", "thing = int\n"),
    ],
)
def test_what_moved_is_imported_from_where_it_is(target: Outcome, imports: str, becomes: str) -> None:
    text = new(imports, "print(thing, point)" if "point" in imports else "print(thing)", target)
    assert becomes in text


@pytest.mark.parametrize(
    ("imports", "code", "told"),
    [
        ("from pyspark.ml.image import ImageSchema", 'ImageSchema.readImages("a")', "`spark.read.format"),
        ("from pyspark.ml.clustering import KMeans", "print(KMeans().fit(d).computeCost(d))", "trainingCost"),
        ("from pyspark.mllib.clustering import KMeans", "KMeans.train(d, 2, runs=3)", "leave it out"),
    ],
)
@BOTH
def test_members_that_are_gone_must_change(target: Outcome, imports: str, code: str, told: str) -> None:
    source = PROGRAM.format(imports=imports, code=f"def other(d):\n    {code}\nother(None)")
    (graph,) = run(source, Options(target=target)).graphs
    assert [one for one in graph.must_change if told in one]


def test_members_of_other_classes_are_left_alone() -> None:
    (graph,) = run(PROGRAM.format(imports="import job", code="job.readImages(runs=1)")).graphs
    assert not graph.must_change
