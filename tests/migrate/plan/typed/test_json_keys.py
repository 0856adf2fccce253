"""Keys that are parts of JSON of no known type: rows are grouped by their JSON."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from migrate.knowledge.spark_version import SparkVersion
from migrate.model import Options
from migrate.plan.typed.json_keys import JSON_KEY, JSON_TUPLE, NOTE, ONLY_TEXT, TEXTS
from tests.migrate.programs import file, kafka_program, native_body, run, socket_program

PARSED = "import json\ntweets = lines.map(json.loads)\n"
ADDED = ".reduceByKey(lambda a, b: a + b)"
BEFORE_COLUMNS = Options(spark=SparkVersion.parse("4.2.0"))
"""Where JSON of which nothing was learnt is no column."""
COUNTS = f'counts = tweets.map(lambda t: (t["user"]["code"], 1)){ADDED}\n'


@pytest.mark.parametrize(
    ("body", "new"),
    [
        (
            f'tweets.map(lambda t: (t["kind"], 1)){ADDED}.pprint()',
            'kind_udf = F.udf(lambda value: json_key(json.loads(value)["kind"]), "string")\n'
            'rows = batch.groupBy(kind_udf("value").alias("kind")).count()\n'
            "for kind, count in rows.take(10):\n"
            "    print((json.loads(kind), count))",
        ),
        (
            'tweets.flatMap(lambda t: t["tags"]).countByValue().pprint()',
            "tags_udf = F.udf(\n"
            '    lambda value: [json_key(item) for item in json.loads(value)["tags"]],\n'
            '    "array<string>",\n'
            ")\n"
            'rows = batch.select(F.explode(tags_udf("value")).alias("value")).groupBy("value").count()\n'
            "for value, count in rows.take(10):\n"
            "    print((json.loads(value), count))",
        ),
        (
            f'tweets.filter(lambda t: "id" in t).map(lambda t: (t["id"], len(t))){ADDED}.pprint()',
            '@F.udf("array<struct<key string, value bigint>>")\n'
            "def id_udf(value):\n"
            "    tweet = json.loads(value)\n"
            '    return [(json_key(tweet["id"]), len(tweet))] if "id" in tweet else []',
        ),
        (
            f'tweets.flatMap(lambda t: ((h["txt"], len(t)) for h in t["tags"] if h["n"])){ADDED}.pprint()',
            '[(json_key(h["txt"]), len(tweet)) for h in tweet["tags"] if h["n"]]',
        ),
        (
            "tweets.filter(lambda h: h['n'] or h['m'])"
            f".flatMap(lambda t: [(h['txt'], len(t)) for h in t['tags']]){ADDED}.pprint()",
            "[(json_key(h['txt']), len(tweet)) for h in tweet['tags']]",
        ),
        (
            "def pair(t):\n    return t['id'], (len(t), 1)\ntweets.map(pair)"
            ".reduceByKey(lambda a, b: (a[0] + b[0], a[1] + b[1])).map(lambda x: (x[0], x[1][0] / x[1][1]))"
            ".pprint()",
            "print((json.loads(key), value))",
        ),
        (
            COUNTS + "counts.foreachRDD(lambda rdd: print(rdd.collect()))",
            "print([(json.loads(code), count) for code, count in counts.collect()])",
        ),
    ],
)
def test_the_json_of_a_key_is_a_column(body: str, new: str) -> None:
    made = (
        file(socket_program(PARSED + body)).new
        if "for h in" in new or "@F.udf" in new
        else native_body(PARSED + body)
    )
    assert new in made
    assert ".rdd" not in made


@pytest.mark.parametrize(
    ("step", "call"),
    [
        (".filter(lambda x: x[1] > 1)", '.where(F.col("count") > 1)'),
        ('.filter(lambda x: x[0].lower() == "a")', '.where(keep_udf("code", "count"))'),
        (".transform(lambda rdd: rdd.sortBy(lambda x: -x[1]))", '.orderBy(F.desc("count"))'),
        (
            ".transform(lambda rdd: sc.parallelize(rdd.sortBy(lambda x: x[1], False).take(3)))",
            '.orderBy(F.desc("count")).limit(3)',
        ),
    ],
)
def test_what_follows_reads_columns(step: str, call: str) -> None:
    new = native_body(f"{PARSED}{COUNTS}counts{step}.pprint(); counts.pprint()")
    assert call in new
    assert new.count("print((json.loads(code), count))") == 2


@pytest.mark.parametrize(
    ("operator", "grouped"),
    [
        (".updateStateByKey(lambda new, old: sum(new) + (old or 0))", 'lines.groupBy(kind_udf("value")'),
        (".reduceByKeyAndWindow(lambda a, b: a + b, None, 4, 2)", 'batch.groupBy(kind_udf("value")'),
        (".map(lambda x: x[0]).countByValueAndWindow(4, 2)", 'batch.groupBy(convert_udf("value")'),
        (".reduceByKey(lambda a, b: a + b).window(4, 2)", 'batch.groupBy(kind_udf("value")'),
    ],
)
def test_states_and_windows_are_grouped_by_the_json_of_keys(operator: str, grouped: str) -> None:
    new = file(socket_program(f'{PARSED}tweets.map(lambda t: (t["kind"], 1)){operator}.pprint()')).new
    assert grouped in new
    assert ".take(10):" in new
    assert ".rdd" not in new


PAIR = """\
import json
def pair(data):
    record = json.loads(data[1])
    return record.get('partNo'), (float(record['price']), 1)
