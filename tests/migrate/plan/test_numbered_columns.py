"""Columns that differ in a number alone are a comprehension."""

from __future__ import annotations

import pytest

from migrate.plan.numbered_columns import arguments
from tests.migrate.programs import file, flat, socket_program

PART = 'F.split("value", ",")[{}].cast("bigint").alias("field{}")'
NUMBERS = [PART.format(place, place + 1) for place in range(5)]
ALL = '[F.split("value", ",")[i].cast("bigint").alias(f"field{i + 1}") for i in range(5)]'


@pytest.mark.parametrize(
    ("columns", "code"),
    [
        (NUMBERS, ALL),
        (['"key"', *NUMBERS], f'"key", *{ALL}'),
        ([*NUMBERS, '"key"'], f'*{ALL}, "key"'),
        (
            [f'F.col("x")[{place}].alias("part{place}")' for place in range(2, 6)],
            '[F.col("x")[i].alias(f"part{i}") for i in range(2, 6)]',
        ),
        (
            [f'F.col("x")[{place}].alias("part{place - 1}")' for place in range(1, 5)],
            '[F.col("x")[i].alias(f"part{i - 1}") for i in range(1, 5)]',
        ),
    ],
)
def test_columns_in_a_row_are_a_comprehension(columns: list[str], code: str) -> None:
    assert arguments(columns) == code


@pytest.mark.parametrize(
    "columns",
    [
        [],
        ['"key"'],
        NUMBERS[:3],
        [*NUMBERS[:2], *NUMBERS[3:]],
        [PART.format(0, place) for place in range(5)],
        [text.replace("bigint", kind) for text, kind in zip(NUMBERS, ["int", "bigint"] * 3, strict=False)],
        [text.replace('","', "separator") for text in NUMBERS],
    ],
    ids=["none", "one", "few", "a gap", "one place", "other types", "a name of the program"],
)
def test_others_are_written_one_by_one(columns: list[str]) -> None:
    assert arguments(columns) == ", ".join(columns)


@pytest.mark.parametrize("quote", ['"', "'"])
def test_numbers_of_a_line(quote: str) -> None:
    body = 'lines.map(lambda l: l.split(",")).map(lambda p: (int(p[0]), int(p[1]), int(p[2]), int(p[3])))'
    new = file(socket_program(f"{body}.pprint()\nprint('a', 'b')\n" * 2).replace('"', quote)).new
    selected = 'select([F.col("value")[i].cast("bigint").alias(f"field{i+1}")foriinrange(4)])'
    assert selected in flat(new).replace("'", '"')
