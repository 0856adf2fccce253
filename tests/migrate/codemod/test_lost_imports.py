"""Names that star imports of PySpark bound until Spark 3.5: new code imports those that it still reads."""

from __future__ import annotations

import pytest

from migrate.model import Options, Outcome
from tests.migrate.programs import file

PROGRAM = """\
from pyspark.streaming import StreamingContext
from pyspark.sql.functions import *
{more}
sc = SparkContext("local[2]", "test")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", int(sys.argv[1]))
def show(rdd):
    print(sc.parallelize(rdd.collect()).toDF(StringType()).collect())
lines.foreachRDD(show)
ssc.start()
ssc.awaitTermination()
"""


def test_a_context_of_a_star_import_becomes_a_session() -> None:
    new = file(PROGRAM.format(more="")).new
    assert 'SparkSession.builder.master("local[2]").appName("test")' in new
    assert "SparkContext" not in new.replace("sparkContext", "")
    assert (
        "from pyspark.sql.functions import *\nfrom pyspark.sql.types import StringType\nimport sys\n" in new
    )


def test_compat_imports_all_that_is_read() -> None:
    new = file(PROGRAM.format(more=""), Options(target=Outcome.COMPAT)).new
    assert (
        "from pyspark.sql.functions import *\nfrom pyspark import SparkContext\n"
        "from pyspark.sql.types import StringType\nimport sys\n"
    ) in new


@pytest.mark.parametrize("target", [Outcome.NATIVE, Outcome.COMPAT])
def test_what_is_bound_otherwise_is_not_imported_again(target: Outcome) -> None:
    more = "import sys\nfrom pyspark import SparkContext\nfrom pyspark.sql.types import *"
    new = file(PROGRAM.format(more=more), Options(target=target)).new
    assert new.count("import sys") == 1
    assert new.count("import SparkContext") == (target is Outcome.COMPAT)


def test_another_star_import_may_have_a_name() -> None:
    """Below the statement that reads it, it would come too late."""
    imported = "from pyspark.sql.types import StringType\n"
    more = "from pyspark.sql.types import *"
    assert imported not in file(PROGRAM.format(more=more)).new
    assert imported in file(PROGRAM.format(more=f"KIND = StringType()\n{more}")).new