sums = messages.map(pair).reduceByKey(lambda a, b: (a[0] + b[0], a[1] + b[1]))
sums.map(lambda x: (x[0], x[1][0] / x[1][1])).foreachRDD(lambda rdd: print(rdd.collect()))
"""


def test_a_function_of_a_message_gets_the_column_that_it_reads() -> None:
    new = file(kafka_program(PAIR)).new
    assert "def pair(value):\n    record = json.loads(value)\n" in new
    assert 'pair_udf("value").alias("result")' in new
    assert '.select("partNo", (F.col("price") / F.col("count")).alias("value"))' in new
    assert "[(json.loads(partNo), value) for partNo, value in " in new


def test_a_function_of_key_and_value_gets_a_row() -> None:
    new = file(kafka_program(PAIR.replace("float(record['price'])", "1.0 if data[0] == 'a' else 2.0"))).new
    assert "    record = json.loads(data[1])\n" in new
    assert 'pair_udf(F.struct("key", "value"))' in new


def test_the_parts_of_a_value_stand_beside_its_key() -> None:
    new = file(kafka_program(PAIR)).new
    assert 'pair_udf = F.udf(pair, "struct<partNo string, price double, count bigint>")' in new
    assert "    return json_key(record.get('partNo')), float(record['price']), 1\n" in new
    assert '.select("result.*")' in new


AVERAGES = (
    "tweets.map(lambda t: (t['site'], (float(t['n']), 1)))"  # a sum and a count
    ".reduceByKey(lambda a, b: (a[0] + b[0], a[1] + b[1]))"
)


@pytest.mark.parametrize(
    "operator", ["mapValues(lambda p: p[0] / p[1])", "map(lambda x: (x[0], x[1][0] / x[1][1]))"]
)
@pytest.mark.parametrize(
    ("output", "read"),
    [
        ("pprint()", "print((json.loads(site), value))"),
        ("foreachRDD(lambda rdd: print(rdd.collect()))", "[(json.loads(site), value) for site, value in "),
    ],
)
def test_values_are_columns_beside_the_json_of_their_keys(operator: str, output: str, read: str) -> None:
    new = native_body(f"{PARSED}sums = {AVERAGES}\nsums.{operator}.{output}")
    assert '.select("site", (F.col("n") / F.col("count")).alias("value"))' in new
    assert read in new
    assert ".rdd" not in new


def test_a_map_that_reads_the_key_is_called_with_what_it_stands_for() -> None:
    new = native_body(f"{PARSED}{AVERAGES}.map(lambda x: (x[0], str(x[0]) + str(x[1][1]))).pprint()")
    assert "str(json.loads(" in new


def test_a_function_of_streams_holds_the_batch_function() -> None:
    body = (
        "import json\n"
        "def count(stream):\n"
        "    def parse(line):\n"
        '        return json.loads(line)["kind"]\n'
        f"    stream.map(parse).map(lambda t: (t, 1)){ADDED}.pprint()\n"
        "count(lines)"
    )
    new = file(socket_program(body)).new
    assert "json_key(parse(" in new
    assert ".rdd" not in new


def test_one_that_returns_a_stream_does_not_hide_what_is_called() -> None:
    body = (
        "import json\n"
        "def parsed(stream, key):\n"
        "    def parse(line):\n"
        "        return json.loads(line)[key]\n"
        "    return stream.map(parse)\n"
        'parsed(lines, "kind").pprint()'
    )
    assert 'stream.rdd.map(lambda row: parse(row["value"]))' in file(socket_program(body)).new


def test_both_parts_of_a_pair_are_read_in_place() -> None:
    new = native_body(f'{PARSED}{COUNTS}counts.filter(lambda x: x[1] > 1 or x[0] == "a").pprint()')
    assert 'lambda code, count: count > 1 or json.loads(code) == "a"' in new


@pytest.mark.parametrize(
    "step",
    [
        ".transform(lambda rdd: rdd.sortByKey())",
        ".transform(lambda rdd: rdd.sortBy(lambda x: x[0]))",
        ".transform(lambda rdd: rdd.sortBy(lambda x: len(x)))",
        ".transform(lambda rdd: sc.parallelize(rdd.take(3)))",
        ".join(counts)",
        ".union(counts)",
        ".updateStateByKey(lambda new, old: new)",
        ".reduceByKeyAndWindow(lambda a, b: a + b, lambda a, b: a - b, 9, 3, None, lambda x: x[0])",
        ".foreachRDD(lambda rdd: rdd.toDF().show())",
    ],
)
def test_rdd_code_reads_keys_of_no_known_type(step: str) -> None:
    new = native_body(
        f"{PARSED}{COUNTS}found = counts{step}\n" + ("" if "foreach" in step else "found.pprint()")
    )
    assert "json_key" not in new
    assert 'json.loads(row["value"])' in new


def test_a_parameter_of_that_name_is_not_the_module() -> None:
    shown = "def shown(json):\n    return json\n"
    new = native_body(f"{PARSED}{shown}{COUNTS}counts.pprint()")
    assert "json_key" not in new


def test_the_report_says_which_keys_fail() -> None:
    (graph,) = run(socket_program(PARSED + COUNTS + "counts.pprint()")).graphs
    assert NOTE in graph.notes


@pytest.mark.parametrize(
    ("body", "new"),
    [
        (
            f'tweets.map(lambda t: (t["user"]["screen_name"], 1)){ADDED}.pprint()',
            "screen_name_udf = F.udf(\n"
            '    lambda value: only_text(json.loads(value)["user"]["screen_name"]), "string"\n'
            ")\n"
            'batch.groupBy(screen_name_udf("value").alias("screen_name")).count().show(10, truncate=False)',
        ),
        (
            'tweets.flatMap(lambda t: [h.get("text") for h in t["tags"]]).countByValue().pprint()',
            'F.explode(tags_udf("value")).alias("value"))\n    .groupBy("value").count()\n    .show(10',
        ),
        (
            f'tweets.map(lambda t: (t["lang"], len(t))){ADDED}.filter(lambda x: x[0] != "en").pprint()',
            '.where(~F.col("lang").eqNullSafe("en"))',
        ),
    ],
)
def test_a_field_that_is_a_text_by_its_name_is_a_column_of_texts(body: str, new: str) -> None:
    result = run(socket_program(PARSED + body), BEFORE_COLUMNS)
    assert new in native_body(PARSED + body, BEFORE_COLUMNS)
    assert "json_key" not in str(result.files[0].new)
    assert TEXTS in result.graphs[0].notes and NOTE not in result.graphs[0].notes


@pytest.mark.parametrize(
    ("lines", "is_text"),
    [
        ('return t.get("symbol"), len(t)', True),
        ('symbol = t["symbol"]\n    return symbol, len(t)', True),
        ('if t["n"]:\n        return t["symbol"], 1\n    return t["n"], 1', False),
        ('symbol = t["n"]\n    return symbol, len(t)', False),
        ('symbol = t["symbol"]\n    symbol = t["n"]\n    return symbol, len(t)', False),
        ("symbol = t\n    return symbol, len(t)", False),
    ],
)
def test_a_function_makes_texts_by_what_it_returns(lines: str, is_text: bool) -> None:
    body = f"def pair(t):\n    {lines}\ntweets.map(pair){ADDED}.pprint()"
    assert ("only_text(" in str(file(socket_program(PARSED + body), BEFORE_COLUMNS).new)) is is_text


@pytest.mark.parametrize(
    "key", ['t.get("name", 0)', 't["screen_name_id"]', "str(t)", "t[0]", 't["name"]["n"]', '(t["lang"], 1)']
)
def test_other_keys_may_be_numbers(key: str) -> None:
    assert "only_text" not in native_body(f"{PARSED}tweets.map(lambda t: ({key}, 1)){ADDED}.pprint()")


def test_a_text_is_what_it_is_and_anything_else_raises() -> None:
    names: dict[str, Callable[[object], object]] = {}
    exec(ONLY_TEXT, {}, names)
    assert [names["only_text"](value) for value in ("a", "", "\u96ea", None)] == ["a", "", "\u96ea", None]
    others: list[object] = [1, 0.5, True, [], {}, b"a", "\ud83d"]
    for other in others:
        with pytest.raises((TypeError, UnicodeEncodeError)):
            names["only_text"](other)


@pytest.fixture
def json_key() -> Callable[[object], str]:
    names: dict[str, Callable[[object], str]] = {}
    exec(JSON_KEY, {"json": json}, names)
    return names["json_key"]


@pytest.mark.parametrize("key", ["", "a", "1", '\u96ea\n"', "\ud83d", 1, 0, -7, 2**70, None])
def test_a_key_comes_back(key: object, json_key: Callable[[object], str]) -> None:
    back = json.loads(json_key(key))
    assert (back, type(back)) == (key, type(key))


@pytest.mark.parametrize("key", [1.0, 0.5, float("nan"), True, False, [1], {"a": 1}, b"a"])
def test_a_key_fails_that_may_equal_another_one(key: object, json_key: Callable[[object], str]) -> None:
    with pytest.raises(TypeError, match="expected a text, a whole number or None"):
        json_key(key)


GROUPED = "counts = rdd.map(json.loads).map(lambda t: (t['kind'], 1)).reduceByKey(lambda a, b: a + b)\n"


@pytest.mark.parametrize(
    ("read", "new"),
    [
        (
            "print(counts.collect())",
            "print([(json.loads(kind), count) for kind, count in counts.collect()])",
        ),
        (
            "print(counts.count(), counts.take(3))",
            "print(counts.count(), [(json.loads(kind), count) for kind, count in counts.take(3)])",
        ),
        (
            "print(counts.sortBy(lambda x: -x[1]).take(3))",
            'for kind, count in counts.orderBy(F.desc("count")).take(3)',
        ),
    ],
)
def test_a_callback_reads_the_json_of_keys(read: str, new: str) -> None:
    made = file(
        socket_program(f"import json\ndef show(rdd):\n    {GROUPED}    {read}\nlines.foreachRDD(show)")
    ).new
    assert new in made
    assert ".rdd" not in made


@pytest.mark.parametrize(
    "read", ["counts.toDF(['a', 'b']).show()", "print(counts.first())", "print(counts.max())"]
)
def test_a_callback_does_not_take_that_for_the_keys(read: str) -> None:
    made = file(
        socket_program(f"import json\ndef show(rdd):\n    {GROUPED}    {read}\nlines.foreachRDD(show)")
    ).new
    assert "json_key" not in made


@pytest.mark.parametrize("library", ["ujson", "simplejson", "orjson", "rapidjson"])
def test_other_libraries_read_json_too(library: str) -> None:
    body = (
        f"import {library}\ntweets = lines.map({library}.loads).filter(lambda t: 'kind' in t)\n"
        f"tweets.map(lambda t: (t['kind'], 1)){ADDED}.pprint()"
    )
    new = str(file(socket_program(body)).new)
    assert f"t = {library}.loads(value)\n    return [json_key(t['kind'])] if 'kind' in t else []" in new
    assert ".rdd" not in new


def test_options_of_a_reader_may_give_other_numbers() -> None:
    body = (
        "import simplejson\ntweets = lines.map(lambda l: simplejson.loads(l, use_decimal=True))\n"
        f"tweets.map(lambda t: (t['kind'], 1)){ADDED}.pprint()"
    )
    assert ".rdd" in str(run(socket_program(body)).files[0].new)


@pytest.mark.parametrize(
    ("body", "new"),
    [
        (
            f'tweets.map(lambda t: ((t["kind"], t["id"]), 1)){ADDED}.pprint()',
            "for key, count in rows.take(10):\n    print((tuple(json.loads(key)), count))",
        ),
        (
            f'tweets.map(lambda t: ((t["kind"], len(t)), 1)){ADDED}.map(lambda p: p[0][1] + p[1]).pprint()',
            "tuple(json.loads(key))[1] + count",
        ),
        (
            'tweets.flatMap(lambda t: [(tag, t["id"]) for tag in t["tags"]]).countByValue().pprint()',
            "print((tuple(json.loads(value)), count))",
        ),
    ],
)
def test_tuples_of_such_parts_are_keys_too(body: str, new: str) -> None:
    text = str(file(socket_program(PARSED + body)).new)
    assert new.replace("\n", "\n    ") in text
    assert "def json_tuple_key(key):" in text
    assert ".rdd" not in text


@pytest.mark.parametrize(
    "key",
    [
        pytest.param('(t["kind"], t["n"] > 1)', id="a bool"),
        pytest.param('(t["kind"], 0.5 * len(t))', id="a float"),
        pytest.param('(t["kind"], [t["id"]])', id="a list"),
        pytest.param('(t["kind"], (t["id"], 1))', id="a tuple in a tuple"),
        pytest.param('Key(t["kind"], t["id"])', id="a namedtuple"),
    ],
)
def test_other_tuples_are_rdd_code(key: str) -> None:
    body = (
        f"from collections import namedtuple\nKey = namedtuple('Key', 'kind id')\n{PARSED}"
        f"tweets.map(lambda t: ({key}, 1)){ADDED}.pprint()"
    )
    assert ".rdd" in str(file(socket_program(body)).new)


@pytest.mark.parametrize(("key", "fits"), [(("a", 1, None), True), ((1.0, 2), False), ((1, True), False)])
def test_a_tuple_with_other_parts_fails(key: object, fits: bool) -> None:
    names: dict[str, Callable[[object], str]] = {}
    exec(f"import json\n{JSON_TUPLE}", names)
    if fits:
        assert tuple(json.loads(names["json_tuple_key"](key))) == key
    else:
        with pytest.raises(TypeError, match="expected texts, whole numbers or None"):
            names["json_tuple_key"](key)


PRICES = """\
import json

