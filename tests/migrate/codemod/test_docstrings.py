"""Docstrings call parameters by the names that they have now."""

from __future__ import annotations

import ast

import pytest

from tests.migrate.codemod.written import native, native_result, new_text
from tests.migrate.programs import socket_program

PROGRAM = """\
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

def run(ssc, port):
    {quotes}{text}{quotes}
    ssc.socketTextStream("localhost", port).pprint()

sc = SparkContext(appName="a")
ssc = StreamingContext(sc, 1)
run(ssc, 9999)
ssc.start()
ssc.awaitTermination()
"""


def docstring(text: str) -> str:
    new = native(PROGRAM.format(text=text, quotes='"""'))
    (function,) = [
        node for node in ast.parse(new).body if isinstance(node, ast.FunctionDef) and node.name == "run"
    ]
    assert [parameter.arg for parameter in function.args.args] == ["spark", "port"]
    return ast.get_docstring(function, clean=False) or ""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Runs.\n    :param ssc: context\n    :param port: of it", ":param spark: context\n    :param port:"),
        (":param StreamingContext ssc: context", ":param SparkSession spark: context"),
        (":type ssc: StreamingContext", ":type spark: SparkSession"),
        ("@param ssc context", "@param spark context"),
        ("Args:\n        ssc: the context", "Args:\n        spark: the context"),
        ("Args:\n        ssc (object): the context", "        spark (object): the context"),
        ("Parameters\n    ssc : StreamingContext", "    spark : SparkSession"),
        ("Reads by `ssc`.", "Reads by `spark`."),
    ],
)
def test_a_parameter_has_its_new_name_where_it_is_described(old: str, new: str) -> None:
    assert new in docstring(old)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Prints an RDD of lines.", "Prints a DataFrame of lines."),
        ("Maps/prints the RDDs of a DStream.", "Maps/prints the batch."),
        (
            "Takes each RDD of this DStream\n    from its SparkContext.",
            "Takes each batch\n    from its SparkSession.",
        ),
        ("See docs/DStream.html or `RDD`.", "See docs/DStream.html or `RDD`."),
        ("As lines.map(f) of an RDD.", "As lines.map(f) of an RDD."),
        ("from pyspark import SparkContext\n    runs.", "from pyspark import SparkContext\n    runs."),
    ],
)
def test_what_is_gone_has_other_words(old: str, new: str) -> None:
    assert docstring(old) == new


def test_rdds_that_stay_keep_their_words() -> None:
    text = "Prints an RDD of lines."
    source = PROGRAM.format(text=text, quotes='"""').replace(
        ".pprint()", ".foreachRDD(lambda r: put(r.map(weird).max()))"
    )
    assert text in native(source)


@pytest.mark.parametrize("text", ["Uses the ssc of all.", "Opens ssc-files:\n    ssc_files: some"])
def test_other_words_stay(text: str) -> None:
    assert docstring(text) == text


def test_a_function_that_each_batch_calls_has_dataframes_that_do_not_stream() -> None:
    """Its parameter is described by the same word as before, which its name may be, too."""
    source = '''\
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

def counted(words):
    """Counts.

    Args:
        words: DStream of words
    Returns:
        a DStream of counts
    """
    pairs = words.map(lambda word: (word, 1))
    return pairs.reduceByKey(lambda a, b: a + b)

def save(rdd):
    """Saves.

    Args:
        rdd: input rdd
    """
    print(sorted(rdd.collect()), sc.defaultParallelism)

sc = SparkContext(appName="a")
ssc = StreamingContext(sc, 1)
counts = counted(ssc.socketTextStream("localhost", 9999))
counts.foreachRDD(save)
ssc.start()
ssc.awaitTermination()
'''
    new = native(source)
    assert "        words: DataFrame of words\n    Returns:\n        a DataFrame of counts\n" in new
    assert "def save(batch, batch_id):" in new and "        batch: input DataFrame\n" in new


def test_a_docstring_that_would_be_told_by_half_stays_as_it_was() -> None:
    text = "Prints the lines of a DStream.\n\n    Then call `StreamingContext.start()`, as said of ssc.\n    "
    assert docstring(text) == text


def test_the_type_of_a_parameter_is_that_of_what_it_is_given() -> None:
    assert docstring("Runs.\n    lines (DStream): of the port").endswith("lines (DataFrame): of the port")


LESSON = """
    {first}
    You have to:
    1. map (tag) to (tag, 1)
    2. sum the count of current DStream state and previous state
    3. transform unordered DStream to a ordered Dstream
    Hints:
        You can take a look at updateStateByKey and transform transformations
        DStream is a series of rdd, each RDD in a DStream has the data of an interval
    Args:
        dstream(DStream): stream of tweets
    Returns:
        DStream Object with inner structure (tag, count)
    """
TOLD = """
    Counts them.
    You have to:
    1. map (tag) to (tag, 1)
    2. sum the count of current batch state and previous state
    3. transform unordered batch to a ordered one
    Args:
        words(DataFrame): stream of tweets
    Returns:
        DataFrame Object with inner structure (tag, count)
    """


def lesson(first: str) -> tuple[str, str]:
    """The docstring of a function that each batch calls, and the notes."""
    source = f'''\
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

def counted(words):
    """{LESSON.format(first=first)}"""
    pairs = words.map(lambda word: (word, 1))
    return pairs.reduceByKey(lambda a, b: a + b)

ssc = StreamingContext(SparkContext(appName="a"), 1)
lines = ssc.socketTextStream("localhost", 9999)
counted(lines).pprint()
lines.pprint()
ssc.start()
ssc.awaitTermination()
'''
    result = native_result(source)
    (function,) = (
        one
        for one in ast.parse(new_text(result)).body
        if isinstance(one, ast.FunctionDef) and one.name == "counted"
    )
    return ast.get_docstring(function, clean=False) or "", " ".join(result.graphs[0].notes)


def test_what_is_only_about_streams_goes_with_its_heading_and_is_noted() -> None:
    docstring, notes = lesson("Counts them.")
    assert docstring == TOLD
    assert "`You can take a look at updateStateByKey and transform transformations`" in notes


def test_it_stays_where_something_else_is_left() -> None:
    first = "Needs the StreamingContext, as it is, not another one."
    docstring, notes = lesson(first)
    assert docstring == LESSON.format(first=first).replace("dstream(DStream)", "words(DStream)")
    assert "take a look" not in notes


def test_a_text_that_stands_by_itself_is_told_as_a_comment_is() -> None:
    text = """\"\"\"
save them
  1. topTags: only save the latest rdd in DStream
Hints:
  1. You can take a look at foreachRDD transformation
  2. You may want to use saveToStorage
\"\"\"
lines.pprint()
"""
    told = "save them\n  1. topTags: only save the latest batch\nHints:\n"
    assert f'"""\n{told}  1. You may want to use saveToStorage\n"""' in native(socket_program(text))


@pytest.mark.parametrize(
    ("value", "told"),
    [("1", "A DataFrame of pairs."), ("os.stat(word)", "A DStream of pairs.")],
    ids=["columns", "RDD code"],
)
def test_a_function_that_each_batch_calls_does_not_call_an_rdd_a_dataframe(value: str, told: str) -> None:
    source = f'''\
import os
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

def paired(words):
    """A DStream of pairs."""
    return words.map(lambda word: (word, {value}))

ssc = StreamingContext(SparkContext(appName="a"), 1)
lines = ssc.socketTextStream("localhost", 9999)
paired(lines).pprint()
lines.pprint()
ssc.start()
ssc.awaitTermination()
'''
    assert f'"""{told}"""' in native(source)
