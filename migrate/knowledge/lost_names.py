"""Names that PySpark had, and has no more where programs of Spark 2 look for them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from migrate.knowledge.table import read_table

_TYPES = dict.fromkeys(("DataType", "StringType", "StructType"), "pyspark.sql.types")
LOST: Mapping[str, Mapping[str, str]] = {
    "pyspark.sql.functions": {
        "SparkContext": "pyspark",
        "Column": "pyspark.sql",
        "DataFrame": "pyspark.sql",
        **_TYPES,
        **dict.fromkeys(("functools", "inspect", "sys", "warnings"), ""),
    },
    "pyspark.sql.types": {"SparkContext": "pyspark", "decimal": ""},
}
"""The names that star imports bound until Spark 3.5, and do not since Spark 4.0.

By the modules that they were imported from, with their homes; empty for modules of Python.
"""


@dataclass(frozen=True)
class Moved:
    """One row of the table."""

    now: str
    """Where the same thing is on every Spark from 3.5 on; one word for a builtin of Python."""


MOVED = read_table(
    """
name                                       now
pyspark.PickleSerializer                   pyspark.serializers.PickleSerializer
pyspark.ml.common.RDD                      pyspark.RDD
pyspark.ml.common.SQLContext               pyspark.sql.SQLContext
pyspark.ml.common.SparkContext             pyspark.SparkContext
pyspark.ml.classification.ArrayType        pyspark.sql.types.ArrayType
pyspark.ml.classification.DoubleType       pyspark.sql.types.DoubleType
pyspark.ml.classification.udf              pyspark.sql.functions.udf
pyspark.ml.classification.when             pyspark.sql.functions.when
# another class until 2.4, which was no estimator, and went with it
pyspark.ml.feature.OneHotEncoderEstimator  pyspark.ml.feature.OneHotEncoder
pyspark.ml.feature.SparkContext            pyspark.SparkContext
pyspark.ml.image.DataFrame                 pyspark.sql.DataFrame
pyspark.ml.image.SparkContext              pyspark.SparkContext
pyspark.ml.pipeline.SparkContext           pyspark.SparkContext
pyspark.ml.stat.SparkContext               pyspark.SparkContext
pyspark.ml.tuning.rand                     pyspark.sql.functions.rand
pyspark.ml.util.SparkContext               pyspark.SparkContext
pyspark.ml.wrapper.SparkContext            pyspark.SparkContext
pyspark.mllib.classification.DenseVector   pyspark.mllib.linalg.DenseVector
pyspark.mllib.classification.SparseVector  pyspark.mllib.linalg.SparseVector
pyspark.mllib.clustering.LabeledPoint      pyspark.mllib.regression.LabeledPoint
pyspark.mllib.common.SQLContext            pyspark.sql.SQLContext
pyspark.mllib.evaluation.IntegerType       pyspark.sql.types.IntegerType
pyspark.mllib.feature.DenseVector          pyspark.mllib.linalg.DenseVector
pyspark.mllib.feature.SparseVector         pyspark.mllib.linalg.SparseVector
pyspark.mllib.fpm.namedtuple               collections.namedtuple
pyspark.mllib.recommendation.namedtuple    collections.namedtuple
pyspark.mllib.regression.SparseVector      pyspark.mllib.linalg.SparseVector
pyspark.mllib.regression.Vectors           pyspark.mllib.linalg.Vectors
pyspark.mllib.tree.SparkContext            pyspark.SparkContext
pyspark.sql.catalog.IntegerType            pyspark.sql.types.IntegerType
pyspark.sql.catalog.StringType             pyspark.sql.types.StringType
pyspark.sql.catalog.namedtuple             collections.namedtuple
pyspark.sql.column.SparkContext            pyspark.SparkContext
pyspark.sql.column.long                    int
pyspark.sql.context.IntegerType            pyspark.sql.types.IntegerType
pyspark.sql.context.Row                    pyspark.sql.Row
pyspark.sql.context.StringType             pyspark.sql.types.StringType
pyspark.sql.dataframe.RDD                  pyspark.RDD
pyspark.sql.dataframe.long                 int
pyspark.sql.dataframe.reduce               functools.reduce
pyspark.sql.functions.DataFrame            pyspark.sql.DataFrame
pyspark.sql.functions.SparkContext         pyspark.SparkContext
pyspark.sql.readwriter.RDD                 pyspark.RDD
pyspark.sql.session.RDD                    pyspark.RDD
pyspark.sql.session.Row                    pyspark.sql.Row
pyspark.sql.session.StringType             pyspark.sql.types.StringType
pyspark.sql.session.TimestampType          pyspark.sql.types.TimestampType
pyspark.sql.types.SparkContext             pyspark.SparkContext
pyspark.sql.types.long                     int
pyspark.sql.udf.SparkContext               pyspark.SparkContext
pyspark.sql.window.SparkContext            pyspark.SparkContext
pyspark.streaming.dstream.long             int
""",
    Moved,
)
"""Names that an import of Spark 2.4's PySpark finds, and one of Spark 4.3's does not."""


@dataclass(frozen=True)
class Gone:
    """One row of the table."""

    module: str
    """The module of its class, without which a member of that name is another one."""
    instead: str
    """What stands in its place, with ``_`` for blanks."""


GONE = read_table(
    """
name        module                   instead
computeCost pyspark.ml.clustering    its_`summary.trainingCost`_is_that_of_the_data_it_was_fitted_to
readImages  pyspark.ml.image         `spark.read.format("image").load(path)`_reads_images
runs        pyspark.mllib.clustering it_had_no_effect_since_Spark_2.0:_leave_it_out
""",
    Gone,
)
"""Members and parameters that PySpark has not any more, nor the same under another name."""
