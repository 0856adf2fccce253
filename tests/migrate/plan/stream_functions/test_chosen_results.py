"""Functions that return one of several streams, as a branch decides, take batches and do the same."""

from __future__ import annotations

import pytest

from migrate.model import Outcome
from tests.migrate.programs import run

HEAD = "import sys\nfrom pyspark import SparkContext\nfrom pyspark.streaming import StreamingContext\n\n\n"
MAIN = (
    "\n\nsc = SparkContext()\nssc = StreamingContext(sc, 1)\n"
    "lines = ssc.socketTextStream('localhost', 9999)\n{}\nssc.start()\nssc.awaitTermination()\n"
)
CALLS = MAIN.format("found = kept(lines, sys.argv[1])\nfound.pprint()")


def new_text(source: str) -> str:
    """The new text of a program that becomes native."""
    result = run(source)
    assert result.graphs[0].outcome is Outcome.NATIVE, result.graphs[0].reasons
    return str(result.files[0].new)


def reasons(source: str) -> str:
    """Why a program goes to compat."""
    (graph,) = run(source).graphs
    assert graph.outcome is Outcome.COMPAT
    return "; ".join(graph.reasons)


def test_one_stream_or_what_is_made_of_it() -> None:
    function = (
        "def kept(lines, word):\n    if not word:\n        return lines\n"
        "    return lines.filter(lambda line: word in line)"
    )
    new = new_text(HEAD + function + CALLS)
    assert (
        "def kept(lines, word):\n    if not word:\n        return lines\n"
        "    return lines.where(F.col('value').contains(word))\n"
    ) in new
    assert "    found = kept(batch, sys.argv[1])\n    found.show(10, truncate=False)\n" in new


PAIRS = """\
def kept(lines, mode):
    if mode == "words":
        words = lines.flatMap(lambda line: line.split(" "))
        return words.map(lambda word: (word, 1))
    elif mode == "twice":
        return lines.map(lambda line: (line, 2))
    else:
        return lines.map(lambda line: (line, {}))"""
COUNTED = MAIN.format("kept(lines, sys.argv[1]).reduceByKey(lambda a, b: a + b).pprint()")


def test_one_of_three_has_the_names_of_the_first() -> None:
    new = new_text(HEAD + PAIRS.format("3") + COUNTED)
    assert new.count('.alias("word"), F.lit(') + new.count('"word", F.lit(') == 3
    assert '    elif mode == "twice":' in new


def test_streams_with_other_columns_are_rdds() -> None:
    assert "return lines.rdd.map(" in new_text(HEAD + PAIRS.format("line") + COUNTED)


JOB = """\
class Job:
    def __init__(self, short):
        self.short = short

    def words(self, lines):
        words = lines.flatMap(lambda line: line.split(" "))
        if self.short:
            return words.filter(lambda word: len(word) < 5)
        return words

    def run(self):
        sc = SparkContext()
        ssc = StreamingContext(sc, 1)
        lines = ssc.socketTextStream("localhost", 9999)
        self.words(lines).countByValue().pprint()
        ssc.start()
        ssc.awaitTermination()


Job(len(sys.argv) > 1).run()
"""


def test_a_method_asks_what_its_object_was_made_with() -> None:
    new = new_text(HEAD + JOB)
    assert '            return words.where(F.length("word") < 5)\n        return words\n' in new


@pytest.mark.parametrize(
    ("old", "added"),
    [
        pytest.param(
            "    def words(", "    def lengthen(self):\n        self.short = False\n\n", id="changed"
        ),
        pytest.param(
            "    def run(", "    def put(self, n):\n        setattr(self, n, 1)\n\n", id="by any name"
        ),
        pytest.param(
            "    def run(", "    def again(self):\n        self.__init__(False)\n\n", id="made anew"
        ),
    ],
)
def test_an_attribute_that_may_change_is_not_asked_later(old: str, added: str) -> None:
    assert "may be something else in a later batch" in reasons(HEAD + JOB.replace(old, added + old))


REFUSED = {
    "nothing in one part": (
        "def kept(lines, word):\n    if word:\n        return lines.filter(lambda line: word in line)",
        "stands in a branch",
    ),
    "no stream in one part": (
        "def kept(lines, word):\n    if word:\n        return lines.filter(lambda line: word in line)\n"
        "    return None",
        "stands in a branch",
    ),
    "a part that goes on": (
        "def kept(lines, word):\n    if word:\n        if len(word) > 1:\n            return lines\n"
        "        lines = lines.filter(lambda line: word in line)\n    return lines",
        "stands in a branch",
    ),
    "windows": (
        "def kept(lines, word):\n    if word:\n        return lines\n    return lines.window(4)",
        "may return here",
    ),
}


@pytest.mark.parametrize(("function", "why"), REFUSED.values(), ids=REFUSED)
def test_other_returns_stay(function: str, why: str) -> None:
    assert why in reasons(HEAD + function + CALLS)


def test_what_a_function_returns_as_it_is_gets_the_form_of_the_other() -> None:
    function = (
        "def kept(lines, mode):\n    if mode:\n        return lines.map(parse)\n    return lines\n\n\n"
        "def named(lines, mode):\n    if mode:\n        found = lines.map(parse)\n"
        "    else:\n        found = lines\n    return found"
    )
    calls = "kept(lines, sys.argv[1]).pprint()\nnamed(lines, sys.argv[1]).pprint()"
    new = new_text("from parsing import parse\n" + HEAD + function + MAIN.format(calls))
    elements = "lines.rdd.map(lambda row: row[0])"
    assert f"    return {elements}\n" in new
    assert f"    else:\n        found = {elements}\n    return found\n" in new
