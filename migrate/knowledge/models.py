"""MLlib's models that learn from streams: one row for each method that trains, predicts or sets."""

from __future__ import annotations

from dataclasses import dataclass

from migrate.knowledge.streaming import Gives
from migrate.knowledge.table import names, read_table

MODELS = frozenset(
    {
        "pyspark.mllib.classification.StreamingLogisticRegressionWithSGD",
        "pyspark.mllib.clustering.StreamingKMeans",
        "pyspark.mllib.regression.StreamingLinearRegressionWithSGD",
    }
)


@dataclass(frozen=True)
class Method:
    """One row of the table."""

    gives: Gives
    initial: bool
    """Whether a model needs a call of this method before it can begin."""


METHODS = read_table(
    """
name               gives   initial
trainOn            nothing -
predictOn          stream  -
predictOnValues    stream  -
setInitialCenters  itself  yes
setInitialWeights  itself  yes
setRandomCenters   itself  yes
setDecayFactor     itself  -
setHalfLife        itself  -
""",
    Method,
)
"""The table: methods that take a stream, and those that set something and give the model."""
MODEL: dict[str, Gives] = {name: row.gives for name, row in METHODS.items()}
INITIAL = names(METHODS, lambda row: row.initial)
"""Methods without which a model cannot begin."""
OF_RDDS = frozenset({"predict", "predictAll", "transform"})
"""Methods of MLlib's models that make an RDD of another one, each element of one element alone."""
FITS_COUNTS = frozenset({"pyspark.mllib.feature.IDF"})
"""Classes whose `fit` only counts, so that a model is the same whatever the order and the partitions."""
FAILS_EMPTY = frozenset({"fit", "predictAll"})
"""Methods of MLlib that fail for an RDD without elements."""
