"""Items of lists in JSON, of no known type: rows of their JSON are printed, counted and collected."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from migrate.plan.typed.json_items import JSON_TEXT
from tests.migrate.programs import native_body

TAGS = 'import json\ntags = lines.map(json.loads).flatMap(lambda t: t["tags"])\n'
ROWS = 'batch.select(F.explode(tags_udf("value")).alias("value"))'


@pytest.mark.parametrize(
    ("output", "new"),
    [
        (
            "tags.pprint()",
            f"tags = {ROWS}\nfor (value,) in tags.take(10):\n    print(json.loads(value))",
        ),
        (
            'tags.map(lambda t: (t["a"], t["b"])).pprint(3)',
            f"rows = {ROWS}\nfor (value,) in rows.take(3):\n    t = json.loads(value)\n"
            '    print((t["a"], t["b"]))',
        ),
        (
            "tags.foreachRDD(lambda rdd: print(rdd.collect()))",
            f"tags = {ROWS}\nprint([json.loads(value) for (value,) in tags.collect()])",
        ),
        (
            "tags.count().pprint()",  # a list is all that it must be
            'F.explode(F.variant_get("value", "$.tags", "array<variant>")).alias("tag")',
        ),
    ],
)
def test_a_row_holds_the_json_of_an_item(output: str, new: str) -> None:
    assert new in native_body(TAGS + output)


def test_rows_that_several_read_are_made_once() -> None:
    new = native_body(f"{TAGS}tags.count().pprint()\ntags.pprint()\ntags.map(str).pprint()")
    assert new.count(ROWS) == 1 and f"tags = {ROWS}" in new
    assert "print(tags.count())" in new
    assert "for (value,) in tags.take(10):\n    print(json.loads(value))" in new


def test_filters_leave_items_out_where_they_are_made() -> None:
    new = native_body(f'{TAGS}tags.filter(lambda t: t["n"] > 1).pprint()')
    assert '[json_text(t) for t in json.loads(value)["tags"] if t["n"] > 1]' in new


@pytest.mark.parametrize(
    "output",
    [
        'lines.map(json.loads).flatMap(lambda t: [(t["a"], t)]).foreachRDD(lambda r: print(r.collect()))',
        "tags.foreachRDD(lambda rdd: rdd.toDF().show())",
    ],
)
def test_rdd_code_makes_items_that_are_no_json_or_go_elsewhere(output: str) -> None:
    new = native_body(TAGS + output)
    assert "json_text" not in new
    assert ".rdd.map(" in new


@pytest.fixture
def json_text() -> Callable[[object], str]:
    names: dict[str, Callable[[object], str]] = {}
    exec(JSON_TEXT, {"json": json}, names)
    return names["json_text"]


@pytest.mark.parametrize(
    "value", [1, 1.0, True, None, "\u96ea\ud83d", 2**70, -0.0, float("nan"), [{"a": [1e300, {}]}], {}]
)
def test_a_value_comes_back(value: object, json_text: Callable[[object], str]) -> None:
    assert repr(json.loads(json_text(value))) == repr(value)


@pytest.mark.parametrize("value", [(1, 2), {"a": (1,)}, {1: 2}, {1}, b"a"])
def test_another_value_fails(value: object, json_text: Callable[[object], str]) -> None:
    with pytest.raises(TypeError):
        json_text(value)
