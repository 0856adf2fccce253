"""Functions that are given the context to stop it, or to wait for it."""

from __future__ import annotations

import pytest

from migrate.migration import migrate
from migrate.model import GraphResult, Options, Outcome
from tests.migrate.programs import compiled, module, run

HEAD = "from pyspark import SparkContext\nfrom pyspark.streaming import StreamingContext\n"
PROGRAM = """\
def end(context, why):
    print(why)
    context.stop(stopGraceFully=False)


ssc = StreamingContext(SparkContext(appName="lines"), 1)
lines = ssc.socketTextStream("localhost", 9999)
lines.pprint()
ssc.start()
try:
    ssc.awaitTermination()
except KeyboardInterrupt:
    end(ssc, "interrupted")
"""
FUNCTION = "def end(spark, why):\n    print(why)\n    query.stop()\n    spark.stop()\n"
BUILT = """\
def wait(context, seconds):
    context.awaitTerminationOrTimeout(seconds)


def end(why, context):
    print(why)
    context.stop(True)


def main():
    ssc = StreamingContext(SparkContext(appName="lines"), 1)
    lines = ssc.socketTextStream("localhost", 9999)
    lines.pprint()
    ssc.start()
    wait(ssc, 9)
    end(context=ssc, why="late")


main()
"""


def _graph(body: str, **more: str) -> GraphResult:
    files = [module(HEAD + body), *(module(text, f"{name}.py") for name, text in more.items())]
    (graph,) = migrate(files, Options()).graphs
    return graph


def test_it_is_given_the_session() -> None:
    new = run(HEAD + PROGRAM).files[0].new
    compiled(new)
    assert FUNCTION in new
    assert 'except KeyboardInterrupt:\n    end(spark, "interrupted")' in new


def test_it_may_be_called_twice() -> None:
    new = run(f"{HEAD}{PROGRAM}end(ssc, 'again')\n").files[0].new
    assert FUNCTION in new
    assert "end(spark, 'again')\n" in new.replace('"again"', "'again'")


def test_where_no_variable_has_the_query_it_asks_the_session() -> None:
    new = run(HEAD + BUILT).files[0].new
    compiled(new)
    assert "def wait(spark, seconds):\n    spark.streams.awaitAnyTermination(seconds)\n" in new
    assert "    for query in spark.streams.active:\n        query.stop()\n    spark.stop()\n" in new
    assert '    wait(spark, 9)\n    end(spark=spark, why="late")\n' in new


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(f"{PROGRAM}end(None, 'nothing')\n", id="it is given something else"),
        pytest.param(
            f"{PROGRAM}given = [ssc, 'all']\nend(*given)\n", id="what it is given is not written out"
        ),
        pytest.param(PROGRAM.replace("print(why)", "context.remember(9)"), id="it does more"),
    ],
)
def test_otherwise_it_is_not_followed(body: str) -> None:
    assert _graph(body).outcome is Outcome.COMPAT


def test_that_of_another_module_is_not() -> None:
    function, rest = PROGRAM[: PROGRAM.index("ssc =")], PROGRAM[PROGRAM.index("ssc =") :]
    graph = _graph(f"from ends import end\n{rest}", ends=function)
    assert "is handed on in a way that is not followed" in graph.reasons[0]
