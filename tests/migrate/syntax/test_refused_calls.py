from __future__ import annotations

import ast

import pytest

from migrate.syntax.refused_calls import refused_calls


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("json.loads(text, encoding='utf-8')", "line 1: `json.loads` takes no `encoding`"),
        ("json.loads(text)", ""),
        ("other.loads(text, encoding='utf-8')", ""),
        ("df.write.mode('append').partitionBy('y').insertInto(t)", "line 1: `insertInto` raises"),
        ("df.write.mode('append').insertInto(t)", ""),
        ("df.write.partitionBy('y').saveAsTable(t)", ""),
    ],
)
def test_calls_that_raise_today_are_told_of(code: str, told: str) -> None:
    found = list(refused_calls(ast.parse(code), lambda line: f"line {line}"))
    assert [sentence[: len(told)] for sentence in found] == ([told] if told else [])
