"""A graceful stop of queues of RDDs, of which DStream takes all that are due."""

from __future__ import annotations

import textwrap

import pytest

from tests.migrate.programs import run

PROGRAM = """\
import time
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="Test")
ssc = StreamingContext(sc, {interval})
{queue}
numbers = ssc.queueStream(waiting)
numbers.foreachRDD(lambda rdd: print(rdd.collect()))
ssc.start()
{wait}
ssc.stop(stopSparkContext=True, stopGraceFully=True)
"""
LOOP = "waiting = []\nfor i in range(5):\n    waiting += [sc.parallelize([i])]"
DRAIN = """\
while query.isActive and (waiting or query.status["isTriggerActive"]):
    time.sleep(0.1)
query.stop()
"""


def outcome(queue: str = LOOP, wait: str = "time.sleep(6)", interval: str = "1") -> tuple[str, str]:
    """What becomes of the program, and its new code."""
    result = run(PROGRAM.format(queue=textwrap.dedent(queue), wait=wait, interval=interval))
    return result.graphs[0].outcome.value, result.files[0].new


@pytest.mark.parametrize(
    "queue",
    [
        LOOP,
        "waiting = []\nfor i in range(1, 6):\n    waiting.append(sc.parallelize([i]))",
        "waiting = [sc.parallelize([1]), sc.parallelize([2])]",
        "waiting = [sc.parallelize([i]) for i in range(6)]",
        'texts = ["a", "b"]\nrdds = []\nfor text in texts:\n    waiting += [sc.parallelize(text)]',
        "waiting = [sc.parallelize([1])]\nrdds += [sc.parallelize([2])]",
        'waiting = sc.textFile("words.txt").randomSplit([1, 2, 3])',
        'PARTS = 5\nwaiting = sc.textFile("words.txt").randomSplit([0.2 for _ in range(PARTS)], seed=7)',
    ],
)
def test_all_rdds_are_taken_where_all_are_due(queue: str) -> None:
    kind, new = outcome(queue)
    assert (kind, DRAIN in new) == ("native", True)


def test_sleeps_add_up() -> None:
    assert outcome(wait="time.sleep(2)\nprint('half')\ntime.sleep(3)")[0] == "native"


def test_two_are_due_in_any_case() -> None:
    """DStream's timer runs the next batch and the one after it once it is told to stop, and no more."""
    kind, new = outcome("waiting = [sc.parallelize([1]), sc.parallelize([2])]", "pass", "interval")
    assert kind == "native"
    assert (
        "while query.isActive and waiting:\n    time.sleep(0.1)\nstopping = True\nstop_gracefully(query)\n"
    ) in new
    assert "    if stopping:\n        return\n" in new


@pytest.mark.parametrize(
    ("queue", "wait", "interval"),
    [
        pytest.param(LOOP, "time.sleep(2)", "1", id="fewer are due"),
        pytest.param(
            'waiting = sc.textFile("a").randomSplit([1, 2, 3, 4, 5])', "time.sleep(2)", "1", id="more parts"
        ),
        pytest.param(LOOP, "time.sleep(6)", "3", id="a longer interval"),
        pytest.param(LOOP, "pass", "1", id="no wait"),
        pytest.param(LOOP, "time.sleep(seconds)", "1", id="a wait of any length"),
        pytest.param(LOOP, "sleep = print\nsleep(6)", "1", id="another function"),
        pytest.param(
            "waiting = []\nwhile more():\n    waiting += [sc.parallelize([1])]",
            "time.sleep(6)",
            "1",
            id="any number",
        ),
        pytest.param(
            "t = ['a']\nt.extend(more)\nrdds = []\nfor text in t:\n    waiting += [sc.parallelize(text)]",
            "time.sleep(6)",
            "1",
            id="a list that grows",
        ),
    ],
)
def test_where_some_may_not_be_due_two_more_batches_are_awaited(queue: str, wait: str, interval: str) -> None:
    kind, new = outcome(queue, wait, interval)
    assert kind == "native"
    assert "# a graceful stop ran two more batches" in new
    assert "while query.isActive" not in new


def test_an_interval_that_is_not_known_is_not_awaited() -> None:
    kind, new = outcome(LOOP, interval="interval")
    assert kind == "native"
    assert "\ntime.sleep(6)\nstop_gracefully(query)\n" in new


def test_a_queue_of_another_function_is_not_looked_at() -> None:
    queue = "def show(ssc):\n    waiting = [sc.parallelize([1])]\n    ssc.queueStream(waiting).pprint()\n"
    program = PROGRAM.format(queue=queue, wait="time.sleep(4)", interval="1")
    (_, rest) = program.split("numbers.foreachRDD")
    head, _ = program.split("numbers = ")
    result = run(f"{head}show(ssc)\n{rest[rest.index('ssc.start') :]}")
    assert result.graphs[0].outcome.value == "native"
    assert "time.sleep(4 + 2)  # a graceful stop ran two more batches" in result.files[0].new
    assert any("depends on the moment at which the program starts" in note for note in result.graphs[0].notes)


@pytest.mark.parametrize(
    "later",
    ["print(len(waiting))", "waiting.append(sc.parallelize([3]))", "def more():\n    return waiting"],
)
def test_a_queue_that_is_read_later_is_copied(later: str) -> None:
    _, new = outcome(f"waiting = [sc.parallelize([1])]\n{later}", wait=f"time.sleep(6)\n{later}")
    assert ("queue = list(waiting)\n" in new) or "compat" in new
    assert "waiting.pop" not in new


def test_the_partitions_of_a_shuffle_are_those_of_dstreams_only_where_they_show() -> None:
    counted = "numbers.countByValue()"
    printed = PROGRAM.replace("numbers.foreachRDD(lambda rdd: print(rdd.collect()))", f"{counted}.pprint()")
    values = {"queue": LOOP, "wait": "time.sleep(6)", "interval": "1"}
    assert "defaultParallelism" not in run(printed.format(**values)).files[0].new
    shown = f"{counted}.glom().pprint()"
    seen = PROGRAM.replace("numbers.foreachRDD(lambda rdd: print(rdd.collect()))", shown)
    assert "defaultParallelism" in run(seen.format(**values)).files[0].new
