"""Rows of a typed function that all outputs are made of."""

from __future__ import annotations

import pytest

from tests.migrate.codemod.written import native_socket

CHAIN = "lines.map(lambda line: str(json.loads(line)['level'])){}.countByValue().pprint()\n"


def _written(body: str) -> str:
    return native_socket(f"import json\n{body}").replace("'", '"')


def test_they_are_computed_once_and_persisted() -> None:
    both = (CHAIN.format(f".filter(lambda v: '{letter}' in v)") for letter in "EW")
    new = _written("".join(both))
    assert new.count("F.udf(") == new.count('_udf("value")') == 1, new
    (made,) = [line.strip() for line in new.splitlines() if '_udf("value")' in line]
    variable = made.split(" = ")[0]
    assert made.startswith(f"{variable} = batch.select(") and made.endswith(".persist()")
    assert new.count(f"{variable}.where(") == 2
    assert f"    {variable}.unpersist()\n" in new and "batch.persist" not in new


@pytest.mark.parametrize(
    ("first", "other"),
    [
        pytest.param(CHAIN, "lines.count().pprint()\n", id="another output reads the batch"),
        pytest.param(CHAIN, CHAIN.replace("'level'", "'text'"), id="another function"),
        pytest.param("lines.map(len){}.pprint()\n", "lines.map(len).pprint()\n", id="no typed function"),
    ],
)
def test_but_not_where_outputs_are_made_of_other_rows(first: str, other: str) -> None:
    new = _written(
        first.format(".filter(lambda v: 'E' in str(v))") + other.format(".filter(lambda v: 'W' in v)")
    )
    assert "batch.persist()" in new


def test_functions_are_the_same_where_their_names_mean_the_same() -> None:
    lines = "lines.map(lambda line: str(json.loads(line)[{}])){}.pprint()\n"
    both = "key = 'a'\n" + lines.format("key", "") + lines.format("key", ".map(len)")
    assert _written(both).count("F.udf(") == 1
    other = "key, other = 'ab'\n" + lines.format("key", "") + lines.format("other", ".map(len)")
    assert _written(other).count("F.udf(") == 2
    inside = (
        "key = 'a'\n" + lines.format("key", "") + "def show(stream, key):\n    stream"
        ".map(lambda line: str(json.loads(line)[key])).pprint()\nshow(lines, 'b')\n"
    )
    assert _written(inside).count("F.udf(") != 1
