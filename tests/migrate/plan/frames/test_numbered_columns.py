"""Columns that differ in a number alone are a comprehension."""

from __future__ import annotations

import ast

import pytest

from migrate.columns import Element, Scope, column_named, compile_map, name_columns, projection, renamed
from migrate.columns.guards import Guards
from migrate.columns.pieces import written_out
from migrate.columns.shapes import List, Str
from migrate.plan.frames.numbered_columns import arguments
from tests.migrate.programs import file, flat, socket_program

ANSI = Scope(guards=Guards.ANSI)
LINE, PARTS = column_named("value", Str()), column_named("x", List(Str()))
INTS = '[F.split("value", ",")[i].cast("bigint").alias(f"field{i + 1}") for i in range(5)]'


def element(function: str, given: Element = LINE, names: str = "") -> Element:
    """What a function makes of a line, or of its parts, under some names."""
    node = ast.parse(function, mode="eval").body
    assert isinstance(node, ast.Lambda)
    made = name_columns(compile_map(node, [given], ANSI).element)
    return renamed(made, names.split()) if names else made


def ints(*places: int, of: str = "s.split(',')", rest: str = "") -> Element:
    """Whole numbers at some places of a line."""
    return element(f"lambda s: ({', '.join(f'int({of}[{place}])' for place in places)}{rest})")


@pytest.mark.parametrize(
    ("made", "kept", "code"),
    [
        (ints(0, 1, 2, 3, 4), (), INTS),
        (ints(0, 1, 2, 3, 4), ("key",), f'"key", *{INTS}'),
        (ints(0, 1, 2, 3, 4, rest=", s"), (), f'*{INTS}, "value"'),
        (
            element("lambda x: (x[2], x[3], x[4], x[5])", PARTS, "part2 part3 part4 part5"),
            (),
            '[F.col("x")[i].alias(f"part{i}") for i in range(2, 6)]',
        ),
        (
            element("lambda x: (x[1], x[2], x[3], x[4])", PARTS, "part0 part1 part2 part3"),
            (),
            '[F.col("x")[i].alias(f"part{i - 1}") for i in range(1, 5)]',
        ),
    ],
    ids=["all", "below a key", "above another", "from the third on", "numbers from 0"],
)
def test_columns_in_a_row_are_a_comprehension(made: Element, kept: tuple[str, ...], code: str) -> None:
    assert written_out(arguments(made, kept)) == code


@pytest.mark.parametrize(
    "made",
    [
        element("lambda s: s"),
        ints(0, 1, 2),
        ints(0, 1, 3, 4, 5),
        ints(0, 0, 0, 0, 0),
        element("lambda s: (int(s.split(',')[0]), s.split(',')[1], int(s.split(',')[2]), s.split(',')[3])"),
        ints(0, 1, 2, 3, of="[i.strip() for i in s.split(',')]"),
        element("lambda x: (x[1], x[2], x[3], x[4])", PARTS, "part01 part02 part03 part04"),
        element("lambda x: (x[1], x[2], x[3], x[4])", PARTS, "first second third fourth"),
    ],
    ids=["one", "few", "a gap", "one place", "types", "a variable i", "zeros", "no numbers"],
)
def test_others_are_written_one_by_one(made: Element) -> None:
    assert arguments(made) == ", ".join(projection(made))


@pytest.mark.parametrize("quote", ['"', "'"])
def test_numbers_of_a_line(quote: str) -> None:
    body = 'lines.map(lambda l: l.split(",")).map(lambda p: (int(p[0]), int(p[1]), int(p[2]), int(p[3])))'
    new = file(socket_program(f"{body}.pprint()\nprint('a', 'b')\n" * 2).replace('"', quote)).new
    selected = 'select([F.col("value")[i].cast("bigint").alias(f"field{i+1}")foriinrange(4)])'
    assert selected in flat(new).replace("'", '"')


def test_names_with_zeros_stay() -> None:
    names = '["x01", "x02", "x03", "x04"]'
    body = 'lines.map(lambda l: l.split(",")).map(lambda p: (p[0], p[1], p[2], p[3])).foreachRDD(save)'
    save = f"def save(rdd):\n    rdd.toDF({names}).show()\n"
    new = flat(file(socket_program(save + body)).new)
    assert "range(" not in new
    assert 'F.col("value")[0].alias("x01")' in new
