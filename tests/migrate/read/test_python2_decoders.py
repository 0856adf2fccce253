"""Decoders of Kafka that return the bytes which they get: a text in Python 2."""

from __future__ import annotations

from pathlib import Path

import pytest

from migrate.migration import migrate
from migrate.model import FileResult, Options, Outcome, Result
from migrate.read.parse import parse_bytes
from migrate.syntax.identity import returns_its_argument
from migrate.syntax.nodes import parsed

PROGRAM = """\
from pyspark import SparkContext
from pyspark.streaming import StreamingContext
from pyspark.streaming.kafka import KafkaUtils

def raw(s):
    if s is None:
        return None
    return s

ssc = StreamingContext(SparkContext(), 1)
brokers = {{"metadata.broker.list": "a:9092"}}
messages = KafkaUtils.createDirectStream(ssc, ["pages"], brokers, {decoders})
messages.map(lambda m: {read}).pprint()
ssc.start()
ssc.awaitTermination()
"""
RAW = "keyDecoder=raw, valueDecoder=raw"


def program(read: str, decoders: str = RAW) -> str:
    return PROGRAM.format(read=read, decoders=decoders)


def run(text: str) -> Result:
    return migrate([parse_bytes(text.encode(), Path("/nowhere/job.py"), "job.py")], Options())


def file(text: str) -> FileResult:
    return run(text).files[0]


@pytest.mark.parametrize("decoders", [RAW, "valueDecoder=lambda s: s"])
def test_a_text_among_them_says_that_the_program_is_for_python_2(decoders: str) -> None:
    text = program('m[1].split(",")', decoders)
    (graph,) = run(text).graphs
    assert graph.outcome is Outcome.NATIVE
    assert file(text).python == 2
    assert any("`split` of a text is called on bytes" in note for note in graph.notes)


@pytest.mark.parametrize(
    "united",
    [
        "streams = [{} for _ in range(2)]\nmessages = ssc.union(*streams)",
        "messages = ssc.union({}, {})",
        "messages = {}.union({})",
    ],
)
def test_so_do_messages_of_several_receivers(united: str) -> None:
    call = f'KafkaUtils.createStream(ssc, "a:2181", "g", {{"pages": 1}}, {RAW})'
    made = next(line for line in PROGRAM.splitlines() if line.startswith("messages ="))
    text = PROGRAM.replace(made, united.replace("{}", call.replace("{", "{{").replace("}", "}}")))
    assert file(text.format(read='m[1].split(",")', decoders="")).python == 2
    assert file(text.format(read="m[1]", decoders="")).python == 3


def test_they_are_decoded_and_a_note_says_so_once() -> None:
    text = program('m[1].split(",")')
    new = str(file(text).new)
    assert '.select(F.decode("value", "UTF-8").alias("value"))' in new
    assert "raw" not in new
    (graph,) = run(text).graphs
    assert len([note for note in graph.notes if "decoded as UTF-8 now" in note]) == 1
    assert not any("that is not UTF-8" in note for note in graph.notes)


@pytest.mark.parametrize(
    ("read", "decoders"),
    [
        ('m[1].split(b",")', RAW),
        ("m[1]", RAW),
        ('m[1].split(",")', "valueDecoder=lambda s: s[1:]"),
        ('m[0].split(",")', "valueDecoder=raw"),
    ],
)
def test_other_programs_are_for_python_3_and_get_bytes(read: str, decoders: str) -> None:
    text = program(read, decoders)
    assert file(text).python == 3
    assert 'F.decode("value"' not in str(file(text).new)


@pytest.mark.parametrize(
    ("function", "does"),
    [
        ("lambda s: s", True),
        ("lambda s: t", False),
        ("lambda s, t: s", False),
        ("def f(s):\n    'Raw.'\n    return s", True),
        ("def f(s):\n    if s is None:\n        return\n    return s", True),
        ("def f(s):\n    if s is None:\n        return ''\n    return s", False),
        ("def f(s):\n    print(s)\n    return s", False),
        ("def f(s):\n    return s.decode()", False),
        ("@g\ndef f(s):\n    return s", False),
    ],
)
def test_functions_that_return_their_argument(function: str, does: bool) -> None:
    (statement,) = parsed(function).body
    assert returns_its_argument(getattr(statement, "value", statement)) is does
