"""Functions of a partition's iterator: those that make the same of the elements in any partitions."""

from __future__ import annotations

import pytest

from migrate.model import Outcome
from tests.migrate.programs import blocked, native_body, run, socket_program


def parse(*body: str) -> str:
    """A program's function of rows, and its use."""
    rows = "".join(f"    {row}\n" for row in body)
    return f"def parse(rows):\n{rows}lines.mapPartitions(parse)"


ONE_BY_ONE = {
    "a comprehension": "lines.mapPartitions(lambda rows: [clean(row) for row in rows if row])",
    "a generator": "lines.mapPartitions(lambda rows: (word for row in rows for word in row.split()))",
    "map": "lines.mapPartitions(lambda rows: map(clean, rows))",
    "a list of map": "lines.mapPartitions(lambda rows: list(map(clean, rows)))",
    "a loop": parse(
        '"""Words."""',
        "model = load()",
        "for row in rows:",
        "    found = model.find(row)",
        "    if not found:",
        "        continue",
        "    words = []",
        "    for word in found:",
        "        words.append(word)",
        "    yield words",
    ),
    "a list that is filled": parse(
        "out = []",
        "for row in rows:",
        "    if row:",
        "        out.append(clean(row))",
        "return iter(out)",
    ),
    "a loop that ends with something": parse(
        "log = open('log')",
        "for row in rows:",
        "    yield row",
        "log.close()",
    ),
    "a function that another makes": (
        "def parser(separator):\n    def parse(rows):\n        for row in rows:\n"
        "            yield row.split(separator)\n    return parse\nlines.mapPartitions(parser(','))"
    ),
    "a function with more arguments": (
        "def parse(rows, separator):\n    return [row.split(separator) for row in rows]\n"
        "lines.mapPartitions(lambda rows: parse(rows, ','))"
    ),
}
TOGETHER = {
    "a sum": "lines.mapPartitions(lambda rows: [sum(map(len, rows))])",
    "a list": "lines.mapPartitions(lambda rows: [list(rows)])",
    "sorted": "lines.mapPartitions(sorted)",
    "twice": "lines.mapPartitions(lambda rows: [(row, list(rows)) for row in rows])",
    "numbers": "lines.mapPartitions(lambda rows: [pair for pair in enumerate(rows)])",
    "unknown": "lines.mapPartitions(parse)",
    "a count": parse(
        "n = 0",
        "for row in rows:",
        "    n += 1",
        "    yield n, row",
    ),
    "the last one": parse(
        "last = None",
        "for row in rows:",
        "    yield last, row",
        "    last = row",
    ),
    "those that were seen": parse(
        "seen = set()",
        "for row in rows:",
        "    if row not in seen:",
        "        yield row",
        "    seen.add(row)",
    ),
    "the first one": parse(
        "for row in rows:",
        "    yield row",
        "    break",
    ),
    "one more at the end": parse(
        "for row in rows:",
        "    yield row",
        "yield 'end'",
    ),
    "one more at the beginning": parse(
        "yield 'begin'",
        "for row in rows:",
        "    yield row",
    ),
    "a list with an end": parse(
        "out = []",
        "for row in rows:",
        "    out.append(row)",
        "out.append(1)",
        "return out",
    ),
    "a list with a beginning": parse(
        "out = ['begin']",
        "for row in rows:",
        "    out.append(row)",
        "return out",
    ),
    "a list that is looked at": parse(
        "out = []",
        "for row in rows:",
        "    out.append((len(out), row))",
        "return out",
    ),
    "a dict by key": parse(
        "by = {}",
        "for row in rows:",
        "    by[row] = 1",
        "    yield len(by)",
    ),
    "a batch of them": parse(
        "out = []",
        "for row in rows:",
        "    out.append(row)",
        "    if len(out) == 9:",
        "        yield out",
        "        out = []",
    ),
    "a counter": parse(
        "numbers = iter(range(9))",
        "for row in rows:",
        "    yield next(numbers), row",
    ),
}


@pytest.mark.parametrize("body", ONE_BY_ONE.values(), ids=ONE_BY_ONE)
def test_elements_one_by_one_are_the_same_in_any_partitions(body: str) -> None:
    (graph,) = run(socket_program(f"{body}.pprint()")).graphs
    assert graph.outcome is Outcome.NATIVE, graph.reasons


@pytest.mark.parametrize("body", ONE_BY_ONE.values(), ids=ONE_BY_ONE)
def test_they_are_in_a_callback_too(body: str) -> None:
    *definitions, call = body.rsplit("\n", 1)
    inside = call.replace("lines.", "rdd.")
    shown = "\n".join([*definitions, f"lines.foreachRDD(lambda rdd: print({inside}.collect()))"])
    (graph,) = run(socket_program(shown)).graphs
    assert graph.outcome is Outcome.NATIVE, graph.reasons
    assert "partitions" in blocked(shown.replace(".collect()", ".glom()"))


@pytest.mark.parametrize("body", TOGETHER.values(), ids=TOGETHER)
def test_elements_of_a_partition_together_are_not(body: str) -> None:
    assert "does more with a partition than to go through its elements" in blocked(f"{body}.pprint()")


def test_partitions_are_made_anew() -> None:
    assert ".repartition(1)" in native_body("lines.repartition(1).pprint()")
    saved = "lines.flatMap(parse).map(load).repartition(1).saveAsTextFiles('out')"
    assert ".repartition(1)" in native_body(saved)
