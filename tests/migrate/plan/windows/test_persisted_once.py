"""What a window and outputs read is persisted once, before the first of them reads it."""

from __future__ import annotations

import pytest

from tests.migrate.programs import file, socket_program

METRICS = "def metrics(rdd):\n    print(rdd.count(), rdd.collect())\n"


def lines_of(body: str) -> list[str]:
    """The lines of the batch function, without those of windows that slide."""
    new = file(socket_program(body)).new
    rows = new.partition("def process_batch(")[2].partition("\nquery = ")[0].splitlines()
    return [row.strip() for row in rows[1:] if row.strip()]


@pytest.mark.parametrize(
    ("output", "first"),
    [
        ("lines.foreachRDD(metrics)", "metrics(batch)"),
        ("lines.pprint()", "batch.show(10, truncate=False)"),
        ("print('start')\nlines.foreachRDD(metrics)", "metrics(batch)"),
    ],
)
def test_a_batch_that_a_window_holds_is_persisted_before_an_output_reads_it(output: str, first: str) -> None:
    rows = lines_of(f"{METRICS}{output}\nlines.window(6).foreachRDD(metrics)")
    at = rows.index("batch.persist()")
    assert rows[at + 1] == first
    assert rows.count("batch.persist()") == 1 and "window.append((now, batch))" in rows
    assert "batch.unpersist()" not in rows, "the window releases it"


def test_one_that_nothing_reads_before_is_persisted_where_the_window_gets_it() -> None:
    rows = lines_of(f"{METRICS}lines.window(6).foreachRDD(metrics)\nlines.foreachRDD(metrics)")
    assert "window.append((now, batch.persist()))" in rows and "batch.persist()" not in rows


HEAD = "import json\ncities = lines.map(lambda x: json.loads(x)).filter(lambda x: x['n'] == 1)"
TWO = "cities.foreachRDD(lambda rdd: print(rdd.take(3)))\n"
WINDOW = "cities.window(4, 2).map(lambda x: [x]).reduce(lambda a, b: a + b).pprint()"


@pytest.mark.parametrize(
    "body",
    [
        f"{HEAD}\n{TWO}{WINDOW}",
        f"{HEAD}.cache()\n{TWO}cities.map(lambda x: [x]).pprint()",
    ],
    ids=["held by a window", "cached by the program"],
)
def test_no_batch_is_persisted_beside_an_rdd_that_all_is_made_of(body: str) -> None:
    new = file(socket_program(body)).new
    assert "batch.persist()" not in new and "batch.unpersist()" not in new
    assert new.count(".persist()") == 1


@pytest.mark.parametrize("more", ["lines.pprint()", "lines.map(lambda x: [x]).foreachRDD(metrics)"])
def test_but_where_something_else_reads_the_batch(more: str) -> None:
    new = file(socket_program(f"{METRICS}{HEAD}\n{TWO}{WINDOW}\n{more}")).new
    assert "batch.persist()" in new and "batch.unpersist()" in new


@pytest.mark.parametrize("reader", ["json", "ujson as json"])
def test_an_rdd_that_a_window_and_outputs_are_made_of_is_persisted_itself(reader: str) -> None:
    rows = lines_of(
        f"import {reader}\nevents = lines.map(lambda x: json.loads(x))\n"
        "events.map(odd).foreachRDD(lambda rdd: rdd.distinct().foreach(put))\n"
        "events.filter(odd).window(4).foreachRDD(lambda rdd: rdd.foreach(put))"
    )
    assert 'events = batch.rdd.map(lambda x: json.loads(x["value"])).persist()' in rows
    assert "events.unpersist()" in rows and "batch.persist()" not in rows
