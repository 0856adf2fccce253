"""JSON of which nothing was learnt, as columns: what a program does with its parts says their types."""

from __future__ import annotations

import ast

import pytest

from migrate.columns import Scope, column_named, compile_map, leaves
from migrate.columns.json_values import BARE
from migrate.columns.shapes import Str
from migrate.knowledge.spark_version import SparkVersion
from migrate.model import Options
from tests.migrate.programs import file, flat, native_body, run, socket_program

PARSED = "import json\ntweets = lines.map(json.loads)\n"
ADDED = ".reduceByKey(lambda a, b: a + b).pprint()"
COUNTED = ".countByValue().pprint()"


@pytest.mark.parametrize(
    ("body", "new"),
    [
        (
            f'tweets.map(lambda t: (t["user"]["screen_name"], 1)){ADDED}',
            'json_text("tweet", "$.user.screen_name").alias("screen_name")',
        ),
        (
            f'tweets.map(lambda t: t.get("lang")){COUNTED}',
            'json_text("tweet", "$.lang").alias("lang")',
        ),
        (
            f'tweets.flatMap(lambda t: t["text"].split(" ")){COUNTED}',
            'F.explode(F.split(F.variant_get("tweet", "$.text", "string"), " "))',
        ),
        (
            'tweets.map(lambda t: (int(t["n"]), float(t["a.b"]))).pprint()',
            'F.variant_get("tweet", "$.n", "bigint").alias("n"), '
            'F.variant_get("tweet", "$[\'a.b\']", "double")',
        ),
        (
            f'tweets.filter(lambda t: t["lang"] == "en").map(lambda t: (t["city"], 1)){ADDED}',
            '.where(F.variant_get("tweet", "$.lang", "string").eqNullSafe("en"))',
        ),
        (
            f'tweets.flatMap(lambda t: [h["text"] for h in t["tags"]]){COUNTED}',
            'select(F.explode(F.variant_get("tweet", "$.tags", "array<variant>")).alias("value")).groupBy('
            'json_text("value", "$.text").alias("text"))',
        ),
        (
            'tweets.filter(lambda t: t["n"] > 5).map(lambda t: int(t["n"])).pprint()',
            '.where(F.variant_get("tweet", "$.n", "double") > 5)',
        ),
        (
            'tweets.filter(lambda t: t["user"] is not None).map(lambda t: float(t["x"])).pprint()',
            '.where(F.variant_get("tweet", "$.user", "string").isNotNull())',
        ),
        (
            "tweets.map(lambda t: float(t[0]['price'])).pprint()",
            'F.variant_get("tweet", "$[0].price", "double")',
        ),
    ],
)
def test_uses_say_the_types_of_its_parts(body: str, new: str) -> None:
    result = run(socket_program(PARSED + body))
    text = flat(result.files[0].new).replace('F.parse_json("value")', '"tweet"')
    assert flat(new) in text
    assert ".rdd" not in text and "udf" not in text
    assert BARE in result.graphs[0].notes


def test_a_note_says_that_an_int_keeps_digits_which_a_float_has_not() -> None:
    notes = run(socket_program(f'{PARSED}tweets.map(lambda t: int(t["n"])).pprint()')).graphs[0].notes
    assert any("keeps all digits" in note for note in notes)


def test_a_list_holds_the_parts_and_not_what_they_are_read_of() -> None:
    scope = Scope(imports={"json": "json"}, has_variant=True, bare_variants=True)
    function = ast.parse('lambda v: [h["text"] for h in json.loads(v)["tags"]]', mode="eval").body
    (made,) = leaves(compile_map(function, [column_named("value", Str())], scope).element)
    assert made.code.endswith('lambda h: F.variant_get(h, "$.text", "variant"))')


def test_what_several_outputs_read_is_parsed_once() -> None:
    words = f'tweets.flatMap(lambda t: t["text"].split()){COUNTED}\n'
    body = f'{PARSED}{words}tweets.map(lambda t: t["lang"]){COUNTED}'
    new = file(socket_program(body)).new
    assert 'tweets = batch.select(F.parse_json("value").alias("tweet")).persist()\n' in new
    assert new.count("parse_json") == 1


def test_a_function_that_reads_several_values_parses_once() -> None:
    body = (
        "import json\n"
        "def pair(line):\n    record = json.loads(line)\n"
        '    return record.get("symbol"), (float(record.get("price")), 1)\n'
        "lines.map(pair).reduceByKey(lambda a, b: (a[0] + b[0], a[1] + b[1])).pprint()"
    )
    new = native_body(body)
    assert 'batch.select(F.parse_json("value").alias("record"))' in new
    assert new.count("parse_json") == 1


def test_bytes_of_a_text_are_read_as_the_text_that_they_are() -> None:
    body = 'tweets = lines.map(lambda l: json.loads(l.encode("ascii", "ignore")))\n'
    new = native_body(f'import json\n{body}tweets.map(lambda t: t["lang"]){COUNTED}')
    assert r'F.parse_json(F.regexp_replace("value", r"[^\x00-\x7F]", ""))' in new


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(f'tweets.map(lambda t: t["id"]){COUNTED}', id="a key that is no text by its name"),
        pytest.param('tweets.map(lambda t: t["text"]).pprint()', id="a value of any type"),
        pytest.param('tweets.filter(lambda t: t["n"] == "7").count().pprint()', id="a number has that text"),
        pytest.param(
            'tweets.filter(lambda t: t["n"] > 2**53).count().pprint()', id="no double has the next one"
        ),
        pytest.param('tweets.filter(lambda t: "user" in t).count().pprint()', id="perhaps a list"),
        pytest.param('tweets.filter(lambda t: t["ok"]).count().pprint()', id="its truth"),
        pytest.param("tweets.map(lambda t: float(t[0])).pprint()", id="perhaps a character of a text"),
        pytest.param("tweets.map(lambda t: float(t[-1]['x'])).pprint()", id="an item from the end"),
        pytest.param('tweets.map(lambda t: float(t.get("x", 0))).pprint()', id="a default"),
        pytest.param(
            f'tweets.map(lambda t: t["a"] if t["lang"] == "en" else None).map(float){COUNTED}',
            id="a part or None",
        ),
        pytest.param("tweets.count().pprint()", id="nothing is read"),
        pytest.param(
            f'tweets.map(lambda t: t["lang"]){COUNTED}\ntweets.map(lambda t: t["text"]).pprint()',
            id="a part elsewhere",
        ),
    ],
)
def test_else_all_json_is_python_s(body: str) -> None:
    result = run(socket_program(PARSED + body))
    assert "parse_json" not in str(result.files[0].new)
    assert BARE not in result.graphs[0].notes


@pytest.mark.parametrize(
    "options", [Options(spark=SparkVersion.parse("4.2.0")), Options(strict=True)], ids=["4.2", "strict"]
)
def test_it_needs_a_spark_that_takes_no_other_json(options: Options) -> None:
    body = f'{PARSED}tweets.map(lambda t: t["lang"]){COUNTED}'
    assert "parse_json" not in str(file(socket_program(body), options).new)
