"""JSON on columns of the types that were learnt: the same as in Python, or an error that names the value."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

import pytest
from pyspark import SparkContext
from pyspark.sql import SparkSession

from migrate.facts.file import Fact
from migrate.facts.seen import Seen
from migrate.knowledge.spark_version import SparkVersion, installed
from migrate.learn.run import fact_of
from migrate.model import Options, Outcome
from tests.migrate.planted import MORE
from tests.migrate.programs import kafka_program, native_body, run
from tests.migrate.rules import running
from tests.migrate.rules.running import Message, after_program, as_printed, before, kafka_frame

pytestmark = pytest.mark.skipif(
    not installed().has_variant, reason="before 4.0 there is no VARIANT, so JSON stays in Python"
)

SAMPLE: tuple[dict[str, Any], ...] = (
    {"n": 1, "x": 0.5, "lang": "en", "ok": True, "tags": ["a"], "user": {"name": "a", "id": 7}, "hs": []}
    | {"k k": ""},
    {"n": 2, "x": 1e300, "lang": "en", "ok": False, "tags": [], "user": {"name": None, "id": 8, "a.b": 1}}
    | {"hs": [{"t": "b"}], "more": 5, "place": {"city": "c"}, "k k": "d", "o.o": 5},
    {"n": 3, "x": 2.0, "lang": "雪", "ok": True, "tags": [], "user": {"name": "b", "id": 9}, "hs": []}
    | {"place": None, "k k": "e"},
)
_TEXTS: tuple[dict[str, Any], ...] = (
    {
        "n": 5,
        "x": 0.1,
        "lang": "en",
        "ok": False,
        "tags": ["b", "雪", ""],
        "user": {"name": "z", "id": 1, "a.b": 2},
    }
    | {"hs": [{"t": "x"}, {"t": "y", "more": 1}], "more": 3, "k k": "q", "o.o": 6},
    {"n": -(2**63), "x": 1.0, "lang": "de", "ok": True, "tags": [], "user": {"id": 2, "name": None}}
    | {"hs": [], "new": [1, {}], "k k": "\U0001f600"},
    {"user": {"name": '" \\ \n', "id": 3}, "hs": [], "n": 2**53 + 1, "x": 12345678.9e-3, "lang": "en"}
    | {"ok": True, "tags": ["b"], "place": {"city": "d"}, "k k": ""},
)
EVENTS = tuple(json.dumps(text).encode() for text in _TEXTS)
READS = (
    "events.map(lambda e: (e['user']['name'], e['n'])).pprint(50)",
    "events.filter(lambda e: e['lang'] == 'en').map(lambda e: (e['lang'], 1))"
    ".reduceByKey(lambda a, b: a + b).pprint()",
    "events.map(lambda e: e['x']).filter(lambda x: x > 0.5).count().pprint()",
    "events.map(lambda e: (e['x'] * 2, -e['x'])).foreachRDD(lambda rdd: print(rdd.collect()))",
    "events.flatMap(lambda e: e['tags']).countByValue().pprint(50)",
    "events.flatMap(lambda e: [(t, e['n']) for t in e['tags'] if t]).pprint(50)",
    "events.flatMap(lambda e: [h['t'] for h in e['hs']]).pprint(50)",
    "events.flatMap(lambda e: e['hs']).map(lambda h: h['t']).pprint(50)",
    "events.map(lambda e: (len(e['tags']), len(e['hs']), 'b' in e['tags'])).pprint(50)",
    "events.map(lambda e: (e.get('more'), e.get('more', 0))).pprint(50)",
    "events.map(lambda e: (e.get('user', {}).get('name'), e.get('more', None))).pprint(50)",
    "events.map(lambda e: (e['user'], e['n'])).map(lambda p: (p[0]['id'], p[1])).pprint(50)",
    "events.map(lambda e: (e.get('user').get('name'), e.get('place') or 1)).pprint(50)",
    "events.filter(lambda e: 'more' in e).map(lambda e: e['more'] + 1).pprint(50)",
    "events.filter(lambda e: 'place' not in e).map(lambda e: e['n']).pprint(50)",
    "events.filter(lambda e: e['ok'] and e['n'] > 0).map(lambda e: e['user']['id']).pprint(50)",
    "events.filter(lambda e: e['user']['name'] is not None).map(lambda e: len(e['user']['name'])).pprint(50)",
    "events.map(lambda e: e['k k']).pprint(50)",
    "events.map(lambda e: (e.get('o.o'), e.get('o.o', 0), 'o.o' in e.keys())).pprint(50)",
    "events.filter(lambda e: 'a.b' in e['user'].keys()).map(lambda e: e['user']['a.b']).pprint(50)",
    "events.map(lambda e: e['n'] is None).pprint(50)",
    "events.filter(lambda e: e['n'] < 4611686018427387904).count().pprint()",
    "events.map(lambda e: '%s: %d' % (e['lang'], e['n'])).pprint(50)",
    "events.map(lambda e: (e['n'], e)).mapValues(lambda e: e['lang']).pprint(50)",
    "events.count().pprint()",
    "events.map(lambda e: e['lang'].upper().split('N')).pprint(50)",
    "def named(e):\n    user = e['user']\n    if user['name'] is None:\n        return 'none'\n"
    "    return user['name']\n"
    "events.map(named).pprint(50)",
)


def options(facts: dict[str, Iterable[object]]) -> Options:
    """The options with what was learnt of these elements."""
    return Options(facts={("/nowhere/job.py", name): fact(elements) for name, elements in facts.items()})


def fact(elements: Iterable[object]) -> Fact:
    """What was learnt of these elements."""
    seen = Seen()
    for element in elements:
        seen.add(element)
    return fact_of(seen)


def program(read: str) -> str:
    """A program whose stream of JSON is `events`."""
    return f"import json\nevents = messages.map(lambda m: json.loads(m[1]))\n{read}"


def after(
    read: str, events: Sequence[bytes], spark: SparkSession, learnt: Options | None = None
) -> list[list[str]]:
    """What leaves the native form."""
    messages: list[Message] = [(None, event) for event in events]
    frame = kafka_frame(messages, spark)
    chosen = learnt or options({"events": SAMPLE})
    return after_program(kafka_program(program(read)), [["0"]], spark, lambda batch: frame, chosen).batches


def test_the_same_before_and_after(
    spark_context: SparkContext, spark: SparkSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    messages: list[Message] = [(None, event) for event in EVENTS]
    monkeypatch.setattr(running, "messages", lambda batch: messages)
    was = before([program(read) for read in READS], [["0"]], spark_context)
    for read, expected in zip(READS, was, strict=True):
        assert any(expected.batches), f"{read} says nothing"
        found = after(read, EVENTS, spark)
        assert found == list(map(as_printed, expected.batches, found)), read
        by_schema = options({"events": [one | MORE for one in SAMPLE]})
        if "json_field(" in native_body(program(read), by_schema):
            assert after(read, EVENTS, spark, by_schema) == found, read


@pytest.mark.parametrize(
    "read", [read for read in READS if "collect" not in read and "place') or" not in read]
)
def test_it_is_on_columns(read: str) -> None:
    assert "json.loads" not in native_body(program(read), options({"events": SAMPLE}))


BEYOND = (
    ("e['n']", '{"n": "1"}', r"BIGINT expected at \$.n, found .1."),
    ("e['n']", '{"n": 1.0}', r"BIGINT expected at \$.n, found 1"),
    ("e['n']", '{"n": 1.5}', r"BIGINT expected at \$.n, found 1.5"),
    ("e['n']", '{"n": 1e2}', r"BIGINT expected at \$.n, found 100"),
    ("e['n']", '{"n": true}', r"BIGINT expected at \$.n, found true"),
    ("e['n']", '{"n": null}', r"BIGINT expected at \$.n, found null"),
    ("e['n']", '{"n": 12345678901234567890}', r"BIGINT expected at \$.n, found 12345678901234567890"),
    ("e['n']", '{"n": [1]}', r"BIGINT expected at \$.n, found \[1\]"),
    ("e['n']", "{}", r"BIGINT expected at \$.n, found nothing"),
    ("e['n']", "[1]", r"BIGINT expected at \$.n, found nothing"),
    ("e['n'] is None", '{"n": null}', r"BIGINT expected at \$.n, found null"),
    ("e['n'] == None", "{}", r"BIGINT expected at \$.n, found nothing"),
    ("e['n'] < 4611686018427387904", '{"n": 92233720368547758070}', r"BIGINT expected at \$.n"),
    ("e['x']", '{"x": 1}', r"DOUBLE expected at \$.x, found 1"),
    ("e['x']", '{"x": 12345678901234567890}', r"DOUBLE expected at \$.x, found 12345678901234567890"),
    ("e['x']", '{"x": 1%s}' % ("0" * 50), r"DOUBLE expected at \$.x, found 1"),
    ("e['x']", '{"x": 1e400}', r"DOUBLE expected at \$.x, found"),
    ("e['x']", '{"x": "0.5"}', r"DOUBLE expected at \$.x, found .0.5."),
    ("e['lang']", '{"lang": 1}', r"STRING expected at \$.lang, found 1"),
    ("e['lang']", '{"lang": null}', r"STRING expected at \$.lang, found null"),
    ("e['lang']", '{"lang": {"a": 1}}', r"STRING expected at \$.lang, found ..a.:1"),
    ("e['ok']", '{"ok": 1}', r"BOOLEAN expected at \$.ok, found 1"),
    ("len(e['tags'])", '{"tags": "ab"}', r"ARRAY expected at \$.tags, found .ab."),
    ("len(e['tags'])", '{"tags": [1]}', r"STRING expected at \$, found 1"),
    ("len(e['tags'])", '{"tags": ["a", null]}', r"STRING expected at \$, found null"),
    ("len(e['tags'])", '{"tags": {}}', r"ARRAY expected at \$.tags"),
    ("e['user']['name']", '{"user": {}}', r"STRING expected at \$.user.name, found nothing"),
    ("e['user']['name']", '{"user": "a"}', r"STRING expected at \$.user.name, found nothing"),
    ("e['user']['name']", '{"user": {"name": 1}}', r"STRING expected at \$.user.name, found 1"),
    ("e.get('lang')", '{"lang": 1}', r"STRING expected at \$.lang, found 1"),
    ("e.get('lang')", '"text"', r"STRING expected at \$.lang, found nothing"),
    ("e.get('lang').strip()", "{}", r"STRING expected at \$.lang, found nothing"),
    ("e.get('more', 0)", '{"more": null}', r"BIGINT expected at \$.more, found null"),
    ("e.get('user', {})['id']", "{}", r"BIGINT expected at \$.user.id, found nothing"),
    ("e.get('user', {}).get('id', 0)", "[]", r"BIGINT expected at \$.user.id, found nothing"),
    ("e.get('user').get('id')", "{}", r"BIGINT expected at \$.user.id, found nothing"),
    ("'more' in e", '"more or less"', r"OBJECT expected at \$.more, found nothing"),
    ("'more' in e", '["more"]', r"OBJECT expected at \$.more, found nothing"),
    ("e.get('o.o', 0)", '{"o.o": "5"}', r"BIGINT expected at \$\['o.o'\], found .5."),
    ("e.get('o.o', 0)", '["o.o"]', r"BIGINT expected at \$\['o.o'\], found nothing"),
    ("'o.o' in e.keys()", '["o.o"]', r"OBJECT expected at \$\['o.o'\], found nothing"),
    ("'a.b' not in e['user']", '{"user": 5}', r"OBJECT expected at \$.user\['a.b'\], found nothing"),
    ("e['n']", '{"n": 1, "n": "b"}', r"BIGINT expected at \$.n, found no JSON that Spark takes: ..n.: 1"),
    ("e['lang']", '{"lang": "a}', "STRING expected at .*found no JSON that Spark takes"),
    ("e.get('lang')", '{"lang": "a", "lang": "b"}', "found no JSON that Spark takes: ..lang"),
    ("e['tags'][0]", '{"tags": ["a"], "n": NaN}', "found no JSON that Spark takes: ..tags"),
    ("e['lang']", '{"lang": "\\ud800"}', "found no JSON that Spark takes: ..lang"),
    ("e['lang']", "", r"STRING expected at \$.lang, found no JSON that Spark takes: "),
)


@pytest.mark.parametrize(("read", "event", "message"), BEYOND, ids=range(len(BEYOND)))
def test_what_leaves_the_types_fails_and_says_so(
    read: str, event: str, message: str, spark: SparkSession
) -> None:
    body = f"events.map(lambda e: {read}).pprint()"
    assert "json.loads" not in native_body(program(body), options({"events": SAMPLE}))
    with pytest.raises(Exception, match=message):
        after(body, [event.encode()], spark)


@pytest.mark.parametrize("read", ["e['n']", "e['x']", "e['lang']", "e['ok']", "e['user']['name']"])
def test_so_does_what_a_schema_reads(read: str, spark: SparkSession) -> None:
    by_schema = options({"events": [one | MORE for one in SAMPLE]})
    body = f"events.map(lambda e: {read}).pprint()"
    assert "json_field(" in native_body(program(body), by_schema)
    for _, event, message in (one for one in BEYOND if one[0] == read):
        with pytest.raises(Exception, match=message):
            after(body, [event.encode()], spark, by_schema)


@pytest.mark.parametrize(
    ("read", "event", "shown"),
    [
        ("e.get('lang')", '{"lang": null}', "None"),
        ("e.get('lang')", "{}", "None"),
        ("e.get('more', 4)", "{}", "4"),
        ("e.get('more')", '{"more": 9}', "9"),
        ("e['x']", '{"x": 1.0}', "1.0"),
        ("e['x']", '{"x": 1e2}', "100.0"),
        ("e['x']", '{"x": 0.30000000000000004}', "0.30000000000000004"),
        ("e['n']", '{"n": 9223372036854775807}', "9223372036854775807"),
        ("'more' in e", '{"more": null}', "True"),
        ("'more' in e", "{}", "False"),
        ("e['lang']", '{"lang": "?", "n": 1}', "'?'"),
        ("e['lang']", '{"lang": "-1"}', "'-1'"),
        ("e['lang']", '{"lang": "true"}', "'true'"),
        ("e['lang']", '{"lang": "2024-01-01"}', "'2024-01-01'"),
        ("e.get('user', {}).get('id')", "{}", "None"),
        ("e.get('user', {}).get('id')", '{"user": {}}', "None"),
        ("e.get('user', {}).get('id', 4)", "{}", "4"),
        ("e.get('user', {}).get('id', 4)", '{"user": {"id": 5}}', "5"),
    ],
)
def test_what_is_learnt_or_as_python_has_it(read: str, event: str, shown: str, spark: SparkSession) -> None:
    assert after(f"events.map(lambda e: {read}).pprint()", [event.encode()], spark) == [[f"rows {[shown]}"]]


PLAIN = ({"n": 1, "x": 0.5, "lang": "en"}, {"n": 2, "x": 1.5, "lang": "de"})
OF_DICTS = """\
def shown(rdd):
    df = rdd.toDF()
    print(df.{}.collect())
