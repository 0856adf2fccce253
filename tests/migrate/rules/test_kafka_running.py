"""Programs on Kafka do the same before and after, on messages without key, without value, and of no text.

`pyspark.streaming` is given what the old decoders made of the messages, native code what Spark's source
gives.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from pyspark import SparkContext
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from migrate.model import Options
from tests.migrate.programs import kafka_program
from tests.migrate.rules import running
from tests.migrate.rules.running import Message, after_program, as_printed, before, decoded, kafka_frame

MESSAGES: tuple[Sequence[Message], ...] = (
    (),
    (
        (None, b"a b a"),
        (b"k", None),
        (b"", b""),
        ("naïve".encode(), "雪 \ufffd".encode()),
        (b"k", b'{"n": 1}'),
        (b"k", b"7"),
    ),
    ((None, None),),
)
BODIES = (
    "messages.pprint(50)",
    "messages.map(lambda m: m[1]).pprint(50)",
    "messages.map(lambda kv: kv[0]).countByValue().pprint(50)",
    "messages.filter(lambda kv: kv[1] is not None).map(lambda kv: kv[1].split(' ')[0]).pprint(50)",
    "messages.map(lambda kv: kv[1] or 'none').flatMap(lambda v: v.split(' ')).countByValue().pprint(50)",
    "messages.map(lambda kv: (kv[0], 1)).reduceByKey(lambda a, b: a + b).pprint(50)",
    "messages.filter(lambda kv: kv[0] == 'k').count().pprint()",
    "messages.mapValues(lambda v: v is None).pprint(50)",
    "messages.foreachRDD(lambda rdd: print(sorted(map(repr, rdd.collect()))))",
    "messages.map(lambda kv: repr(kv)).pprint(50)",
    "messages.map(lambda kv: kv[1]).saveAsTextFiles('values')",
    "messages.map(lambda kv: (repr(kv), str(kv))).pprint(50)",
    "messages.map(lambda kv: '%s' % (kv,)).pprint(50)",
    "messages.filter(lambda kv: kv[0] != 'k').reduceByKey(lambda a, b: a + b).pprint()",
    "def shown(kv):\n    return str(kv)\nmessages.map(shown).pprint(50)",
    "messages.map(lambda kv: ((kv[0], kv[1]), 1)).map(lambda pair: repr(pair)).pprint(50)",
)
RAISING = (
    "messages.flatMap(lambda kv: kv[1].split(' ')).pprint(50)",
    "messages.map(lambda kv: len(kv[1])).pprint(50)",
    "messages.filter(lambda kv: 'a' in kv[1]).pprint(50)",
    "messages.map(lambda kv: kv[1][:1]).pprint(50)",
    "messages.map(lambda kv: kv[1] + '!').pprint(50)",
    "messages.filter(lambda kv: kv[1] > 'a').pprint(50)",
    "messages.map(lambda kv: int(kv[1])).pprint(50)",
    "lines = messages.map(lambda kv: kv[1])\nlines.map(lambda line: (line.lower(), 1)).pprint(50)",
)


JSON = (
    "events = messages.map(lambda m: json.loads(m[1]))\n"
    "large = events.filter(lambda e: e['n'] > 1)\n"
    "large.map(lambda e: (e['user']['name'], e['n'])).reduceByKey(lambda a, b: a + b).pprint(50)\n"
    "events.map(lambda e: (e.get('tag'), len(e['tags']))).pprint(50)\n"
    "messages.map(lambda m: json.loads(m[1])['user']['name']).countByValue().pprint(50)"
)
STRICT = Options(strict=True)
FIELDS = "n BIGINT NOT NULL, tag STRING, tags ARRAY<STRING> NOT NULL, user STRUCT<name: STRING> NOT NULL"
EVENTS = (
    b'{"n": 1, "tags": [], "user": {"name": "a"}}',
    b'{"n": 5, "tag": "x", "tags": ["b", "c"], "user": {"name": "a", "age": 3}, "more": null}',
    b'{"user": {"name": null}, "tag": null, "tags": ["\\u96ea"], "n": 9007199254740993}',
)


def after(
    body: str, batches: Sequence[Sequence[Message]], spark: SparkSession, options: Options | None = None
) -> running.Record:
    """What leaves a program's native form."""
    numbered = [[str(number)] for number in range(len(batches))]
    frames = [kafka_frame(batch, spark) for batch in batches]
    source = "import json\n" * ("json" in body) + kafka_program(body)
    return after_program(source, numbered, spark, lambda batch: frames[int(batch[0])], options)


