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
FIELDS = ("origin", "dest", "delay")
Trip = namedtuple("Trip", FIELDS)
KEPT = ["a", "b", "1"]
def parsed(row):
    row[FIELDS.index("delay")] = float(row[FIELDS.index("delay")])
    return Trip(*row)
def trips(rows):
    return [parsed(row) for row in rows if len(row) > 2]
def both(rows):
    return [(parsed(row), row[2]) for row in rows]
def twice(rows):
    return [parsed(row) for row in rows for _ in range(2)]
def later(rows):
    found = (row[2] for row in rows)
    made = [parsed(row) for row in rows]
    return [float(one) + 1 for one in found]
def again(rows):
    found = []
    row = ["a", "b", "1"]
    for text in rows:
        if text:
            row = text[0].split()
        found.append(parsed(row))
    return found
def alike(line):
    row = line.split(",")
    return [row, row]
def kept(line):
    return [KEPT for _ in line]
def in_loop(rows):
    made = []
    for row in rows:
        row[2] = float(row[2])
        made.append(Trip(*row))
    return made
def and_rows(rows):
    for row in rows:
        row[2] = float(row[2])
    return rows
"""
TRIP = '"struct<origin string, dest string, delay double>"'
TRIPS = '"array<struct<origin string, dest string, delay double>>"'
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


@pytest.mark.parametrize(
    ("stream", "declared"),
    [
        ("lines.map(rows).flatMap(trips)", f"F.udf(lambda value: trips(rows(value)), {TRIPS})"),
        ("lines.map(rows).flatMap(in_loop)", f"F.udf(lambda value: in_loop(rows(value)), {TRIPS})"),
        (
            "lines.map(lambda line: parsed(line.split(',')))",
            f"F.udf(lambda line: parsed(line.split(',')), {TRIP})",
        ),
        (
            "lines.flatMap(lambda line: list(map(parsed, rows(line))))",
            f"F.udf(lambda line: list(map(parsed, rows(line))), {TRIPS})",
        ),
    ],
)
def test_a_row_that_nothing_else_holds_may_be_changed(stream: str, declared: str) -> None:
    body = f"{BEFORE}{stream}.map(lambda one: (one.dest, one.delay)).pprint()"
    assert flat(declared) in flat(native_body(body))


@pytest.mark.parametrize(
    "stream",
    [
        pytest.param("lines.map(rows).flatMap(both)", id="read after it was given away"),
        pytest.param("lines.map(rows).flatMap(twice)", id="given away twice"),
        pytest.param("lines.map(rows).flatMap(later)", id="a generator reads it then"),
        pytest.param("lines.map(rows).flatMap(again)", id="one of another turn"),
        pytest.param("lines.map(rows).flatMap(and_rows)", id="the list of rows is read again"),
        pytest.param("lines.map(alike).flatMap(trips)", id="there twice"),
        pytest.param("lines.map(kept).flatMap(trips)", id="held by the module"),
    ],
)
def test_a_row_that_is_seen_elsewhere_may_not(stream: str) -> None:
    text = str(run(socket_program(f"{BEFORE}{stream}.map(lambda one: one[0]).pprint()")).files[0].new)
    assert ".rdd" in text


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