events.foreachRDD(shown)
"""


@pytest.mark.parametrize("read", ["sort('n')", "groupBy('lang').sum('n').sort('lang')", "select('x')"])
def test_dicts_become_the_columns_of_a_data_frame(
    read: str, spark_context: SparkContext, spark: SparkSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = [b'{"x": 0.25, "n": -3, "lang": "\xc3\xa9"}', b'{"lang": "a", "n": 7, "x": 1e3}']
    monkeypatch.setattr(running, "messages", lambda batch: [(None, text) for text in texts])
    (was,) = before([program(OF_DICTS.format(read))], [["0"]], spark_context)
    body, learnt = OF_DICTS.format(read), options({"events": PLAIN})
    assert 'where(json_only("event", "lang", "n", "x"))' in native_body(program(body), learnt)
    found = after(body, texts, spark, learnt)
    assert found == list(map(as_printed, was.batches, found))
    assert "lang='a'" in str(found) or "x=0.25" in str(found)
    for other in (b'{"x": 0.25, "n": 3, "lang": "a", "more": 1}', b'{"x": 0.25, "lang": "a"}', b"5", b"{}"):
        with pytest.raises(Exception, match=r"only lang, n, x expected at \$, found"):
            after(body, [*texts, other], spark, learnt)


@pytest.mark.parametrize(
    "other", [{"n": 1, "x": 0.5}, {"n": 1, "x": 0.5, "lang": None}, {"n": 1.5, "x": 0.5, "lang": "a"}, [1]]
)
def test_but_not_where_their_keys_or_types_differ(other: object) -> None:
    learnt = options({"events": [*PLAIN, other]})
    assert "json.loads" in native_body(program(OF_DICTS.format("sort('n')")), learnt)
    nested = options({"events": [{"n": {"m": 1}}, {"n": {"m": 2}}]})
    assert "json.loads" in native_body(program(OF_DICTS.format("sort('n')")), nested)


GIVEN = """\
import sys
from places import Area, Point
def of_users(events):
    return events.filter(lambda e: "user" in e)