def test_the_same_before_and_after(
    spark_context: SparkContext, spark: SparkSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    numbered = [[str(number)] for number in range(len(MESSAGES))]
    monkeypatch.setattr(running, "messages", lambda batch: MESSAGES[int(batch[0])])
    was = before(BODIES, numbered, spark_context)
    for body, expected in zip(BODIES, was, strict=True):
        assert any(expected.batches), f"{body} says nothing"
        found = after(body, MESSAGES, spark).batches
        assert found == list(map(as_printed, expected.batches, found)), body


def test_json_on_columns(
    spark_context: SparkContext, spark: SparkSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    events: list[Message] = [(None, event) for event in EVENTS]
    monkeypatch.setattr(running, "messages", lambda batch: events)
    (was,) = before(["import json\n" + JSON], [["0"]], spark_context)
    options = Options(json_schemas=(("events", FIELDS), ("messages", FIELDS)))
    assert after(JSON, [events], spark, options).batches == was.batches
    with pytest.raises(Exception, match=r"MALFORMED_RECORD|Malformed records"):
        after(JSON, [[(None, b"{")]], spark, options)


@pytest.mark.parametrize(
    ("read", "event", "fails"),
    [
        (".map(lambda e: e['n'] + 1)", b'{"n": null}', "n is null"),
        (".map(lambda e: e['n'] is None)", b"{}", "n is null"),
        (".filter(lambda e: e['n'] == None).count()", b"{}", "n is null"),
        (".map(lambda e: (e['n'], 1)).filter(lambda p: p[0] is None)", b"{}", "n is null"),
        (".map(lambda e: len(e['tags']))", b'{"n": 1, "tags": null}', "tags is null"),
        (".map(lambda e: e['user']['name'])", b'{"n": 1}', None),
        (".map(lambda e: e['user']['id'])", b'{"user": {}}', "id is null"),
        (".map(lambda e: e['user']['id'])", b'{"user": null}', "id is null"),
    ],
)
def test_null_under_not_null(read: str, event: bytes, fails: str | None, spark: SparkSession) -> None:
    fields = (
        "n BIGINT NOT NULL, tags ARRAY<STRING> NOT NULL,"
        " user STRUCT<name: STRING, id: BIGINT NOT NULL> NOT NULL"
    )
    body = f"messages.map(lambda m: json.loads(m[1])){read}.pprint(50)"
    options = Options(json_schemas=(("messages", fields),))
    if fails is None:
        assert after(body, [[(None, event)]], spark, options).batches
    else:
        with pytest.raises(Exception, match=fails):
            after(body, [[(None, event)]], spark, options)


@pytest.mark.parametrize(
    ("field", "text", "value"),
    [
        ("STRING NOT NULL", "{}", None),
        ("STRING NOT NULL", '{"x": null}', None),
        ("STRING", '{"x": 1}', "1"),
        ("STRING", '{"x": true}', "true"),
        ("DOUBLE", '{"x": 7}', 7.0),
        ("BIGINT", '{"x": 7} more', 7),
    ],
)
def test_what_the_note_on_json_says(spark: SparkSession, field: str, text: str, value: object) -> None:
    schema = f"x {field}"
    read = F.from_json("value", schema, {"mode": "FAILFAST"})
    (row,) = spark.createDataFrame([(text,)], "value STRING").select(read.alias("read")).collect()
    assert (row.read.x, type(row.read.x)) == (value, type(value))


@pytest.mark.parametrize("text", ['{"x": 7.0}', '{"x": "7"}', '{"x": true}', '{"x": 123456789012345678901}'])
def test_what_leaves_a_schema_with_an_error(spark: SparkSession, text: str) -> None:
    read = F.from_json("value", "x BIGINT", {"mode": "FAILFAST"})
    with pytest.raises(Exception, match=r"MALFORMED_RECORD|Malformed records"):
        spark.createDataFrame([(text,)], "value STRING").select(read).collect()


@pytest.mark.parametrize("body", RAISING)
def test_what_raises_for_none_raises_where_the_user_wants_it(spark: SparkSession, body: str) -> None:
    with pytest.raises(Exception, match=r"is None|NoneType"):
        after(body, [[(b"k", b"7"), (b"k", None)]], spark, STRICT)
    fine = after(body, [[(b"k", b"7"), (None, b"12")]], spark)
    assert fine.batches != [[]] or "'a'" in body


@pytest.mark.parametrize(
    "wrong", [b"\xff", b"a\xc0\xaf", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xe9"], ids=lambda b: b.hex()
)
def test_what_is_no_utf8_raises(spark: SparkSession, wrong: bytes) -> None:
    with pytest.raises(UnicodeDecodeError):
        decoded((None, wrong))
    for message in ((None, wrong), (wrong, b"a")):
        with pytest.raises(Exception, match=r"not UTF-8|MALFORMED"):
            after("messages.map(lambda kv: (kv[0], kv[1])).pprint()", [[message]], spark, STRICT)
    # a note says so
    assert after("messages.map(lambda kv: kv[1]).pprint()", [[(wrong, b"a")]], spark).batches != [[]]
    if not spark.version.startswith("3."):
        with pytest.raises(Exception, match="MALFORMED"):
            after("messages.map(lambda kv: kv[1]).pprint()", [[(None, wrong)]], spark)
