"""Ones of pairs that are summed by key: no column holds them."""

from __future__ import annotations

import pytest

from tests.migrate.programs import flat, native_body

LOWER = "lines.map(lambda x: (x.lower(), 1)).filter(lambda p: len(p[0]) > 3)"
SUM = "lambda a, b: a + b"


@pytest.mark.parametrize(
    "summed",
    [
        pytest.param(f"{LOWER}.reduceByKey({SUM})", id="of a batch"),
        pytest.param(f"{LOWER}.reduceByKeyAndWindow({SUM}, None, 4, 2)", id="of a window"),
        pytest.param(f"{LOWER}.filter(lambda p: 'a' in p[0]).reduceByKey({SUM})", id="past two"),
        pytest.param(
            f"lines.map(lambda x: ('old' if float(x) < time.time() else 'new', 1)).reduceByKey({SUM})",
            id="of what the clock says",
        ),
    ],
)
def test_a_number_of_rows_needs_no_column_of_ones(summed: str) -> None:
    body = flat(native_body(f"import time\n{summed}.pprint()"))
    assert ".count()" in body and "F.lit(1)" not in body


def test_ones_that_something_else_reads_are_one() -> None:
    assert "F.lit(1)" in native_body(f"{LOWER}.pprint()")
