"""What the report says of printed batches: a table of rows for columns, elements for RDD code."""

from __future__ import annotations

import pytest

from migrate.model import Options, Outcome
from migrate.rules.pprint import ELEMENTS as OF_OBJECTS
from migrate.rules.pprint import EQUAL_ORDER, NO_HEADER, OF_COUNT, OTHER_ORDER, OTHER_PARTITIONS, TO_CONSOLE
from tests.migrate.programs import run, socket_program

SHOWN, SHUFFLED, EQUAL = (NO_HEADER.format(order) for order in ("", OTHER_ORDER, EQUAL_ORDER))
ELEMENTS, EQUAL_ELEMENTS = (OF_OBJECTS.format(order) for order in ("", EQUAL_ORDER))
SORTED = "transform(lambda rdd: rdd.sortBy(lambda p: -p[1]))"


@pytest.mark.parametrize(
    ("body", "said"),
    [
        pytest.param("lines.pprint()", {TO_CONSOLE}, id="columns alone"),
        pytest.param("lines.pprint()\nlines.pprint(3)", {SHOWN}, id="columns"),
        pytest.param("lines.countByValue().map(lambda p: p[0]).pprint()", {SHUFFLED}, id="of a shuffle"),
        pytest.param("lines.pprint()\nlines.countByValue().pprint()", {SHUFFLED}, id="and others"),
        pytest.param(
            "names = sc.parallelize([('a', 'b')])\nlines.map(lambda x: (x, x))"
            ".transform(lambda rdd: rdd.join(names)).map(lambda p: p[1][0]).pprint()",
            {SHUFFLED},
            id="of a join within a transform",
        ),
        pytest.param(f"lines.countByValue().{SORTED}.pprint()", {EQUAL}, id="sorted behind a shuffle"),
        pytest.param(
            "def most(rdd):\n    return rdd.sortBy(lambda p: -p[1])\n"
            "lines.countByValue().transform(most).pprint()",
            {EQUAL},
            id="sorted by a function of the program",
        ),
        pytest.param(
            f'lines.countByValue().{SORTED}.map(lambda p: {{"line": p[0]}}).pprint()',
            {EQUAL_ELEMENTS},
            id="objects of what was sorted",
        ),
        pytest.param("lines.count().pprint()", {OF_COUNT}, id="of one row"),
        pytest.param("lines.map(weird).pprint()", {ELEMENTS}, id="RDD code"),
        pytest.param("lines.pprint()\nlines.map(weird).pprint()", {SHOWN, ELEMENTS}, id="both"),
    ],
)
def test_only_columns_are_printed_as_a_table(body: str, said: set[str]) -> None:
    (graph,) = run(socket_program(body)).graphs
    known = {TO_CONSOLE, SHOWN, SHUFFLED, EQUAL, ELEMENTS, EQUAL_ELEMENTS, OF_COUNT}
    assert known & {*graph.notes} == said


def test_nothing_is_said_where_the_old_text_is_kept() -> None:
    (graph,) = run(socket_program("lines.pprint()"), Options(pprint_exact=True)).graphs
    assert not {TO_CONSOLE, SHOWN, SHUFFLED, ELEMENTS} & {*graph.notes}


@pytest.mark.parametrize(
    ("body", "shuffles"),
    [
        ("lines.map(weird).countByValue().map(str).pprint()", True),
        ("lines.map(weird).map(str).pprint()", False),
        ("lines.map(weird).count().pprint()", False),
    ],
)
def test_keys_that_rdd_code_deals_out_are_told_of(body: str, shuffles: bool) -> None:
    """An RDD's shuffle keeps the number of partitions, where DStream's has one for each core."""
    (graph,) = run(socket_program(body)).graphs
    assert (OTHER_PARTITIONS in graph.notes) == shuffles


@pytest.mark.parametrize("output", ["pprint()", "foreachRDD(lambda rdd: print(rdd.take(15)))"])
def test_a_state_that_is_kept_is_cut_as_before(output: str) -> None:
    """It has the default parallelism, as DStream's state."""
    body = f"lines.map(lambda x: (weird(x), 1)).updateStateByKey(lambda n, s: weird(n, s)).{output}"
    (graph,) = run(socket_program(body)).graphs
    assert graph.outcome is Outcome.NATIVE
    assert not any("partitions as" in note for note in graph.notes)


TOLD = """\
import redis
def known(line):
    client = redis.Redis("h")
    client.{method}(line)
    return line
lines.map(known){more}.pprint()
"""


@pytest.mark.parametrize(
    ("method", "more", "told"),
    [
        ("append", "", True),
        ("append", ".filter(known)", True),
        ("get", "", False),
        ("append", ".map(lambda w: (w, 1)).groupByKey().mapValues(len)", False),
    ],
    ids=["told", "twice", "asked", "all are taken by a shuffle"],
)
def test_what_is_done_for_shown_elements_only_is_told(method: str, more: str, *, told: bool) -> None:
    (graph,) = run(socket_program(TOLD.format(method=method, more=more))).graphs
    assert graph.outcome is Outcome.NATIVE, graph.reasons
    assert any("`client.append` is done for the elements" in note for note in graph.notes) == told
