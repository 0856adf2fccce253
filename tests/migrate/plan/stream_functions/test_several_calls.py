"""Functions of streams that are called for several: their code must be the same for each call."""

from __future__ import annotations

import pytest

from migrate.model import Outcome
from tests.migrate.programs import file, run

HEAD = "from pyspark import SparkContext\nfrom pyspark.streaming import StreamingContext\n\n\n"
MAKES = (
    "\n\nsc = SparkContext()\nssc = StreamingContext(sc, 1)\n"
    'lines = ssc.socketTextStream("localhost", 9999)\n'
    'words = lines.flatMap(lambda line: line.split(" "))\n'
)
STARTS = "ssc.start()\nssc.awaitTermination()\n"
COUNT = (
    "def count(stream):\n"
    "    pairs = stream.map(lambda one: (one, 1))\n"
    "    return pairs.reduceByKey(lambda a, b: a + b)\n"
)
SHOW = "def show(stream, title):\n    stream.foreachRDD(lambda rdd: print(title, rdd.take(3)))\n"


def _program(functions: str, body: str) -> str:
    return HEAD + functions + MAKES + body + STARTS


def _native(functions: str, body: str) -> str:
    source = _program(functions, body)
    (graph,) = run(source).graphs
    assert graph.outcome is Outcome.NATIVE, graph.reasons
    return file(source).new


def _reason(functions: str, body: str) -> str:
    (graph,) = run(_program(functions, body)).graphs
    assert graph.outcome is Outcome.COMPAT
    return graph.reasons[0]


def test_its_body_changes_once_and_all_its_calls_stay() -> None:
    new = _native(COUNT, "a = count(words)\na.pprint()\nb = count(words.filter(len))\nb.pprint()\n")
    assert new.count("def count(stream):\n") == 1
    assert '    pairs = stream.select("word", F.lit(1).alias("count"))\n' in new
    assert "    a = count(words)\n" in new
    assert '    b = count(words.where(F.length("word") != 0))\n' in new


def test_its_arguments_are_evaluated_where_it_was_called() -> None:
    body = 'print("a")\nshow(words, input())\nprint("b")\ntitle = "c"\nshow(lines, title=input())\n'
    new = _native(SHOW, body)
    assert '\nprint("a")\ntitle_2 = input()\nprint("b")\ntitle = "c"\ntitle_3 = input()\n' in new
    assert "    show(words, title_2)\n" in new
    assert ", title=title_3)\n" in new


def test_columns_get_the_names_that_the_first_call_gives_them() -> None:
    new = _native(COUNT, "count(words).pprint()\ncount(lines).pprint()\n")
    assert "rows = count(words)\n" in new
    assert 'count(batch.toDF("word"))\n' in new


def test_it_takes_rdds_where_columns_are_of_different_kinds() -> None:
    new = _native(COUNT, "count(words).pprint()\ncount(words.map(lambda word: (word, len(word)))).pprint()\n")
    assert "pairs = stream.map(lambda one: (one, 1))\n" in new
    assert "count(words.rdd.map(lambda row: row[0]))\n" in new
    assert ".rdd.map(tuple)" in new


def test_functions_call_each_other() -> None:
    pairs = "def pairs_of(stream):\n    return stream.map(lambda one: (one, 1))\n\n\n"
    count = "def count(stream):\n    return pairs_of(stream).reduceByKey(lambda a, b: a + b)\n"
    new = _native(pairs + count, "count(words).pprint()\ncount(lines).pprint()\n")
    assert 'return pairs_of(stream).groupBy("word").agg(F.sum("count").alias("count"))\n' in new


def test_a_variable_is_the_stream_that_it_holds_at_each_call() -> None:
    new = _native(SHOW, 'out = words\nshow(out, "words")\nout = lines\nshow(out, "lines")\n')
    assert 'show(words, "words")\n' in new
    assert 'show(batch.toDF("word"), "lines")\n' in new


def test_an_output_in_a_branch() -> None:
    new = _native(SHOW, 'if __debug__:\n    show(lines, "lines")\nelse:\n    show(words, "words")\n')
    assert '    if __debug__:\n        show(batch, "lines")\n    else:\n        show(words' in new


