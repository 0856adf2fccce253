"""Contexts that an object of the program makes and starts, with streams and outputs outside of its class."""

from __future__ import annotations

import pytest

from migrate.migration import migrate
from migrate.model import Options, Outcome
from tests.migrate.programs import module, run

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


JOB = """\
from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def run(context):
    context.start()
    context.awaitTermination()


class Job:
    def __init__(self):
        self.ssc = StreamingContext(SparkContext(appName="Test"), 1)

    def build(self):
        self.ssc.socketTextStream("h", 1).pprint()
        run(self.ssc)


Job().build()
"""


def test_a_function_is_given_the_writer_in_place_of_an_objects_context() -> None:
    result = run(JOB)
    assert result.graphs[0].outcome is Outcome.NATIVE, result.graphs[0].reasons
    new = result.files[0].new
    assert "def run(writer):\n    query = writer.start()\n    query.awaitTermination()\n" in new
    assert "        writer = (\n            lines.writeStream" in new and "        run(writer)\n" in new


WAITING = JOB.replace("    context.awaitTermination()\n", "").replace(
    "\n\nJob().build()",
    "\n    def wait(self):\n        self.ssc.awaitTermination()\n\n"
    "    def end(self):\n        self.ssc.stop()\n\n\n"
    "job = Job()\njob.build()\njob.wait()\njob.end()",
)


def test_its_query_is_one_of_the_sessions_elsewhere() -> None:
    result = run(WAITING)
    assert result.graphs[0].outcome is Outcome.NATIVE, result.graphs[0].reasons
    new = result.files[0].new
    assert "def run(writer):\n    writer.start()\n" in new
    assert "    def wait(self):\n        self.spark.streams.awaitAnyTermination()\n" in new
    ends = new[new.index("    def end(self)") :]
    assert "        for query in self.spark.streams.active:\n            query.stop()\n" in ends
    assert "        self.spark.stop()\n" in ends


def test_it_is_not_where_the_session_may_have_other_ones() -> None:
    (graph,) = run(f"{WAITING}\nrows.writeStream.start()\n").graphs
    assert graph.outcome is Outcome.COMPAT
    assert "`awaitTermination` is called in another function" in graph.reasons[0]


def test_a_function_is_given_it_in_place_of_a_modules_context() -> None:
    streams = (
        "from pyspark import SparkContext\nfrom pyspark.streaming import StreamingContext\n\n"
        'ssc = StreamingContext(SparkContext(appName="Test"), 1)\n\n\n'
        "def run(context):\n    context.start()\n    context.awaitTermination()\n"
    )
    main = (
        "import streams\n\n\ndef main():\n"
        '    streams.ssc.socketTextStream("h", 1).pprint()\n    streams.run(streams.ssc)\n\n\nmain()\n'
    )
    result = migrate([module(main, "main.py"), module(streams, "streams.py")], Options())
    assert result.graphs[0].outcome is Outcome.NATIVE, result.graphs[0].reasons
    new = {one.path: one.new for one in result.files}
    assert "    streams.run(writer)\n" in new["main.py"]
    assert "def run(writer):\n    query = writer.start()\n" in new["streams.py"]
