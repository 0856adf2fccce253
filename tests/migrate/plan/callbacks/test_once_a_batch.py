"""Callbacks that keep one value of each batch: a note says that late batches give fewer."""

from __future__ import annotations

import pytest

from tests.migrate.programs import run, socket_program

HEAD = "scores, models = [], {}\ndef keep(rdd):\n    rows = rdd.collect()\n    if rows:\n        "


def told(body: str) -> list[str]:
    """The code that the note names."""
    notes = run(socket_program(body)).graphs[0].notes
    found = [one for one in notes if one.startswith("a batch that begins late")]
    return found[0].partition(" then ")[0].split("`")[1::2] if found else []


@pytest.mark.parametrize(
    ("body", "kept"),
    [
        ("scores.append(len(rows))", ["scores.append"]),
        ("models['a'].partial_fit(rows)", ["models['a'].partial_fit"]),
        (
            "for name, one in models.items():\n            one['n'].append(sum(map(len, rows)))",
            ["one['n'].append"],
        ),
        ("for row in rows:\n            scores.append(row)", []),
        ("kept = []\n        kept.append(len(rows))\n        print(kept)", []),
        ("scores.append(1)", []),
        ("print([scores.append(row) for row in rows])", []),
        ("while rows:\n            scores.append(rows.pop())", []),
        ("scores.extend(rows)", []),
    ],
)
def test_what_keeps_one_value_of_a_batch_is_named(body: str, kept: list[str]) -> None:
    assert told(f"{HEAD}{body}\nlines.foreachRDD(keep)") == kept


@pytest.mark.parametrize(
    ("output", "kept"),
    [
        ("lines.foreachRDD(lambda rdd: scores.append(rdd.count()))", ["scores.append"]),
        ("lines.count().foreachRDD(lambda rdd: scores.append(rdd.collect()))", []),
    ],
)
def test_only_of_elements_of_a_source(output: str, kept: list[str]) -> None:
    assert told(f"scores = []\n{output}") == kept
