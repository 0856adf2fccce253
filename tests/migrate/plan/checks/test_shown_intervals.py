from __future__ import annotations

import pytest

from migrate.plan.arranged import Forms
from migrate.trace import trace
from tests.migrate.programs import KAFKA, QUEUE, SOCKET, module

INSERTS = (
    "import requests\n\ndef save(rdd):\n    requests.post('http://here', rdd.count())\n{}.foreachRDD(save)"
)
"""A request in each interval, with input or without."""


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        (SOCKET.format(body="lines.foreachRDD(lambda rdd: print(rdd.count()))"), False),
        (SOCKET.format(body=INSERTS.format("lines")), True),
        (KAFKA.format(body=INSERTS.format("messages.map(lambda m: m[1])")), True),
        pytest.param(QUEUE.format(body=INSERTS.format("numbers")), False, id="a queue has them anyway"),
        pytest.param(
            SOCKET.format(body="def save(rdd):\n    global n\n    n = n + 1\nn = 0\nlines.foreachRDD(save)"),
            True,
            id="a counter of batches",
        ),
    ],
)
def test_what_callbacks_do_without_input_is_known_before_the_plan(source: str, shown: bool) -> None:
    found = trace([module(source)])
    (graph,) = found.graphs
    (form, *_) = Forms(graph, found)
    assert form.shows_intervals is shown
