"""Docstrings call parameters by the names that they have now."""

from __future__ import annotations

import ast

import pytest

from tests.migrate.codemod.written import native, native_result, new_text
from tests.migrate.programs import run, socket_program

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
    3. transform unordered batch to a ordered batch
    Args:
        words(DataFrame): stream of tweets
    Returns:
        DataFrame Object with inner structure (tag, count)
    """


def lesson(first: str) -> tuple[str, tuple[str, ...]]:
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
    return ast.get_docstring(function, clean=False) or "", result.graphs[0].notes


def test_what_is_only_about_streams_goes_with_its_heading_and_is_noted() -> None:
    docstring, notes = lesson("Counts them.")
    assert docstring == TOLD
    assert "`You can take a look at updateStateByKey and transform transformations`" in " ".join(notes)


def test_it_stays_where_something_else_is_left() -> None:
    first = "Needs the StreamingContext, as it is, not another one."
    docstring, notes = lesson(first)
    assert docstring == LESSON.format(first=first).replace("dstream(DStream)", "words(DStream)")
    dropped = [note for note in notes if "left out" in note and "take a look" in note]
    left = [note for note in notes if "left as they were" in note and "take a look" in note]
    assert not dropped and left


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


CONTEXTS = """\
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

'''
registering the spark context
'''
sc = SparkContext(appName="a")

'''
registering the streaming context
'''
ssc = StreamingContext(sc, 1)
ssc.socketTextStream("localhost", 9999).pprint()
ssc.start()
ssc.awaitTermination()
"""


def test_a_text_about_a_context_goes_with_it() -> None:
    result = run(CONTEXTS)
    assert str(result.files[0].new).count("registering the SparkSession") == 1
    (left_out,) = [note for note in result.graphs[0].notes if "left out with the code" in note]
    assert "`registering the streaming context`" in left_out


@pytest.mark.parametrize(
    ("value", "told"),
    [("1", "A DataFrame of pairs."), ("os.stat(word)", "An RDD of pairs.")],
    ids=["columns", "RDD code"],
)
def test_a_function_that_each_batch_calls_says_what_it_makes(value: str, told: str) -> None:
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


HELPERS = '''\
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

def connect(port):
    """Make the DStream of lines, as words.pprint() shows.

    Returns:
        the context
    """
    ssc = StreamingContext(SparkContext(appName="a"), 1)
    lines = ssc.socketTextStream("localhost", port)
    return ssc, lines

def put_out(words, name):
    """{summary}

    {field}
    :param name: what is said of them
    """
    words.pprint()
    print(name)

def run(ssc):
    """Start Spark streaming context

    :param ssc: initialized streaming context
    """
    ssc.start()
    ssc.awaitTermination()

ssc, words = connect(9999)
put_out(words, "words")
run(ssc)
'''


def documented(function: str, summary: str = "Print them.", field: str = ":param words: lines") -> str:
    new = native(HELPERS.format(summary=summary, field=field))
    (found,) = [
        node for node in ast.parse(new).body if isinstance(node, ast.FunctionDef) and node.name == function
    ]
    return ast.get_docstring(found) or ""


@pytest.mark.parametrize(
    "field",
    [
        ":param words: lines",
        ":param words: lines\n        of the port",
        ":param words: lines\n    :type words: DStream",
        "words (DStream): lines",
    ],
)
def test_a_parameter_that_goes_is_not_described(field: str) -> None:
    assert documented("put_out", field=field) == "Print them.\n\n:param name: what is said of them"


def test_a_section_of_parameters_that_go_has_no_heading() -> None:
    source = HELPERS.format(summary="Print.", field="Args:\n        words: lines\n\n    Else:")
    assert '"""Print.\n\n    Else:\n' in native(source)


def test_a_parameter_that_goes_and_is_named_otherwise_is_told_of() -> None:
    result = native_result(HELPERS.format(summary="Print all of words.", field=":param words: lines"))
    notes = " ".join(result.graphs[0].notes)
    left_out = "`Print all of words.`, `:param words: lines`, `:param name: what is said of them`"
    assert f"comments left out with the code that they were about: {left_out}" in notes


def test_what_starts_the_query_is_its_writer() -> None:
    said = "Start streaming query\n\n:param writer: initialized DataStreamWriter"
    assert documented("run") == said