def near(events, place):
    return events.filter(lambda e: Point(e["x"]) in Area(place))
near(of_users(events), sys.argv[1]).map(lambda e: (e["user"], 1)).pprint()
"""


def test_facts_keep_no_program_from_leaving_the_old_api() -> None:
    """A function of streams with other arguments is given no JSON on columns: it is given dicts."""
    source = kafka_program(program(GIVEN))
    for learnt in (Options(), options({"events": [{"user": "a", "x": 1}]})):
        assert run(source, learnt).graphs[0].outcome is Outcome.NATIVE


def test_results_of_functions_are_learnt(spark: SparkSession) -> None:
    """Where `json.loads` is in the middle of a function, the fact on its result types what is read."""
    body = "def parsed(m):\n    event = json.loads(m[1])\n    return event['user']['name'], event['n']\n"
    body += "pairs = messages.map(parsed)\npairs.reduceByKey(lambda a, b: a + b).pprint()"
    learnt = options({"pairs": [("a", 1), ("b", 2)]})
    native = native_body("import json\n" + body, learnt)
    assert 'F.explode(F.array(json_variant(F.col("value"), "pairs"))).alias("event")' in native
    assert 'json_value("event", "$.user.name", "STRING")' in native
    source = kafka_program("import json\n" + body)

    def run(event: bytes) -> list[list[str]]:
        frame = kafka_frame([(None, event)], spark)
        return after_program(source, [["0"]], spark, lambda batch: frame, learnt).batches

    assert run(b'{"user": {"name": "a"}, "n": 5}') == [[f"rows {[repr(('a', 5))]}"]]
    with pytest.raises(Exception, match="STRING expected"):
        run(b'{"user": {"name": 1}, "n": 5}')


@pytest.mark.parametrize("reader", ["orjson", "rapidjson", "simplejson", "ujson"])
def test_other_readers_of_json(reader: str) -> None:
    """They take what `json` takes, for the same values; what only they take, as 01, is no JSON for Spark."""
    for imported, call in (
        (f"import {reader} as json", "json.loads"),
        (f"from {reader} import loads", "loads"),
    ):
        body = f"{imported}\nevents = messages.map(lambda m: {call}(m[1]))\n{READS[0]}"
        native = native_body(body, options({"events": SAMPLE}))
        assert 'json_value("event", "$.n", "BIGINT")' in native
        assert "loads" not in native


def test_without_facts_and_where_json_is_python_nothing_changes() -> None:
    for read in ("events.pprint()", "events.map(lambda e: e['n']).pprint()"):
        assert "json.loads" in native_body(program(read), Options())
    assert "json.loads" in native_body(program("events.pprint()"), options({"events": SAMPLE}))
    read = "events.map(lambda e: e['n']).pprint()"
    facts = options({"events": SAMPLE}).facts
    for chosen in (Options(facts=facts, strict=True), Options(facts=facts, spark=SparkVersion("3.5"))):
        assert "json.loads" in native_body(program(read), chosen)


def test_methods_of_texts_need_no_facts(spark: SparkSession) -> None:
    """What is no text fails in Python, too: under `--strict` for certain, else a note says so."""
    read = "events.flatMap(lambda e: e['text'].split(' ')).pprint()"
    assert after(read, [b'{"text": "a b"}'], spark, Options()) == [[f"rows {[repr('a'), repr('b')]}"]]
    with pytest.raises(Exception, match="'int' object has no attribute 'split'"):
        after(read, [b'{"text": 1}'], spark, Options(strict=True))
    if installed().parse_json_fails:
        notes = run(kafka_program(program(read))).graphs[0].notes
        assert any("JSON that is no text where one is read" in note for note in notes)


def test_a_part_that_stays_json_must_be_there(spark: SparkSession) -> None:
    read = "events.map(lambda e: (e['user'], e['n'])).map(lambda p: p[1]).pprint()"
    assert after(read, [b'{"user": {}, "n": 5}'], spark) == [[f"rows {['5']}"]]
    read = "events.map(lambda e: (e['user'], e['n'])).map(lambda p: (p[0]['id'], p[1])).pprint()"
    with pytest.raises(Exception, match=r"a value expected at \$.user, found nothing"):
        after(read, [b'{"n": 5}'], spark)


ROWS = """
def parsed(line):
    event = json.loads(line)
    row = Row(name=event.get("name"), n=event["n"])
    return row

