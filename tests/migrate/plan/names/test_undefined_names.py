"""Contexts that are made and never used, and names that nothing defines."""

from __future__ import annotations

import pytest

from migrate.model import Outcome
from migrate.plan.names.undefined_names import NO_OUTPUTS, NO_STREAMS
from tests.migrate.programs import file, run

PROGRAM = """\
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="words")
scc = StreamingContext(sc, 10)
{}
"""


@pytest.mark.parametrize("rest", ["print(sc.version)", "import os\nprint(os.name)"])
def test_they_are_left_out(rest: str) -> None:
    (graph,) = run(PROGRAM.format(rest)).graphs
    assert graph.outcome is Outcome.NATIVE, graph.reasons


def test_but_not_where_their_name_may_be_mistaken() -> None:
    graphs = run(PROGRAM.format('ssc.socketTextStream("a", 1).pprint()\nssc.start()')).graphs
    assert all(graph.outcome is Outcome.COMPAT for graph in graphs)
    assert any(NO_STREAMS.format("ssc") in graph.reasons for graph in graphs)


def test_streams_that_a_wrong_name_leaves_unread_stay() -> None:
    lines = 'pairs = scc.socketTextStream("a", 1).map(lambda word: (word, 1))\n{}\nscc.start()'
    (graph,) = run(PROGRAM.format(lines.format("paris.countByKey().pprint()"))).graphs
    assert (graph.outcome, graph.reasons) == (Outcome.COMPAT, (NO_OUTPUTS.format("paris"),))
    (graph,) = run(PROGRAM.format(lines.format(""))).graphs
    assert graph.outcome is Outcome.NATIVE, graph.reasons


def test_the_connector_goes_with_a_context_that_is_never_used() -> None:
    package = "org.apache.spark:spark-streaming-kafka-0-8_2.11:2.3.1"
    setting = 'import os\nos.environ["PYSPARK_SUBMIT_ARGS"] = "{}pyspark-shell"\n'
    new = file(setting.format(f"--packages {package} ") + PROGRAM.format("")).new
    assert "PYSPARK_SUBMIT_ARGS" not in new and "kafka" not in new
