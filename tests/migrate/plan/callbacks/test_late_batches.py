"""Callbacks that read one element of a batch: the report says what becomes of batches that begin late."""

from __future__ import annotations

import pytest

from tests.migrate.programs import run, socket_program


def told(body: str) -> list[str]:
    """The code that what must change names."""
    sentences = run(socket_program(f"import json\n{body}")).graphs[0].must_change
    found = [one for one in sentences if one.startswith("a batch that begins late")]
    return found[0].partition(" then ")[0].split("`")[1::2] if found else []


@pytest.mark.parametrize(
    ("body", "read"),
    [
        ("lines.foreachRDD(lambda rdd: print(rdd.first()) if not rdd.isEmpty() else None)", ["rdd.first()"]),
        (
            "def show(rdd):\n    sent = rdd.collect()\n    if sent:\n        print(json.loads(sent[0]))\n"
            "lines.foreachRDD(show)",
            ["sent[0]"],
        ),
        ("lines.filter(len).foreachRDD(lambda rdd: print(rdd.take(2)[1]))", ["rdd.take(2)[1]"]),
        (
            "def read(sent, other):\n    taken = sent.collect()\n    if len(taken) > 0:\n"
            "        taken = taken[0]\n        return json.loads(taken)\n"
            "def show(rdd):\n    print(read(other=1, sent=rdd))\nlines.foreachRDD(lambda rdd: show(rdd))",
            ["taken[0]"],
        ),
        ("lines.foreachRDD(lambda rdd: print(rdd.collect()))", []),
        ("lines.foreachRDD(lambda rdd: [print(t[0]) for t in rdd.collect()])", []),
        ("lines.count().foreachRDD(lambda rdd: print(rdd.collect()[0]))", []),
        ("lines.foreachRDD(lambda rdd: print(rdd.first))", []),
        ("lines.pprint()", []),
    ],
)
def test_what_reads_one_element_is_named(body: str, read: list[str]) -> None:
    assert told(body) == read


@pytest.mark.parametrize(
    ("loop", "read"),
    [
        ("for row in sent:\n        last = json.loads(row)", ["for row in sent"]),
        ("for row in rdd.collect():\n        last = json.loads(row)", ["for row in rdd.collect()"]),
        ("for row in sent:\n        made = json.loads(row)\n        last = made['n']", ["for row in sent"]),
        ("for row in sent:\n        last = last + row", []),
        ("for row in sent:\n        made = last\n        last = made + row", []),
        ("for row in sent:\n        last = json.loads(row)\n        print(last)", []),
        ("for row in sent:\n        other = json.loads(row)", []),
    ],
)
def test_a_loop_that_leaves_the_last_element_is_named(loop: str, read: list[str]) -> None:
    body = f"def show(rdd):\n    last = ''\n    sent = rdd.collect()\n    {loop}\n    print(last)\n"
    assert told(f"{body}lines.foreachRDD(show)") == read


@pytest.mark.parametrize(
    ("added", "ends", "summed"),
    [
        ("seen[0] += rdd.count()", "if seen[0] > 900:\n        print('all')", ["seen[0]"]),
        ("number = rdd.count()\n    seen[0] += number", "print(seen[0] > 900)", ["seen[0]"]),
        ("seen[0] += rdd.count()", "print(seen)", []),
        ("seen[0] += 1\n    print(rdd.count())", "if seen[0] > 900:\n        print('all')", []),
    ],
)
def test_a_number_that_is_added_up_and_compared_is_named(added: str, ends: str, summed: list[str]) -> None:
    body = f"seen = [0]\ndef add(rdd):\n    {added}\n    {ends}\n"
    assert told(f"{body}lines.foreachRDD(add)") == summed


@pytest.mark.parametrize(
    ("outputs", "is_told"),
    [
        ("lines.foreachRDD(save)\nlines.pprint()", True),
        ("lines.pprint()\nlines.foreachRDD(save)", True),
        ("lines.map(int).pprint()\nlines.pprint()", False),
    ],
)
def test_a_save_that_fails_keeps_a_print_from_running(outputs: str, is_told: bool) -> None:
    body = f"def save(rdd):\n    for line in rdd.collect():\n        open(line).close()\n{outputs}"
    notes = run(socket_program(body)).graphs[0].notes
    assert any("keeps those below it from running" in note for note in notes) is is_told
