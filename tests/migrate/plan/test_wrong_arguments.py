"""Calls that do not fit the parameters of what they call: the report says so, with their lines."""

from __future__ import annotations

import pytest

from tests.migrate.programs import run, socket_program

SAVE = "def save(rdd, path, mode='a', *, flush):\n    print(rdd.count(), path, mode, flush)\n\n"


def told(body: str) -> list[str]:
    (graph,) = run(socket_program(body)).graphs
    return [one for one in graph.must_change if "a TypeError where this runs" in one]


@pytest.mark.parametrize(
    "call",
    [
        "save(rdd)",
        "save(rdd, 'a')",
        "save(rdd, 'a', 'b', 'c', flush=True)",
        "save(rdd, 'a', flush=True, other=1)",
        "save(rdd, 'a', path='b', flush=True)",
    ],
)
def test_a_call_of_a_function_is_told_of(call: str) -> None:
    (sentence,) = told(f"{SAVE}lines.foreachRDD(lambda rdd: {call})")
    assert sentence.startswith(f"line 10: `{call}` does not fit the parameters of `save`")


@pytest.mark.parametrize(
    "body",
    [
        f"{SAVE}lines.foreachRDD(lambda rdd: save(rdd, 'a', flush=True))",
        f"{SAVE}lines.foreachRDD(lambda rdd: save(rdd, mode='w', path='a', flush=True))",
        f"{SAVE}lines.foreachRDD(lambda rdd: save(*parts(rdd)))",
        f"{SAVE}lines.foreachRDD(lambda rdd: save(rdd, **options))",
        f"{SAVE}save = wrapped(save)\nlines.foreachRDD(lambda rdd: save(rdd))",
        f"@wrapped\n{SAVE}lines.foreachRDD(lambda rdd: save(rdd))",
        "def show(*parts, **named):\n    print(parts)\n\nlines.foreachRDD(lambda rdd: show(rdd, 1, a=2))",
        "lines.foreachRDD(lambda rdd: print(rdd.map(len, True).collect()))",
    ],
)
def test_what_fits_or_is_not_known_is_not_told_of(body: str) -> None:
    assert told(body) == []


def test_methods_that_are_given_too_many_functions_are_told_of() -> None:
    (sentence,) = told("lines.transform(lambda rdd: rdd.map(lambda x: x[0], x[1], 'now')).pprint()")
    assert sentence.startswith("line 7: `RDD.map` takes 2 arguments at most, and is given 3")
    (sentence,) = told("lines.foreachRDD(lambda rdd: rdd.foreach(print, print))")
    assert sentence.startswith("line 7: `RDD.foreach` takes one argument, and is given 2")
