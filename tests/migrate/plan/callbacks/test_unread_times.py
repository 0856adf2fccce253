"""Batch times that a lambda hands to a function which does not read them."""

from __future__ import annotations

import pytest

from tests.migrate.programs import file, socket_program

READS = "def show({}):\n    {}\n    print(rdd.count())\n"
PASS, PRINT = "pass", "print(time)"


@pytest.mark.parametrize(
    ("parameters", "call", "new", "given"),
    [
        ("time, rdd", "show(time, rdd)", "batch", "batch"),
        ("time, rdd, n", "show(time, rdd, 3)", "batch, n", "batch, 3"),
        ("rdd, n, time=None", "show(rdd, 3, time=time)", "batch, n", "batch, 3"),
        ("rdd, time, n=1", "show(rdd, time, n=2)", "batch, n=1", "batch, n=2"),
    ],
)
def test_they_go_with_the_parameter(parameters: str, call: str, new: str, given: str) -> None:
    body = f"lines.foreachRDD(lambda time, rdd: {call})"
    text = file(socket_program(READS.format(parameters, PASS) + body)).new
    assert f"def show({new}):" in text and f"show({given})" in text
    assert "batch_time" not in text and "datetime" not in text


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(
            READS.format("time, rdd", PRINT) + "{}lambda time, rdd: show(time, rdd))", id="it is read"
        ),
        pytest.param(
            READS.format("time, rdd", PASS) + "{}lambda time, rdd: show(time, rdd) or print(time))",
            id="the lambda reads it",
        ),
        pytest.param(
            READS.format("time, rdd", PASS)
            + "show(1, sc.parallelize([]))\n{}lambda time, rdd: show(time, rdd))",
            id="another call",
        ),
        pytest.param(
            READS.format("time, rdd", "print(locals())") + "{}lambda time, rdd: show(time, rdd))",
            id="by name",
        ),
        pytest.param(
            "def show(*given):\n    print(given[1].count())\n{}lambda time, rdd: show(time, rdd))", id="*"
        ),
    ],
)
def test_others_stay(body: str) -> None:
    text = file(socket_program(body.format("lines.foreachRDD("))).new
    assert "batch_time" in text or "foreachRDD" in text


def test_siblings_have_the_same_parameters() -> None:
    functions = "def show(time, rdd):\n    print(time, rdd.collect())\n"
    functions += "def count(time, rdd):\n    print(rdd.count())\n"
    outputs = "lines.foreachRDD(show)\nlines.foreachRDD(count)"
    text = file(socket_program(functions + outputs)).new
    assert "def count(time, batch):" in text and "count(batch_time, batch)" in text
    alone = file(socket_program(functions.replace("print(time, ", "print(") + outputs)).new
    assert "def count(batch):" in alone and "batch_time" not in alone
