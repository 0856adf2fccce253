"""The support table says what is there."""

from __future__ import annotations

import pytest

from tests.compat.support import README, Row, table, with_table


def test_the_table_is_of_now() -> None:
    text = README.read_text(encoding="utf-8")
    assert text == with_table(text), "write it anew: python -m tests.compat.support"


@pytest.mark.parametrize("row", table(), ids=lambda row: f"{row.owner.__name__}.{row.name}")
def test_every_member_is_used_in_a_test_and_every_lack_has_a_note(row: Row) -> None:
    assert row.tests, f"no test uses {row.name}"
    assert all(row.has(engine) or engine in row.notes for engine in ("rdd", "structured"))
