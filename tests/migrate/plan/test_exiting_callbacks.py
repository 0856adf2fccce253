"""A callback that calls `exit()` failed its batch; the function of a query that does so never comes back."""

from __future__ import annotations

import pytest

from migrate.model import Outcome
from tests.migrate.programs import file, run, socket_program

HEAD = "import sys\ndef show(rdd):\n    if 'stop' in rdd.collect():\n"


@pytest.mark.parametrize("call", ["exit()", "exit(1)", "quit()", "sys.exit('bye')"])
def test_it_raises_instead(call: str) -> None:
    source = socket_program(f"{HEAD}        {call}\nlines.foreachRDD(show)")
    new = file(source).new
    assert '        raise RuntimeError("exit")  # a query waits for ever for a function that exits\n' in new
    assert call not in new
    (graph,) = run(source).graphs
    assert sum("exits raises an error" in note for note in graph.notes) == 1


@pytest.mark.parametrize(
    "body",
    [
        f"{HEAD}        end()\ndef end():\n    exit()\nlines.foreachRDD(show)",
        f"{HEAD}        try:\n            exit()\n        finally:\n            f()\nlines.foreachRDD(show)",
        f"{HEAD}        print(exit())\nlines.foreachRDD(show)",
        "lines.foreachRDD(lambda rdd: rdd.isEmpty() and exit())",
    ],
)
def test_elsewhere_than_in_a_line_of_its_own_it_stays_on_compat(body: str) -> None:
    (graph,) = run(socket_program(body)).graphs
    assert graph.outcome is Outcome.COMPAT
    assert "would leave a query waiting for ever" in graph.reasons[0]


def test_another_function_of_that_name_stays() -> None:
    new = file(socket_program(f"def exit():\n    print(1)\n{HEAD}        exit()\nlines.foreachRDD(show)")).new
    assert "        exit()\n" in new


def test_what_runs_on_the_workers_or_elsewhere_stays() -> None:
    body = "import sys\ndef send(x):\n    sys.exit(x)\nlines.foreachRDD(lambda rdd: rdd.foreach(send))"
    assert "sys.exit(x)" in file(socket_program(f"{body}\nif len(sys.argv) > 3:\n    sys.exit(2)")).new
