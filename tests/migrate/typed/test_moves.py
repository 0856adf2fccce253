"""Lists that a function fills before it puts them into another value, and does not read again."""

from __future__ import annotations

import pytest

from tests.migrate.programs import native_body

FUNCTION = """\
def pieces(line):
    rows = []
    kept = []
    for part in line.split(";"):
        {body}
    {end}
"""
ROW = "row = []\n        row.append(part.title())\n        "


def _is_typed(body: str, end: str = "return rows") -> bool:
    new = native_body(FUNCTION.format(body=body, end=end) + "lines.flatMap(pieces).map(len).pprint()")
    return "pieces_udf" in new or "F.udf" in new


@pytest.mark.parametrize(
    ("body", "end"),
    [
        (f"{ROW}rows.append(row)", "return rows"),
        (f"{ROW}if row:\n            rows.append(row)", "return rows"),
        (f"{ROW}first = row[0]\n        rows.append([first, *row])", "return rows"),
        ("kept.append(part.title())", "rows.append(kept)\n    return rows"),
        ("kept.append(part.title())", "return [kept]"),
    ],
)
def test_a_list_that_is_given_away_at_last_may_be_filled(body: str, end: str) -> None:
    assert _is_typed(body, end)


@pytest.mark.parametrize(
    ("body", "end"),
    [
        pytest.param("row = []\n        rows.append(row)\n        row.append(1)", "return rows", id="later"),
        pytest.param(f"{ROW}rows.append(row)\n        rows.append(row)", "return rows", id="twice"),
        pytest.param("kept.append(1)\n        rows.append(kept)", "return rows", id="of another turn"),
        pytest.param(
            "kept.append(part)", "rows.append(kept)\n    kept.append(1)\n    return rows", id="after"
        ),
        pytest.param(
            f"{ROW}more = (one for one in row)\n        rows.append(row)", "return rows", id="a generator"
        ),
    ],
)
def test_one_that_is_read_again_may_not(body: str, end: str) -> None:
    assert not _is_typed(body, end)
