"""Callbacks that bind the name of their RDD anew inside of a ``try`` or an ``if``, and those of others."""

from __future__ import annotations

import textwrap

import pytest

from tests.migrate.programs import blocked, file, socket_program

REBOUND = 'rdd = rdd.map(lambda w: w + "x")\nprint(rdd.collect())\n'
IN_TRY = "try:\n{}except Exception:\n    print('failed')\n"
IN_IF = "if not rdd.isEmpty():\n{}"


def callback(body: str) -> str:
    """The new program of a callback with that body."""
    code = f"def show(rdd):\n{textwrap.indent(body, '    ')}"
    return file(socket_program(f"{code}\nlines.foreachRDD(show)")).new


def inside(outer: str, body: str = REBOUND) -> str:
    return outer.format(textwrap.indent(body, "    "))


@pytest.mark.parametrize("body", [inside(IN_TRY), inside(IN_IF), inside(IN_TRY, inside(IN_IF))])
def test_nothing_reads_it_below_the_block(body: str) -> None:
    new = callback(body)
    assert 'batch = batch.select(F.concat("value", F.lit("x")).alias("value"))' in new
    assert ".rdd" not in new


@pytest.mark.parametrize(
    "body",
    [
        inside(IN_TRY) + "print(rdd.count())\n",
        inside("try:\n{}finally:\n    print(rdd.count())\n"),
        inside(IN_IF) + "else:\n    print(rdd.count())\n",
        inside("for n in range(2):\n{}"),
        inside("for n in range(2):\n{}", inside(IN_IF)),
    ],
)
def test_something_reads_it_below(body: str) -> None:
    assert "    rdd = batch.rdd.map(lambda row: row[0])\n" in callback(body)


def test_a_variable_of_an_rdd_gets_what_an_action_gives() -> None:
    new = callback(
        "if rdd.isEmpty():\n    return\nlengths = rdd.map(len)\n"
        "lengths = lengths.reduce(lambda a, b: a + b)\nprint(format(lengths, 'd'))\n"
    )
    assert '    lengths = batch.select(F.length("value").alias("length"))\n' in new
    assert '    lengths = lengths.agg(F.sum("length")).first()[0]\n' in new
    assert "    print(format(lengths, 'd'))\n" in new


@pytest.mark.parametrize(
    "body",
    [
        "if rdd.isEmpty():\n    lengths = lengths.collect()\nprint(hash(lengths))\n",
        "lengths = lengths.collect()\nlengths = rdd.map(len)\nprint(hash(lengths))\n",
        "for n in range(2):\n    lengths = lengths.collect()\n    print(hash(lengths))\n",
    ],
)
def test_it_may_be_an_rdd_still(body: str) -> None:
    code = f"def show(rdd):\n    lengths = rdd.map(len)\n{textwrap.indent(body, '    ')}"
    why = blocked(f"{code}\nlines.foreachRDD(show)")
    assert "the RDD is handed to `hash`, which is not followed" in why
