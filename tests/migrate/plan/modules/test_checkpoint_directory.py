"""Programs whose DStreams keep something from batch to batch, and that name no directory for it."""

from __future__ import annotations

import pytest

from tests.migrate.programs import run, socket_program

PAIRS = "pairs = lines.map(lambda line: (line, 1))\n"
BOTH = "lambda a, b: a + b, lambda a, b: a - b"
FAILS = (
    "`start` of a DStream fails for {} without a checkpoint directory, and the program names none; the query"
    " starts"
)


def notes(body: str) -> list[str]:
    """The notes on directories for a program with a body, which is native."""
    (graph,) = run(socket_program(PAIRS + body)).graphs
    assert graph.outcome.value == "native", graph.reasons
    return [note for note in graph.notes if "checkpoint directory" in note]


@pytest.mark.parametrize(
    "call",
    [
        "updateStateByKey(lambda new, last: sum(new) + (last or 0))",
        "countByValueAndWindow(4, 2)",
        f"reduceByKeyAndWindow({BOTH}, 4, 2)",
        "reduceByKeyAndWindow(lambda a, b: a + b, 4, 2)",
    ],
    ids=["state", "window of the API's own", "inverse", "duration that stands for the inverse"],
)
def test_one_that_did_not_start(call: str) -> None:
    operator = call.partition("(")[0]
    assert notes(f"pairs.{call}.pprint()") == [FAILS.format(f"`{operator}`")]


def test_several_operators() -> None:
    body = f"pairs.reduceByKeyAndWindow({BOTH}, 4, 2).pprint()\nlines.countByWindow(4, 2).pprint()"
    assert notes(body) == [FAILS.format("`reduceByKeyAndWindow`, `countByWindow`")]


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("pairs.checkpoint(4)\npairs.pprint()", id="a statement"),
        pytest.param("pairs = pairs.checkpoint(4)\npairs.pprint()", id="a variable"),
        pytest.param("pairs.checkpoint(4).pprint()", id="in a chain"),
    ],
)
def test_the_checkpoint_of_a_stream_is_left_out(body: str) -> None:
    assert notes(body) == [FAILS.format("`checkpoint` of a stream")]
    assert notes(f"ssc.checkpoint('kept')\n{body}") == []
    assert ".checkpoint" not in (run(socket_program(PAIRS + body)).files[0].new or "")


@pytest.mark.parametrize(
    "body",
    [
        "pairs.window(4, 2).pprint()",
        "pairs.reduceByKeyAndWindow(lambda a, b: a + b, None, 4, 2).pprint()",
        "pairs.reduceByKeyAndWindow(lambda a, b: a + b, invFunc=None, windowDuration=4).pprint()",
        "counts = lines.countByWindow(4, 2)\npairs.pprint()",
        "ssc.checkpoint('kept')\nlines.countByWindow(4, 2).pprint()",
        "lines.countByWindow(4, 2).pprint()\nprint(sc.getConf().get('spark.streaming.checkpoint.directory'))",
    ],
    ids=["window alone", "no inverse", "no inverse by name", "nothing puts it out", "directory", "setting"],
)
def test_one_that_started(body: str) -> None:
    assert notes(body) == []
