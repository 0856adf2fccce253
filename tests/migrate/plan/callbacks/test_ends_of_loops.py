"""Loops through rows of a shuffle that show which row came last, or which ones first: sorted, and told of."""

from __future__ import annotations

import pytest

from migrate.model import GraphResult, Outcome
from tests.migrate.programs import file, run, socket_program

SUMS = "sums = lines.map(lambda line: (line, 1)).reduceByKey(lambda a, b: a + b)\n"


def _body(lines: list[str], sums: str = SUMS) -> str:
    return "\n    ".join([f"{sums}def show(rdd):", *lines]) + "\nsums.foreachRDD(show)"


def _told(body: str) -> list[str]:
    graph: GraphResult
    (graph,) = run(socket_program(body)).graphs
    assert graph.outcome is Outcome.NATIVE, graph.reasons
    return [text for text in graph.must_change if "are read by position" in text]


@pytest.mark.parametrize(
    ("lines", "reads"),
    [
        (["for r in rdd.collect():", "    data = r[1]", "send(data)"], "line 11: `data`, of the last row"),
        (["rows = rdd.collect()", "for r in rows:", "    pass", "send(r)"], "line 12: `r`, of the last row"),
        (["for line, n in rdd.collect():", "    print(n)", "send(line)"], "`line`, of the last row"),
        (["for i, r in enumerate(rdd.collect()):", "    a = r[0]", "send(i, a)"], "`a`, of the last row"),
        (
            [
                "for r in rdd.take(9):",
                "    a = r[1]",
                "    data = str(a)",
                "    data = data + '!'",
                "send(data)",
            ],
            "`data`, of the last row",
        ),
        (
            [
                "for r in rdd.collect():",
                "    try:",
                "        data = r[1]",
                "    except ValueError:",
                "        pass",
                "send(data)",
            ],
            "`data`, of the last row",
        ),
        (
            [
                "for r in rdd.collect():",
                "    if r[1] > 2:",
                "        kind = r[0]",
                "    else:",
                "        kind = str(r[1])",
                "send(kind)",
            ],
            "`kind`, of the last row",
        ),
        (["for r in rdd.collect():", "    data = r[1]", "data = [data]", "send(data)"], "line 11: `data`"),
        (
            ["for r in rdd.collect():", "    send(r)", "    break"],
            "line 11: `break` after the first rows",
        ),
        (
            [
                "n = 0",
                "for r in rdd.collect():",
                "    send(r)",
                "    n += 1",
                "    if n == 3:",
                "        return",
            ],
            "`return` after the first rows",
        ),
        (
            ["for r in rdd.collect():", "    if r[1] > 3:", "        send(r)", "        break"],
            "`break` after the first rows",
        ),
        (["for r in rdd.collect():", "    return send(r)"], "`return send(r)` after the first rows"),
    ],
)
def test_the_last_row_or_the_first_ones_decide(lines: list[str], reads: str) -> None:
    body = _body(lines)
    (told,) = _told(body)
    assert reads in told and "do in the loop what is done with each row" in told
    assert "sorted by key now" in told
    assert 'orderBy("line").' in file(socket_program(body)).new


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param(["for r in rdd.collect():", "    data = r[1]", "    send(data)"], id="each row"),
        pytest.param(["n = 0", "for r in rdd.collect():", "    n = n + r[1]", "send(n)"], id="a sum"),
        pytest.param(
            [
                "best = 0",
                "for r in rdd.collect():",
                "    if r[1] > best:",
                "        best = r[1]",
                "send(best)",
            ],
            id="a maximum",
        ),
        pytest.param(
            ["for r in rdd.collect():", "    data = r", "for r in [1]:", "    send(r)"], id="another loop"
        ),
        pytest.param(["for r in rdd.collect():", "    send(r)", "r = 1", "send(r)"], id="another value"),
        pytest.param(["for r in rdd.collect():", "    send('some')", "    break"], id="any row"),
        pytest.param(["for r in sorted(rdd.collect()):", "    data = r", "send(data)"], id="in their order"),
        pytest.param(["for r in rdd.collect():", "    found = True", "send(found)"], id="a constant"),
        pytest.param(["for i, r in enumerate(rdd.collect()):", "    send(r)", "send(i)"], id="the number"),
        pytest.param(
            ["for r in rdd.collect():", "    if r[0] == 'a':", "        send(r)", "        break"], id="a key"
        ),
        pytest.param(
            [
                "for r in rdd.collect():",
                "    line, n = r",
                "    if line == 'a':",
                "        send(n)",
                "        return",
            ],
            id="a variable of the key",
        ),
        pytest.param(
            ["for r in rdd.collect():", "    if r[1] > 3:", "        return True", "return False"],
            id="whether there is one",
        ),
    ],
)
def test_other_loops_are_left_alone(lines: list[str]) -> None:
    body = _body(lines)
    assert not _told(body)
    assert ".orderBy(" not in file(socket_program(body)).new


def test_one_key_has_no_order() -> None:
    one = SUMS.replace("(line, 1)", "('all', 1)")
    assert not _told(_body(["for r in rdd.collect():", "    data = r[1]", "send(data)"], one))


def test_what_a_function_reads_of_a_global_variable() -> None:
    lines = ["global last", "for r in rdd.collect():", "    last = r[0]"]
    (told,) = _told("last = None\ndef latest():\n    return last\n" + _body(lines))
    assert "line 9: `last`, of the last row" in told
