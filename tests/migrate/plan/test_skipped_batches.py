"""``--skip-empty-batches``: no batch runs in an interval without input, whatever the program did in one."""

from __future__ import annotations

import pytest

from migrate.model import Options, Outcome, Result
from migrate.plan.draft.every_interval import SKIPPED
from tests.migrate.programs import flat, queue_program, run, whole_program

TOTAL = "map(lambda w: (w, 1)).updateStateByKey(lambda new, last: sum(new) + (last or 0))"
APPENDS = """\
def save(rdd):
    rows = rdd.collect()
    with open("out", "a") as out:
        out.write("%d rows" % len(rows))
"""
STOPS = "def stop(rdd):\n    if rdd.isEmpty():\n        ssc.stop()\n"

CLOCKED = {
    "a callback that writes": (f"{APPENDS}lines.foreachRDD(save)", "foreachRDD"),
    "a callback that stops the context": (f"{STOPS}lines.foreachRDD(stop)", "stop"),
    "a window": ("lines.window(6, 4).pprint()", "window"),
    "counts of a window": ("lines.countByWindow(6, 4).pprint()", "countByWindow"),
    "a state that is saved": (f'lines.{TOTAL}.saveAsTextFiles("out")', "saveAsTextFiles"),
    "a state of its own function": (
        "lines.map(lambda w: (w, 1)).updateStateByKey(lambda new, last: (last or 0) + 1).pprint()",
        "updateStateByKey",
    ),
}


def _run(body: str, options: Options) -> Result:
    result = run(whole_program(body), options)
    assert result.graphs[0].outcome is Outcome.NATIVE, result.graphs[0].reasons
    return result


@pytest.mark.parametrize(("body", "operator"), CLOCKED.values(), ids=CLOCKED)
def test_nothing_wakes_the_query(body: str, operator: str) -> None:
    assert "every_interval" in _run(body, Options()).files[0].new
    result = _run(body, Options(skip_empty_batches=True))
    assert "every_interval" not in result.files[0].new
    assert SKIPPED in result.graphs[0].notes
    assert operator in [site.operator for site in result.sites if not site.safe]


def test_the_empty_first_batch_is_one_of_those_that_the_callback_was_called_for() -> None:
    new = _run(f"{APPENDS}lines.foreachRDD(save)", Options(skip_empty_batches=True)).files[0].new
    assert "batch_id == 0" not in new
    assert ".foreachBatch(save)" in flat(new)


@pytest.mark.parametrize(
    "body",
    [
        "lines.map(str.upper).pprint()",
        "queue = ssc.queueStream([sc.parallelize([1])])\nlines.union(queue).pprint()",
    ],
    ids=["prints", "a queue, of which each interval takes an RDD"],
)
def test_what_needs_no_choice_is_as_without_it(body: str) -> None:
    result = _run(body, Options(skip_empty_batches=True))
    assert result.files[0].new == _run(body, Options()).files[0].new
    assert SKIPPED not in result.graphs[0].notes
    assert all(site.safe for site in result.sites)


def test_queues_have_a_batch_in_every_interval_all_the_same() -> None:
    source = queue_program(f"{STOPS}numbers.foreachRDD(stop)")
    result = run(source, Options(skip_empty_batches=True))
    assert result.files[0].new == run(source, Options()).files[0].new
    assert all(site.safe for site in result.sites)
