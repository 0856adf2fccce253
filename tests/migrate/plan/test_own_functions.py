"""New code reads Spark's functions by the name that the program has imported them by."""

from __future__ import annotations

import pytest

from tests.migrate.programs import file

PROGRAM = """\
from pyspark import SparkContext
from pyspark.streaming import StreamingContext
{imports}

sc = SparkContext(appName="words")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", 9999)
words = lines.flatMap(lambda line: line.lower().split("F.x"))
words.foreachRDD({callback})
ssc.start()
ssc.awaitTermination()
{below}"""


def new(imports: str, callback: str = "lambda rdd: print(rdd.collect())", below: str = "") -> str:
    result = file(PROGRAM.format(imports=imports, callback=callback, below=below))
    assert result.status.value == "native", result.error
    return result.new


@pytest.mark.parametrize(
    ("imports", "name"),
    [
        ("from pyspark.sql import functions as f", "f"),
        ("import pyspark.sql.functions as sf", "sf"),
        ("from pyspark.sql import functions as F", "F"),
        ("from pyspark.sql import functions", "F"),
    ],
)
def test_there_is_one_name_for_them(imports: str, name: str) -> None:
    text = new(imports)
    assert f"{name}.explode({name}.split(lower(" in text
    assert f"return {name}.udf(" in text, "helpers read it too"
    assert r'"F\.x"' in text, "texts stay"
    assert ("functions as F" in text) is (name == "F")


@pytest.mark.parametrize(
    ("imports", "below"),
    [
        ("from pyspark.sql import functions as f", "f = open(__file__)\n"),
        ("from pyspark.sql import functions as f", "def g(f):\n    return f\n"),
        ("", "from pyspark.sql import functions as f\n"),
        ("if ssc_wanted:\n    from pyspark.sql import functions as f", ""),
        ("from pyspark.sql import functions as text", ""),
    ],
    ids=["bound again", "a parameter", "below the query", "in a branch", "a name that a helper has"],
)
def test_a_name_that_may_be_something_else_is_left_alone(imports: str, below: str) -> None:
    text = new(imports, below=below)
    assert "F.explode(F.split(lower(" in text
    assert "functions as F" in text
