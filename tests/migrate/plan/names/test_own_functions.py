"""New code reads Spark's functions by the name that the program has imported them by."""

from __future__ import annotations

import pytest

from tests.migrate.codemod.written import native
from tests.migrate.programs import file, socket_program

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
    assert f"@{name}.udf\ndef lower(" in text, "helpers read it too"
    assert r'"F\.x"' in text, "texts stay"
    assert ("functions as F" in text) is (name == "F")


def test_their_own_name_is_kept_where_the_program_reads_it() -> None:
    text = new("from pyspark.sql import functions", "lambda rdd: print(rdd.collect(), functions.col)")
    assert "functions.explode(functions.split(lower(" in text
    assert " as F" not in text


def test_and_goes_where_nothing_does() -> None:
    text = new("from pyspark.sql import functions")
    assert "from pyspark.sql import functions as F\n" in text
    assert "import functions\n" not in text and "import functions," not in text


@pytest.mark.parametrize(
    "below",
    [
        "def g(f):\n    return f\n",
        "def g():\n    f = open(__file__)\n    return f\n",
        "g = lambda f: f\n",
        "def g():\n    def f():\n        return 1\n    return f\n",
    ],
    ids=["a parameter", "a variable", "a lambda's", "a function in a function"],
)
def test_functions_without_new_code_may_have_another_of_that_name(below: str) -> None:
    text = new("import pyspark.sql.functions as f", below=below)
    assert "f.explode(f.split(lower(" in text
    assert "functions as F" not in text


OWN = """\
from pyspark.sql import functions as f


def show(rdd):
    {first}
    print(rdd.map(lambda word: (word, 1)).toDF(["word", "n"]).select(f.max("word")).collect())
"""


@pytest.mark.parametrize("first", ["f = open(__file__)", "for f in [1]:\n        pass"])
def test_but_not_those_with_new_code(first: str) -> None:
    text = new(OWN.format(first=first), "show")
    assert "F.explode(F.split(lower(" in text


@pytest.mark.parametrize(
    ("imports", "below"),
    [
        ("from pyspark.sql import functions as f", "f = open(__file__)\n"),
        ("from pyspark.sql import functions as f", "def g():\n    global f\n    f = 1\n"),
        ("", "from pyspark.sql import functions as f\n"),
        ("if ssc_wanted:\n    from pyspark.sql import functions as f", ""),
        ("from pyspark.sql import functions as text", ""),
    ],
    ids=["bound again", "set by a function", "below the query", "in a branch", "a name that a helper has"],
)
def test_a_name_that_may_be_something_else_is_left_alone(imports: str, below: str) -> None:
    text = new(imports, below=below)
    assert "F.explode(F.split(lower(" in text
    assert "functions as F" in text


SORTED = "lines.map(lambda x: (x + '!', 1)).reduceByKey(lambda a, b: a + b).foreachRDD("
SORTED += "lambda rdd: rdd.toDF(['word', 'n']).sort(desc('n')).show())\n"


@pytest.mark.parametrize(
    ("imported", "more", "left"),
    [
        ("desc", "", ""),
        ("desc  # in descending order", "", ""),
        ("col, desc", "print(col('n'))\n", "from pyspark.sql.functions import col\n"),
        ("desc", "print(desc('n'))\n", "from pyspark.sql.functions import desc\n"),
        ("desc", "desc = desc\n", "from pyspark.sql.functions import desc\n"),
        ("desc", "from pyspark.sql.functions import desc\n", "from pyspark.sql.functions import desc\n"),
    ],
)
def test_functions_that_only_new_code_reads_need_no_import(imported: str, more: str, left: str) -> None:
    new = native(f"from pyspark.sql.functions import {imported}\n" + socket_program(f"{more}{SORTED}"))
    assert ".sort(F.desc('n'))" in new if not left or "col" in left else ".sort(desc('n'))" in new
    imports = {line for line in new.splitlines(keepends=True) if "sql.functions import" in line}
    assert imports == {left} - {""}


def test_they_are_read_by_the_program_s_own_name() -> None:
    own = "from pyspark.sql import functions as func\nfrom pyspark.sql.functions import desc\n"
    new = native(own + socket_program(SORTED))
    assert ".sort(func.desc('n'))" in new and "import desc" not in new
