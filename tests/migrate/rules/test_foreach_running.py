"""``writeStream.foreach`` does with the elements of a stream what ``foreach`` does with those of an RDD."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from pyspark import SparkContext
from pyspark.errors import StreamingQueryException
from pyspark.sql import SparkSession

from tests.migrate.codemod.written import new_text
from tests.migrate.programs import compiled, run

LINES = ["b", "a,c", "", "naïve 雪", "b", "x" * 50]
PROGRAM = """\
import json
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

MARK = {mark!r}


def put(element):
    with open({out!r}, "a", encoding="utf-8") as out:
        print(repr(element), MARK, file=out)


sc = SparkContext(appName="Test")
ssc = StreamingContext(sc, 1)
lines = ssc.textFileStream({directory!r})
lines{made}.foreachRDD(lambda rdd: rdd.foreach({function}))
ssc.start()
ssc.awaitTermination()
"""
FORMS = {
    "texts": ("", "put"),
    "a lambda": (".filter(lambda w: len(w) > 1)", "lambda w: put(w.upper())"),
    "pairs": (".map(lambda w: (w, len(w)))", "put"),
    "parts of pairs": (".map(lambda w: (w, len(w)))", "lambda pair: put((pair[1], pair[0]))"),
    "several lines": (".map(lambda w: json.loads('[\"' + w + '\"]')).map(lambda w: (w, w[0]))", "put"),
    "several of each": (".flatMap(lambda line: line.split(','))", "put"),
}


def _run(source: str, spark: SparkSession, directory: Path) -> None:
    """Run the native form of a program on a file of lines."""
    text = new_text(run(source))
    assert ".foreach(" in text and "foreachBatch" not in text
    text = text.replace("query.awaitTermination()", "")
    names: dict[str, Any] = {"__name__": "__main__"}
    exec(compiled(text), names)
    query = names["query"]
    try:
        (directory / "first.txt").write_text("\n".join(LINES) + "\n", encoding="utf-8")
        query.processAllAvailable()
    finally:
        query.stop()


@pytest.mark.parametrize(("made", "function"), FORMS.values(), ids=FORMS)
def test_elements_come_as_they_did_and_in_their_order(
    made: str,
    function: str,
    spark: SparkSession,
    spark_context: SparkContext,
    directory: Path,
    tmp_path: Path,
) -> None:
    new, old = tmp_path / "new", tmp_path / "old"
    source = PROGRAM.format(mark="kept", out=str(new), directory=str(directory), made=made, function=function)
    _run(source, spark, directory)
    names: dict[str, Any] = {"__name__": "__main__", "rdd": spark_context.parallelize(LINES, 1), "json": json}
    defined = source[source.index("MARK") : source.index("sc =")].replace(str(new), str(old))
    exec(f"{defined}rdd{made}.foreach({function})", names)
    assert new.read_text(encoding="utf-8") == old.read_text(encoding="utf-8")


def test_an_error_of_the_function_ends_the_query(
    spark: SparkSession, directory: Path, tmp_path: Path
) -> None:
    source = PROGRAM.format(
        mark="", out=str(tmp_path / "new"), directory=str(directory), made="", function="lambda w: put(w[0])"
    )
    with pytest.raises(StreamingQueryException, match="IndexError"):
        _run(source, spark, directory)
    assert (tmp_path / "new").read_text() == "'b' \n'a' \n"
