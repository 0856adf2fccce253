"""Rows that `csv.reader` makes of a line, and namedtuples of them, as typed functions."""

from __future__ import annotations

import pytest

from tests.migrate.programs import file, flat, kafka_program, native_body, run, socket_program

BEFORE = """\
import csv
from collections import namedtuple
from io import StringIO
from typing import NamedTuple
Flight = namedtuple("Flight", ["origin", "dest", "delay"])
class Guest(NamedTuple):
    name: str
    age: int = 0
def rows(line):
    reader = csv.reader(StringIO(line))
    return list(reader)
def flight(line):
    return Flight(*next(csv.reader(StringIO(line))))
def pairs(line):
    for row in csv.reader(StringIO(line), delimiter=";"):
        yield row[0], float(row[1])
def late(line):
    row = line.split(",")
    return Flight(*row[:2], delay=float(row[2]))
"""
FLIGHT = '"struct<origin string, dest string, delay string>"'


@pytest.mark.parametrize(
    ("stream", "declared"),
    [
        ("lines.flatMap(rows).map(lambda row: row[0])", 'F.udf(rows, "array<array<string>>")'),
        (
            "lines.flatMap(pairs)",
            'F.udf(lambda value: list(pairs(value)), "array<struct<key string, value double>>")',
        ),
        (
            "lines.map(lambda line: list(csv.reader(StringIO(line)))[0])",
            'F.udf(lambda line: list(csv.reader(StringIO(line)))[0], "array<string>")',
        ),
        ("lines.map(flight).map(lambda one: one.dest)", f"F.udf(flight, {FLIGHT})"),
        (
            "lines.map(lambda line: Flight(*line.split(','))).map(lambda one: one.dest)",
            f"F.udf(lambda line: Flight(*line.split(',')), {FLIGHT})",
        ),
        (
            "lines.map(late).map(lambda one: one.dest)",
            'F.udf(late, "struct<origin string, dest string, delay double>")',
        ),
    ],
)
def test_rows_are_lists_of_texts(stream: str, declared: str) -> None:
    assert flat(declared) in flat(native_body(f"{BEFORE}{stream}.pprint()"))


def test_a_message_that_may_be_none_has_no_rows() -> None:
    body = f"{BEFORE}messages.map(lambda message: message[1]).flatMap(rows).map(lambda row: row[0]).pprint()"
    assert 'F.udf(rows, "array<array<string>>")' in str(file(kafka_program(body)).new)


@pytest.mark.parametrize(
    "made",
    [
        pytest.param("Guest(*line.split(','))", id="a field may be left out"),
        pytest.param("Flight(*line.split(','), *line.split(';'))", id="it is not known where they meet"),
        pytest.param("Flight(*line.split(','), 1, 2, 3, 4)", id="more than there are fields"),
        pytest.param("Flight(*line.split(','), **{'delay': 1.0})", id="names that are not written out"),
    ],
)
def test_other_arguments_are_not_guessed(made: str) -> None:
    body = f"{BEFORE}lines.map(lambda line: {made}).map(lambda one: one[0]).pprint()"
    assert ".rdd" in str(run(socket_program(body)).files[0].new)
