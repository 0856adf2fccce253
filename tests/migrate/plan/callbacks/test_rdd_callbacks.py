"""Callbacks that are given the RDD of a batch, and stay as they are but for what they do not read."""

from __future__ import annotations

import pytest

from tests.migrate.codemod.written import native
from tests.migrate.programs import file, kafka_program, socket_program

BODY = """\
import json

def last(new, before):
    print(new)
    return sum(new) + (before or 0)

def shown(time, rdd):
    for pair in rdd.map(lambda p: (p[0], p[1] + 1)).collect():
        print({shown})

days = messages.map(lambda m: json.loads(m[1])).map(lambda r: (r["day"], r["n"])).updateStateByKey(last)
days.foreachRDD(shown)
{more}"""


@pytest.mark.parametrize(
    ("shown", "more", "head", "call"),
    [
        ("pair", "", "def shown(rdd):", "    shown(days)\n"),
        ("time, pair", "", "def shown(time, rdd):", "    shown(batch_time, days)\n"),
        ("pair", "print(shown)\n", "def shown(time, rdd):", "    shown(None, days)\n"),
    ],
    ids=["left alone", "read", "called by others"],
)
def test_the_time_goes_that_a_function_does_not_read(shown: str, more: str, head: str, call: str) -> None:
    new = native(kafka_program(BODY.format(shown=shown, more=more)))
    assert head in new and call in new


def test_the_rdd_of_an_output_has_the_name_that_this_is_assigned_to() -> None:
    """`foreachRDD` gives None, so that the name can only be that of what is put out."""
    body = "import json\ndef send(rdd, topic):\n    for one in rdd.collect():\n        print(topic, one)\n"
    made = (
        "lines.map(lambda x: json.loads(x)).map(lambda r: (r['id'], r)).reduceByKey(lambda a, b: {**a, **b})"
    )
    output = f"tags = {made}.foreachRDD(lambda rdd: send(rdd, 'tags'))\n"
    text = file(socket_program(body + output)).new
    assert "    tags = (\n        batch.rdd" in text and "send(tags, 'tags')" in text
    assert "send(rdd, 'tags')" in file(socket_program(f"{body}{output}print(tags)\n")).new