def parse(line):
    record = json.loads(line)
    {checked}return {made}

def sums(a, b):
    return a[0] + b[0], a[1] + b[1]

lines.map(parse).reduceByKey(sums).pprint()
{more}
"""
OF_PRICE = "record['symbol'], (float(record['price']), 1)"
FLAT = "only_text(record['symbol']), float(record['price']), 1"


def _prices(made: str = OF_PRICE, checked: str = "", more: str = "") -> str:
    body = PRICES.format(made=made, checked=checked, more=more)
    return str(file(socket_program(body), BEFORE_COLUMNS).new).replace('"', "'")


def test_a_function_that_nothing_else_calls_returns_the_key_beside_its_values() -> None:
    new = _prices()
    assert f"    return {FLAT}\n" in new
    assert "parse_udf = F.udf(parse, 'struct<symbol string, price double, count bigint>')\n" in new
    early = _prices(checked=f"if not line:\n        return {OF_PRICE}\n    ")
    assert early.count(f"return {FLAT}\n") == 2


@pytest.mark.parametrize(
    "changed",
    [
        pytest.param({"more": "print(parse('{}'))"}, id="something else calls it"),
        pytest.param(
            {"checked": "found = record['symbol'], (float(record['price']), 1)\n    ", "made": "found"}
        ),
    ],
)
def test_else_a_function_of_ours_takes_its_pair_apart(changed: dict[str, str]) -> None:
    new = _prices(**changed)
    assert FLAT not in new and "return (only_text(key), *values)" in new
