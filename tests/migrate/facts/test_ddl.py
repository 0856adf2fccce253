"""Types as the schemas of JSON objects."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from migrate.columns.schema import parse_schema
from migrate.facts.ddl import ddl_of
from tests.migrate.facts.values import KEYS, type_of

JSON: st.SearchStrategy[Any] = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=3)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(KEYS, inner, max_size=3)),
    max_leaves=8,
)


@pytest.mark.parametrize(
    ("texts", "ddl"),
    [
        (['{"n": 1, "s": "x"}'], "n BIGINT NOT NULL, s STRING NOT NULL"),
        (['{"n": 1}', '{"n": null}'], "n BIGINT"),
        (['{"n": 1, "f": 1.5}', '{"n": 2}'], "f DOUBLE, n BIGINT NOT NULL"),
        (
            ['{"user": {"name": "x", "id": 7}}'],
            "user STRUCT<id: BIGINT NOT NULL, name: STRING NOT NULL> NOT NULL",
        ),
        (['{"tags": ["x"], "none": []}'], "tags ARRAY<STRING> NOT NULL"),
        (['{"n": 1, "mixed": 1}', '{"n": 1, "mixed": "1"}'], "n BIGINT NOT NULL"),
        (['{"n": 1, "mixed": 1}', '{"n": 1, "mixed": 1.0}'], "n BIGINT NOT NULL"),
        (['{"n": 100000000000000000000, "user name": 1}'], None),
        (['{"n": 1}', "7"], None),
        (['[{"n": 1}]'], None),
    ],
)
def test_a_key_with_one_type_that_a_column_has_is_a_field(texts: list[str], ddl: str | None) -> None:
    assert ddl_of(type_of(map(json.loads, texts))) == ddl


@given(st.lists(JSON, min_size=1, max_size=3))
def test_rewrite_can_read_it(values: list[Any]) -> None:
    ddl = ddl_of(type_of(values))
    if ddl is not None:
        assert parse_schema(ddl).fields
