"""Native programs that import a module which programs on compat share."""

from __future__ import annotations

import pytest

from migrate.migration import migrate
from migrate.model import GraphResult, Options, Outcome, Result
from tests.migrate.programs import module

SHARED = """\
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

def shown(words):
    print(words)
"""
PROGRAM = """\
from shared import *
sc = SparkContext("local[2]", "job")
ssc = StreamingContext(sc, 2)
lines = ssc.socketTextStream("localhost", 9999)
{}
ssc.start()
ssc.awaitTermination()
"""
NATIVE = PROGRAM.format("lines.pprint()")
COMPAT = PROGRAM.format("lines.foreachRDD(lambda rdd: unknown(rdd))")


def _migrated(other: str, shared: str = SHARED) -> Result:
    """A native program beside another one."""
    files = {"first.py": NATIVE, "other.py": other, "shared.py": shared}
    result = migrate([module(text, path) for path, text in files.items()], Options())
    again = migrate([module(file.new, file.path) for file in result.files], Options())
    assert not any(file.changed for file in again.files), "rewriting twice changes something"
    return result


def _graph(result: Result) -> GraphResult:
    """The graph of the native program."""
    (graph,) = [one for one in result.graphs if "first.py" in one.files]
    assert graph.outcome is Outcome.NATIVE
    return graph


def test_the_others_import_it_themselves_where_they_have_it_by_a_star() -> None:
    result = _migrated(COMPAT)
    graph = _graph(result)
    assert not graph.requires and not graph.must_change
    first, other, shared = (file.new for file in result.files)
    assert other.startswith("from shared import *\nfrom compat.streaming import StreamingContext\nsc = ")
    assert shared == SHARED.replace("from pyspark.streaming import StreamingContext\n", "")
    assert "compat" not in first


@pytest.mark.parametrize(
    ("other", "shared"),
    [
        (COMPAT, f"{SHARED}\ndef context(sc):\n    return StreamingContext(sc, 1)\n"),
        (COMPAT, f"{SHARED}\n__all__ = ['SparkContext', 'StreamingContext', 'shown']\n"),
        (COMPAT.replace("import *", "import SparkContext, StreamingContext, shown"), SHARED),
    ],
    ids=["the module reads it", "the module lists it", "by its name"],
)
def test_else_it_needs_compat_for_them(other: str, shared: str) -> None:
    graph = _graph(_migrated(other, shared))
    assert graph.requires == ("compat.streaming",)
    (must,) = graph.must_change
    assert "it imports shared.py, which imports `compat.streaming`" in must


def test_it_needs_nothing_where_all_are_native() -> None:
    graph = _graph(_migrated(NATIVE))
    assert not graph.requires and not graph.must_change


def test_nor_where_the_others_import_it_themselves() -> None:
    first = NATIVE.replace(
        "from shared import *", "from pyspark import *\nfrom pyspark.streaming import *\nfrom shared import *"
    )
    files = {
        "first.py": first,
        "other.py": first.replace("lines.pprint()", "lines.foreachRDD(lambda rdd: unknown(rdd))"),
        "shared.py": "def shown(words):\n    print(words)\n",
    }
    result = migrate([module(text, path) for path, text in files.items()], Options())
    assert {graph.outcome for graph in result.graphs} == {Outcome.NATIVE, Outcome.COMPAT}
    assert not any(graph.requires or graph.must_change for graph in result.graphs)
