"""Contexts that an object of the program makes and starts, with streams and outputs outside of its class."""

from __future__ import annotations

import pytest

from migrate.model import Outcome
from tests.migrate.programs import run

CLASS = """\
import sys
from pyspark import SparkContext
from pyspark.streaming import StreamingContext


class Pipeline:
    def __init__(self, host):
        self._ssc = StreamingContext(SparkContext(appName="Test"), 1)
        self._lines = self._ssc.socketTextStream(host, 9999)

    def lines(self):
        return self._lines

    def start(self):
        self._ssc.start()
        self._ssc.awaitTerminationOrTimeout(60)

    def stop(self):
        self._ssc.stop()


"""
MADE = "pipeline = Pipeline(sys.argv[1])\n"
OUTPUT = "pipeline.lines().countByValue().pprint()\n"


def test_the_object_is_given_the_writer() -> None:
    result = run(f"{CLASS}{MADE}{OUTPUT}pipeline.start()\npipeline.stop()\n")
    assert result.graphs[0].outcome is Outcome.NATIVE, result.graphs[0].reasons
    new = result.files[0].new
    assert "\npipeline.writer = lines.writeStream.trigger(" in new
    assert new.index("pipeline.writer =") < new.index("pipeline.start()")
    assert "        self.query = self.writer.start()\n        self.query.awaitTermination(60)\n" in new
    assert "        self.query.stop()\n        self._spark.stop()\n" in new


def test_so_it_is_in_a_function() -> None:
    body = "".join(f"    {row}\n" for row in f"{MADE}{OUTPUT}pipeline.start()".splitlines())
    result = run(f"{CLASS}def main():\n{body}\nmain()\n")
    assert result.graphs[0].outcome is Outcome.NATIVE, result.graphs[0].reasons
    assert "    pipeline.writer = " in result.files[0].new


@pytest.mark.parametrize(
    "source",
    [
        pytest.param(f"{CLASS}{MADE}{OUTPUT}pipeline = pipeline\npipeline.start()\n", id="another object"),
        pytest.param(f"{CLASS}{MADE}{OUTPUT}def run(one):\n    one.start()\nrun(pipeline)\n", id="elsewhere"),
        pytest.param(
            CLASS.replace("    def __init__", '    __slots__ = ("_ssc", "_lines")\n\n    def __init__')
            + f"{MADE}{OUTPUT}pipeline.start()\n",
            id="no more attributes",
        ),
    ],
)
def test_other_objects_stay_on_compat(source: str) -> None:
    (graph,) = run(source).graphs
    assert graph.outcome is Outcome.COMPAT
    assert "`start` is called in another function" in graph.reasons[0]
