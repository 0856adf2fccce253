"""A callback that makes a temp view and reads it, run by Spark in the query that the codemod writes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from migrate.model import Outcome
from tests.migrate.codemod.test_sessions import FRAMES, READS, SESSIONS, STREAM
from tests.migrate.codemod.written import new_text
from tests.migrate.programs import compiled, run

RUN = ["predefined", "made by a function", "by another name", "by the name"]


@pytest.mark.parametrize("kind", RUN)
def test_a_view_is_there_for_the_query_that_reads_it(kind: str, spark: SparkSession, directory: Path) -> None:
    source = SESSIONS[kind] + STREAM.format(frame=FRAMES["createDataFrame"], read=READS["sql"])
    source = source.replace('socketTextStream("localhost", 9999)', f"textFileStream({str(directory)!r})")
    result = run(source)
    if result.graphs[0].outcome is not Outcome.NATIVE:
        return  # it runs as it did
    printed: list[Any] = []
    names: dict[str, Any] = {
        "__name__": "__main__",
        "print": printed.append,
        "spark": spark,
        "sc": spark.sparkContext,
    }
    exec(compiled(new_text(result)), names)
    query = names["query"]
    try:
        (directory / "first.txt").write_text("b\na\n")
        query.processAllAvailable()
    finally:
        query.stop()
    assert [row.word for rows in printed for row in rows] == ["a", "b"]
