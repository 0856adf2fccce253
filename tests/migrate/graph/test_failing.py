"""Programs that fail where they hand on a stream: the report says so."""

from __future__ import annotations

import pytest

from tests.migrate.programs import blocked, file, run, socket_program

FAILS = ": the program fails there as it is"
NOT_FOLLOWED = "is handed on in a way that is not followed"


@pytest.mark.parametrize(
    ("body", "why"),
    [
        pytest.param(
            "counts = {}\nfor line in lines:\n    counts[line] = 1",
            "a stream cannot be iterated over",
            id="it is no collection",
        ),
        ("words = [line.split() for line in lines]", "a stream cannot be iterated over"),
        ("print(lines[0])", "a stream has no items"),
        ("twice = lines + lines", "a stream is no operand of `lines + lines`"),
        ("print(len(lines))", "`len` takes no stream"),
        ("import json\nprint(json.loads(lines))", "`json.loads` takes no stream"),
        (
            "from pyspark.sql import SQLContext\nSQLContext(sc).createDataFrame(lines, ['line'])",
            "`SQLContext(sc).createDataFrame` takes no stream",
        ),
        ("counts = count_words(lines)", "`count_words` is never defined in the files that were read"),
        pytest.param(
            "def top(lines):\n    pass\n\nbest = top(lines)\nbest.pprint()",
            "`top` gives None, and `best.pprint` reads a member of it",
            id="a function that is still to be written",
        ),
        pytest.param(
            "try:\n    show(lines)\nexcept EOFError:\n    pass\n\ndef show(lines):\n    lines.pprint()",
            "`show` is defined below",
            id="a function that is not there yet",
        ),
        (
            "saved = lines.foreachRDD(print)\nsaved.pprint()",
            "the result of `foreachRDD` is assigned to a name that is read: it is None, "
            "and `saved.pprint` reads a member of it",
        ),
    ],
)
def test_a_program_fails_as_it_is(body: str, why: str) -> None:
    assert f"{why}{FAILS}" in blocked(f"{body}\nlines.pprint()")


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(
            "try:\n    print(len(lines))\nexcept TypeError:\n    pass", id="somebody takes the error"
        ),
        pytest.param("def len(of):\n    return 1\n\nprint(len(lines))", id="it is another function"),
        pytest.param("from shapes import *\ncounts = count_words(lines)", id="another file may define it"),
        pytest.param(
            "def show(lines):\n    pass\n\nprint([show(lines)])\n\ndef show(lines):\n    lines.pprint()",
            id="one of that name is there",
        ),
        pytest.param("def top(lines):\n    return 1\n\nbest = top(lines)\nprint(best)", id="it is read"),
    ],
)
def test_it_may_not_fail(body: str) -> None:
    why = blocked(f"{body}\nlines.pprint()")
    assert NOT_FOLLOWED in why and FAILS not in why


SHOWN = "show(lines)\ndef show(words):\n    words.pprint()"


@pytest.mark.parametrize(
    "place", ["{}", "if True:\n    {}", "try:\n    {}\nexcept KeyboardInterrupt:\n    pass"]
)
def test_a_function_is_not_there_yet(place: str) -> None:
    call, function = SHOWN.split("\n", 1)
    assert f"`show` is defined below{FAILS}" in blocked(f"{place.format(call)}\n{function}")


@pytest.mark.parametrize("body", [f"show = print\n{SHOWN}", f"def main():\n    {SHOWN}\nmain()"])
def test_a_function_may_be_there(body: str) -> None:
    (graph,) = run(socket_program(body)).graphs
    assert not any("defined below" in why for why in graph.reasons)


def test_a_variable_may_be_something_else_there() -> None:
    body = "lines.pprint()\nlines = ['a']\nfor line in lines:\n    print(line)"
    assert "\nfor line in lines:\n" in file(socket_program(body)).new
