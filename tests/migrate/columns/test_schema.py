"""Schemas of JSON that users give."""

from __future__ import annotations

import ast

import pytest

from migrate.columns.schema import parse_schema
from migrate.columns.shapes import Bool, Float, Int, List, Maybe, Str, Struct
from migrate.model import Options, Outcome
from tests.migrate.programs import kafka_program, native_body, run

NAMED = Options(json_schemas=(("events", "id BIGINT NOT NULL, user STRING"),))
BODY = "events = messages.map(lambda m: json.loads(m[1]))\n"


def test_types() -> None:
    found = parse_schema(
        "a BIGINT, b: string NOT NULL, c ARRAY<DOUBLE>, d struct<e: boolean not null, f int>"
    )
    assert found == Struct(
        (
            ("a", Maybe(Int())),
            ("b", Str()),
            ("c", Maybe(List(Maybe(Float())))),
            ("d", Maybe(Struct((("e", Bool()), ("f", Maybe(Int(-(2**31), 2**31 - 1, 32))))))),
        )
    )


@pytest.mark.parametrize("ddl", ["", "a", "a FLOAT", "a DECIMAL(1, 2)", "a MAP<STRING, INT>", "a INT, a INT"])
def test_what_is_no_schema(ddl: str) -> None:
    with pytest.raises(ValueError, match=r"type|twice"):
        parse_schema(ddl)


def test_fields_become_columns_where_the_user_names_the_stream() -> None:
    body = "import json\n" + BODY + 'events.map(lambda e: (e["user"], e["id"])).pprint()'
    code = ast.unparse(ast.parse(native_body(body, NAMED)))  # wherever its lines break
    assert "F.from_json('value'," in code
    assert "'id BIGINT NOT NULL, user STRING', {'mode': 'FAILFAST'}).alias('event')" in code
    guarded = "required(F.col('event.id'), 'id is null').alias('id')"
    assert f"events.select('event.user', {guarded})" in code
    result = run(kafka_program(body), NAMED)
    assert [site.operator for site in result.sites if not site.safe] == ["map"]
    assert "json.loads" in native_body(body), "without a schema it is RDD code"


@pytest.mark.parametrize(
    ("rest", "why"),
    [
        ("events.pprint()", "JSON objects of --json-schema"),
        ("events.foreachRDD(lambda rdd: print(rdd.count()))", "JSON objects of --json-schema"),
        ('events.map(lambda e: e["age"]).pprint()', "the key 'age' is not in --json-schema"),
        ('events.filter(lambda e: "user" in e).map(lambda e: e["id"]).pprint()', "JSON objects of"),
    ],
)
def test_objects_do_not_leave_the_columns(rest: str, why: str) -> None:
    (graph,) = run(kafka_program("import json\n" + BODY + rest), NAMED).graphs
    assert graph.outcome is Outcome.COMPAT
    assert why in graph.reasons[0]