def test_attributes_of_a_class_have_their_new_names() -> None:
    source = '''\
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

class Counter:
    """Counts.

    Attributes:
        sc: SparkContext
        ssc: StreamingContext
        lines: input DStream
    """
    def __init__(self):
        self.sc = SparkContext(appName="a")
        self.ssc = StreamingContext(self.sc, 1)
        self.lines = self.ssc.socketTextStream("localhost", 9999)

    def run(self):
        """Run the StreamingContext until it is stopped."""
        self.lines.pprint()
        self.ssc.start()
        self.ssc.awaitTermination()

Counter().run()
'''
    new = native(source)
    assert "Attributes:\n        spark: SparkSession\n        lines: input streaming DataFrame\n    " in new
    assert '"""Run the streaming query until it is stopped."""' in new


def test_a_stream_is_an_rdd_where_a_function_of_batches_has_rdds_alone() -> None:
    source = """\
import os

def sizes(words):
    # DStream of what is odd
    odd = words.map(lambda word: os.stat(word)).filter(lambda found: found.st_size % 2)
    # Return DStream with what is left
    return odd

sizes(lines.map(os.path.abspath)).foreachRDD(lambda rdd: print(rdd.first()))
lines.pprint()
"""
    new = native(socket_program(source))
    assert "# RDD of what is odd" in new and "# Return RDD with what is left" in new


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("It uses the spark-streaming-kafka jar file.", "It uses the spark-sql-kafka-0-10 jar file."),
        ("Include the spark-streaming-kafka pakage in it", "Include the spark-sql-kafka-0-10 pakage in it"),
        (
            "https://spark.apache.org/docs/latest/streaming-kafka-0-8-integration.html",
            "https://spark.apache.org/docs/latest/streaming/structured-streaming-kafka-integration.html",
        ),
        ("spark-submit --jars spark-streaming-kafka.jar", "spark-submit --jars spark-streaming-kafka.jar"),
    ],
)
def test_the_connector_of_kafka_is_that_of_queries(old: str, new: str) -> None:
    text = native(f'"""Counts words.\n\n{old}\n"""\n' + socket_program("lines.pprint()"))
    assert text.startswith(f'"""Counts words.\n\n{new}\n"""\n')


RETURNED = '''\
import json
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

def connect(port):
    """{summary}

    {field}
    """
    ssc = StreamingContext(SparkContext(appName="a"), 1)
    lines = ssc.socketTextStream("localhost", port)
    parsed = lines.map(lambda line: json.loads(line))
    return ssc, parsed

def sizes(found):
    """Sizes.

    :type found: initialized streaming context.
    """
    return found.map(lambda record: (record["name"], 1)).reduceByKey(lambda a, b: a + b)

ssc, parsed = connect(9999)
sizes(parsed).pprint()
ssc.start()
'''


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (
            ":return ssc, parsed: initialized streaming context and JSON of the DStream",
            ":return spark, lines: initialized SparkSession and streaming DataFrame",
        ),
        (
            ":returns ssc, parsed: the context, and the parsed lines",
            ":returns spark, lines: the context, and the streaming DataFrame",
        ),
        (":return ssc, parsed: both", ":return spark, lines: both"),
        (":return parsed: all", ":return lines: streaming DataFrame"),
        (":return nothing: all", ":return nothing: all"),
    ],
)
def test_what_is_returned_is_called_as_it_is_now(old: str, new: str) -> None:
    assert f"    {new}\n" in native(RETURNED.format(summary="Connect.", field=old))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (
            "Make spark context, streaming context, input DStream and parse the lines.",
            "Make SparkSession and input streaming DataFrame.",
        ),
        ("Connect and parse what comes.", "Connect."),
        ("Connect and print that.", "Connect and print that."),
    ],
)
def test_a_step_that_a_function_does_no_more_is_not_told(old: str, new: str) -> None:
    assert f'"""{new}\n' in native(RETURNED.format(summary=old, field=":return ssc, parsed: both"))


def test_no_parameter_of_a_function_of_batches_is_a_context() -> None:
    assert "    :type found: RDD\n" in native(RETURNED.format(summary="Connect.", field=""))
