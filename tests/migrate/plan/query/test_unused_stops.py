"""Functions that nothing calls stop the session in place of the context that they would be given."""

from __future__ import annotations

import pytest

from tests.migrate.codemod.written import native_result
from tests.migrate.programs import file

PROGRAM = """\
from pyspark import SparkContext
from pyspark.streaming import StreamingContext


{stopping}


def main(ssc):
    ssc.socketTextStream("localhost", 9999).pprint()
    ssc.start()
    ssc.awaitTermination()
    # finish(ssc)


if __name__ == "__main__":
    ssc = StreamingContext(SparkContext(appName="words"), 10)
    main(ssc)
"""


def program(body: str, parameters: str = "ssc", end: str = "") -> str:
    stopping = f"def finish({parameters}):\n    print('over')\n    {body}{end}"
    return PROGRAM.format(stopping=stopping)


@pytest.mark.parametrize("body", ["ssc.stop(True, True)", "ssc.stop()", "ssc.stop(stopGraceFully=True)"])
def test_it_stops_the_session(body: str) -> None:
    text = file(program(body)).new
    assert "def finish(spark):\n    print('over')\n    spark.stop()\n" in text


def test_the_report_says_so() -> None:
    (graph,) = native_result(program("ssc.stop(True, True)")).graphs
    assert "`finish`, which nothing calls, stops the session instead of the context" in graph.notes


@pytest.mark.parametrize(
    ("body", "end"),
    [
        ("ssc.stop(False)", ""),
        ("ssc.stop(graceful)", ""),
        ("ssc.stop()\n    print(ssc)", ""),
        ("ssc.stop()", "\n\n\nprint(finish)"),
        ("ssc.stop()", "\n\n\n__all__ = ['finish']"),
    ],
    ids=["only streams", "unknown", "more", "read", "exported"],
)
def test_it_stays_where_more_is_done_with_it(body: str, end: str) -> None:
    assert f"def finish(ssc):\n    print('over')\n    {body}\n" in file(program(body, end=end)).new


def test_it_stays_where_it_is_given_something_else() -> None:
    assert (
        "def finish(server):\n    print('over')\n    server.stop()\n"
        in file(program("server.stop()", "server")).new
    )
    assert "def finish(ssc, spark):" in file(program("ssc.stop(spark)", "ssc, spark")).new