def save(rdd):
    if not rdd.isEmpty():
        people = spark.createDataFrame(rdd.map(parsed))
        print(sorted(people.collect(), key=repr))

messages.map(lambda m: m[1]).foreachRDD(save)
"""


def test_rows_that_a_function_makes_of_json_are_columns(spark: SparkSession) -> None:
    """What a callback makes a DataFrame of is broken over lines as other new code is."""
    learnt = Options(facts={("/nowhere/job.py", "parsed.event"): fact([{"name": "a", "n": 1}])})
    before = (
        "import json\nfrom pyspark.sql import Row, SparkSession\nspark = SparkSession.builder.getOrCreate()\n"
    )
    source = kafka_program(before + ROWS)
    new = run(source, learnt).files[0].new
    assert (
        '        people = batch.select(F.explode(F.array(json_variant(F.col("value"), "parsed.event")))'
        '.alias("event")).select(\n'
        '            json_value("event", "$.name", "STRING", "null", "missing").alias("name"),\n'
        '            json_value("event", "$.n", "BIGINT").alias("n"),\n'
        "        )\n"
    ) in new
    frame = kafka_frame([(None, b'{"n": 5}'), (None, b'{"n": 6, "name": "b"}')], spark)
    made = after_program(source, [["0"]], spark, lambda batch: frame, learnt).batches
    assert made == [["[Row(name='b', n=6), Row(name=None, n=5)]"]]


def test_helpers_get_out_of_the_way_of_names_of_the_program() -> None:
    read = "json_checked = 1\ndef json_value(n):\n    return n + json_checked\n"
    read += "events.map(lambda e: (e['n'], e['tags'])).pprint()"
    new = run(kafka_program(program(read)), options({"events": SAMPLE})).files[0].new
    assert "def json_checked_(" in new
    assert "def json_value_(" in new
    assert "return json_checked_(F.when(fits" in new
    assert "lambda item: json_value_(item" in new
    assert 'json_value_("event", "$.n", "BIGINT")' in new


@pytest.mark.parametrize(
    ("callback", "on_columns"),
    [
        ("lambda rdd: print(rdd.count())", True),
        ("lambda rdd: print(rdd.map(lambda e: e['n']).collect())", True),
        ("lambda rdd: print(rdd.collect())", False),
        ("lambda rdd: print(rdd.distinct().count())", False),
        ("lambda rdd: rdd.foreach(lambda e: print(e))", False),
        ("lambda rdd: print(rdd.first())", False),
    ],
)
def test_a_callback_that_gets_the_objects_gets_pythons(callback: str, on_columns: bool) -> None:
    native = native_body(program(f"events.foreachRDD({callback})"), options({"events": SAMPLE}))
    assert ("json.loads" not in native) is on_columns