def test_a_stream_that_a_function_makes_in_a_branch() -> None:
    new = _native(COUNT, "if __debug__:\n    counts = count(words)\n    counts.pprint()\nlines.pprint()\n")
    assert "    if __debug__:\n        counts = count(words)\n        counts.show(" in new


def test_new_names_in_it_are_the_same_for_each_call() -> None:
    first = "def first(stream, title):\n    stream.map(lambda one: title + str(hash(one))).pprint()\n"
    new = _native(first, 'first(words, "w")\nfirst(lines, "l")\n')
    assert new.count("for record in rdd.take(10):\n") == 1


def test_a_stream_that_nobody_reads_is_still_made_where_it_was() -> None:
    new = _native(COUNT, "count(words).pprint()\nunread = count(lines)\n")
    assert "unread = count(" in new


METHODS = """\
class Job:
    def __init__(self, ssc):
        self.ssc = ssc
        self.lines = ssc.socketTextStream("localhost", 9999)

    @staticmethod
    def words(stream):
        return stream.flatMap(lambda line: line.split(" "))

    def show(self, stream, title):
        stream.foreachRDD(lambda rdd: print(title, rdd.take(3)))

    def run(self):
        self.show(self.words(self.lines), "words")
        self.show(self.lines, "lines")
        self.ssc.start()
        self.ssc.awaitTermination()


"""


def test_methods() -> None:
    source = HEAD + METHODS + "Job(StreamingContext(SparkContext(), 1)).run()\n"
    source = source.replace(
        "Job(StreamingContext(SparkContext(), 1))", "ssc = StreamingContext(SparkContext(), 1)\nJob(ssc)"
    )
    (graph,) = run(source).graphs
    assert graph.outcome is Outcome.NATIVE, graph.reasons
    new = file(source).new
    assert "    def show(self, stream, title):\n        print(title, " in new
    assert 'self.show(batch.toDF("word"), "lines")\n' in new or 'self.show(batch, "lines")\n' in new


WINDOW = COUNT.replace("stream.map", "stream.window(4).map")
NO = [
    pytest.param(WINDOW, "count(words).pprint()\ncount(lines).pprint()\n", "`window` keeps", id="a window"),
    pytest.param(
        COUNT.replace("    pairs", '    print("counting")\n    pairs'),
        "count(words).pprint()\ncount(lines).pprint()\n",
        "does more than make streams",
        id="it prints",
    ),
    pytest.param(
        "def both(stream):\n    return stream, stream.map(len)\n",
        "a, b = both(words)\na.pprint()\nc, d = both(lines)\nd.pprint()\n",
        "not",
        id="it returns two",
    ),
    pytest.param(
        SHOW,
        'out = words\ntry:\n    int("x")\nexcept ValueError:\n    out = lines\n'
        'show(out, "out")\nshow(words, "w")\n',
        "which stream it is is not known",
        id="a stream that is one or the other",
    ),
    pytest.param(
        "def again(stream, n):\n    again(stream.map(str), n)\n",
        "again(words, 1)\nagain(lines, 2)\nlines.pprint()\n",
        "calls itself",
        id="it calls itself",
    ),
    pytest.param(
        "def from_port(ssc, port):\n    return ssc.socketTextStream('localhost', port)\n",
        "a = from_port(ssc, 1)\nb = from_port(ssc, 2)\na.union(b).pprint()\n",
        "makes a source",
        id="it makes a source",
    ),
    pytest.param(
        SHOW + "def both(stream):\n    show(stream, input())\n    show(stream.map(len), input())\n",
        'both(words)\nshow(lines, "lines")\n',
        "evaluated once: `input()`",
        id="an argument that another function evaluates",
    ),
    pytest.param(
        SHOW,
        'if __debug__:\n    show(words, input())\nshow(lines, "lines")\n',
        "evaluated once: `input()`",
        id="an argument that a branch evaluates",
    ),
]


@pytest.mark.parametrize(("functions", "body", "why"), NO)
def test_what_is_not_the_same_has_a_reason(functions: str, body: str, why: str) -> None:
    assert why in _reason(functions, body)
