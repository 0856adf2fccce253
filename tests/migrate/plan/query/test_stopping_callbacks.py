"""A callback that stops the context stops the query, if nothing of the batch comes after it."""

from __future__ import annotations

import pytest

from migrate.model import Outcome
from tests.migrate.programs import blocked, file, run, socket_program


def program(stop: str, more: str = "") -> str:
    return socket_program(
        "def show(rdd):\n    words = rdd.collect()\n    print(sorted(words))\n"
        f"    if 'stop' in words:\n{stop}\nlines.foreachRDD(show)\n{more}"
    )


@pytest.mark.parametrize(
    "stop",
    [
        "        ssc.stop()",
        "        ssc.stop(False)",
        "        ssc.stop(stopSparkContext=False, stopGraceFully=False)",
        "        if len(words) > 1:\n            ssc.stop()\n            return\n        return",
        "        print('go on')\n    else:\n        ssc.stop()",
    ],
)
def test_it_ends_the_query(stop: str) -> None:
    source = program(stop)
    (graph,) = run(source).graphs
    assert graph.outcome is Outcome.NATIVE, graph.reasons
    assert any("stops the query, whose batch still ends" in note for note in graph.notes)
    new = file(source).new
    assert "stop_queries(spark)\n" in new
    assert "def stop_queries(session):\n" in new
    assert "ssc" not in new


@pytest.mark.parametrize(
    ("stop", "more"),
    [
        pytest.param("        ssc.stop(True, True)", "", id="graceful: it waits for its own batch for ever"),
        pytest.param("        ssc.stop(stopGraceFully=words)", "", id="perhaps graceful"),
        pytest.param("        ssc.stop()\n        print('over')", "", id="a statement after it"),
        pytest.param("        ssc.stop()\n    print('over')", "", id="a statement after its branch"),
        pytest.param(
            "        try:\n            ssc.stop()\n        except Exception:\n            print('no')",
            "",
            id="what is caught",
        ),
        pytest.param("        for word in words:\n            ssc.stop()", "", id="a loop"),
        pytest.param("        ssc.stop()", "lines.pprint()", id="an output below"),
    ],
)
def test_what_may_come_after_it_goes_to_compat(stop: str, more: str) -> None:
    (graph,) = run(program(stop, more)).graphs
    assert graph.outcome is Outcome.COMPAT


@pytest.mark.parametrize("test", ["rdd.isEmpty()", "rdd.count() < 2", "True", "'stop' in rdd.collect()"])
def test_it_may_stop_without_input_but_not_before_the_first_interval(test: str) -> None:
    source = socket_program(f"def show(rdd):\n    if {test}:\n        ssc.stop()\nlines.foreachRDD(show)")
    new = file(source).new
    assert ".transform(every_interval)" in new
    assert "if batch_id == 0 and batch.isEmpty():" in new


def test_a_restart_would_not_run_its_batch_again() -> None:
    source = (
        "from pyspark import SparkContext\nfrom pyspark.streaming import StreamingContext\n"
        "def build():\n    ssc = StreamingContext(SparkContext(), 1)\n    ssc.checkpoint('d')\n"
        "    def show(rdd):\n        if rdd.isEmpty():\n            ssc.stop()\n"
        "    ssc.textFileStream('in').foreachRDD(show)\n    return ssc\n"
        "ssc = StreamingContext.getOrCreate('d', build)\nssc.start()\nssc.awaitTermination()\n"
    )
    assert run(source).graphs[0].outcome is Outcome.COMPAT


def test_the_report_says_that_outputs_below_are_left_out() -> None:
    why = blocked("def show(rdd):\n    ssc.stop()\nlines.foreachRDD(show)\nlines.pprint()")
    assert "leaves out the outputs below it" in why
