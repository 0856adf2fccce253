"""Schemas that users give for JSON, in Spark's DDL: ``id BIGINT, user STRUCT<name STRING NOT NULL>``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrate.columns.shapes import INT32_MAX, INT32_MIN, Bool, Float, Int, List, Maybe, Shape, Str, Struct

_SIMPLE: dict[str, Shape] = {
    "string": Str(),
    "int": Int(INT32_MIN, INT32_MAX, 32),
    "integer": Int(INT32_MIN, INT32_MAX, 32),
    "bigint": Int(),
    "long": Int(),
    "double": Float(),
    "boolean": Bool(),
}
_FIELD = re.compile(r"\s*(\w+)\s*(?::|\s)\s*(.+?)\s*", re.DOTALL)
_NOT_NULL = re.compile(r"(.*\S)\s+not\s+null", re.DOTALL | re.IGNORECASE)
_NESTED = re.compile(r"(array|struct)\s*<(.*)>", re.DOTALL | re.IGNORECASE)


def parse_schema(ddl: str) -> Struct:
    """The shape of an object with this schema; a field may be None unless it says ``NOT NULL``.

    Raises:
        ValueError: it is no list of fields, or has a type that Python's JSON has not.
    """
    fields = []
    for part in _parts(ddl):
        match = _FIELD.fullmatch(part)
        if match is None:
            raise ValueError(f"{part.strip()!r} is not a name and a type")
        fields.append((match[1], _of(match[2])))
    if len({name for name, _ in fields}) < len(fields):
        raise ValueError("a field is there twice")
    return Struct(tuple(fields))


def _of(text: str) -> Shape:
    sure = _NOT_NULL.fullmatch(text)
    shape = _shape(sure[1] if sure else text)
    return shape if sure else Maybe(shape)


def _shape(text: str) -> Shape:
    nested = _NESTED.fullmatch(text.strip())
    if nested is not None:
        return List(Maybe(_shape(nested[2]))) if nested[1].lower() == "array" else parse_schema(nested[2])
    shape = _SIMPLE.get(text.strip().lower())
    if shape is None:
        raise ValueError(f"{text.strip()!r} is none of the types {', '.join(_SIMPLE)}, array<> and struct<>")
    return shape


def _parts(text: str) -> Iterator[str]:
    """`text` at its commas, those in angle brackets left out."""
    depth, start = 0, 0
    for place, letter in enumerate(text):
        depth += (letter == "<") - (letter == ">")
        if letter == "," and not depth:
            yield text[start:place]
            start = place + 1
    yield text[start:]
