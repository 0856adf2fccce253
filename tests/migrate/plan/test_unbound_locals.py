"""Variables of functions that are read before they have a value: the report says so, with their lines."""

from __future__ import annotations

import pytest

from tests.migrate.programs import run, socket_program


def told(body: str) -> list[str]:
    function = f"good = 0\ndef count(rdd, size=1):\n    {body}\n"
    (graph,) = run(socket_program(f"{function}lines.foreachRDD(count)")).graphs
    return [one for one in graph.must_change if "an UnboundLocalError where this runs" in one]


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("good = good + rdd.count()\n    print(good)", "good = good + rdd.count()"),
        ("good += 1\n    print(good)", "good += 1"),
        ("if rdd.count():\n        good += 1\n        good = good * 2", "good += 1"),
        ("for x in rdd.collect():\n        good = str(good)", "good = str(good)"),
        ("try:\n        good += 1\n    except ValueError:\n        pass", "good += 1"),
    ],
)
def test_a_variable_that_only_what_reads_it_binds_is_told_of(body: str, code: str) -> None:
    (sentence,) = told(body)
    assert sentence.startswith("line ")
    assert (
        f": `count` reads what it makes a variable of its own before that has a value (`{code}`)" in sentence
    )


def test_several_of_a_function_are_told_of_together() -> None:
    (sentence,) = told("good += 1\n    bad = bad + 1\n    print(good, bad)")
    assert "(`good += 1`, `bad = bad + 1`)" in sentence
    (sentence,) = told("a += 1\n    b += 1\n    c += 1\n    d += 1\n    e += 1")
    assert "(`a += 1`, `b += 1`, `c += 1`, and 2 more)" in sentence


@pytest.mark.parametrize(
    "body",
    [
        "global good\n    good = good + rdd.count()",
        "size = size + rdd.count()\n    print(size)",
        "good = 1\n    good += rdd.count()",
        "for good in rdd.collect():\n        good += 'a'",
        "import os as good\n    good += 1",
        "good = size or good",
        "good = [1 for good in rdd.collect()]",
        "good = (lambda: good)()",
        "def other():\n        nonlocal good\n        good += 1\n    good = 1\n    other()",
        "try:\n        good += 1\n    except NameError:\n        print(rdd.count())",
        "try:\n        good += 1\n    except:\n        print(rdd.count())",
        "with open('a') as good:\n        good = good.read()",
    ],
)
def test_one_that_may_have_a_value_is_not(body: str) -> None:
    assert told(body) == []
