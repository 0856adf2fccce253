from __future__ import annotations

from pathlib import Path

import pytest

from migrate.migration import migrate
from migrate.model import Module, Options, Outcome
from migrate.read.parse import parse_bytes

NOTEBOOK = """\
# Databricks notebook source
# MAGIC %md
# MAGIC # Words

# COMMAND ----------

# DBTITLE 1,The context
from pyspark.streaming import StreamingContext
ssc = StreamingContext(sc, 1)

# COMMAND ----------

# the lines
lines = ssc.socketTextStream("localhost", 9999)
lines.filter(lambda line: len(line) > 3).pprint()

# COMMAND ----------

# MAGIC %sh ls

# COMMAND ----------

ssc.start()
"""


def module(text: str) -> Module:
    return parse_bytes(text.encode(), Path("/nowhere/a.py"), "a.py")


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_cells_stay_apart(newline: str) -> None:
    result = migrate([module(NOTEBOOK.replace("\n", newline))], Options())
    assert result.graphs[0].outcome is Outcome.NATIVE, result.graphs[0].reasons
    new = result.files[0].new
    assert (
        new.replace(newline, "\n")
        == """\
# Databricks notebook source
# MAGIC %md
# MAGIC # Words

# COMMAND ----------

# DBTITLE 1,The context
from pyspark.sql import SparkSession
from pyspark.sql import functions as F
spark = SparkSession.builder.getOrCreate()

# COMMAND ----------

# the lines
lines = (
    spark.readStream.format("socket")
    .options(host="localhost", port=9999, numPartitions=1)  # one partition keeps the lines in order
    .load()
)


def process_batch(batch, batch_id):
    batch.where(F.length("value") > 3).show(10, truncate=False)

# COMMAND ----------

# MAGIC %sh ls

# COMMAND ----------

query = lines.writeStream.trigger(processingTime="1 second").foreachBatch(process_batch).start()
"""
    )
    assert not migrate([module(new)], Options()).files[0].changed


def test_sites_have_the_line_of_the_file_and_the_cell() -> None:
    result = migrate([module(NOTEBOOK)], Options())
    places = {site.operator: (site.cell, site.line, site.column) for site in result.sites}
    assert places["StreamingContext"] == (2, 9, 7)
    assert places["start"] == (5, 23, 5)


def test_code_never_goes_into_a_cell_of_another_language() -> None:
    """Without an import to put new ones beside, they would go to the top, which is prose here."""
    text = NOTEBOOK.replace(
        "from pyspark.streaming import StreamingContext\n", "import pyspark.streaming as s\n"
    )
    new = (
        migrate([module(text.replace("= StreamingContext", "= s.StreamingContext"))], Options()).files[0].new
    )
    assert new.startswith(NOTEBOOK[: NOTEBOOK.index("# DBTITLE")])


def test_an_old_connector_in_a_cell_that_is_not_python_must_change() -> None:
    package = "org.apache.spark:spark-sql-kafka-0-10_2.11:2.2.0"
    text = NOTEBOOK.replace("%sh ls", f"%sh\n# MAGIC spark-submit --packages {package} other.py")
    (graph,) = migrate([module(text)], Options()).graphs
    assert any(one.startswith(f"cell 4, line 20: `{package}` -> ") for one in graph.must_change)
