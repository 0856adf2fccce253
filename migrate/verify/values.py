"""Records as data: an encoding that both sides share, and the canonical order of an unordered result.

A record of an RDD and a row of a DataFrame with the same values encode alike: a `Row` is a tuple. Types
count: 3, 3.0 and True are three values, as their printed forms are.
"""

from __future__ import annotations

import datetime
import decimal
import json
import re
from collections.abc import Mapping, Set
from typing import Any

Json = Any
_ADDRESS = re.compile(r"\bat 0x[0-9a-f]+")


def encode(value: Any) -> Json:
    """`value` as JSON that keeps the types Python prints differently; dicts and sets in canonical order."""
    if value is None or isinstance(value, (bool, str)):
        return value
    if type(value) is int:
        return value
    if type(value) is float:
        return {"float": repr(value)}
    if isinstance(value, tuple):
        return {"tuple": [encode(item) for item in value]}
    if isinstance(value, list):
        return [encode(item) for item in value]
    return _encode_other(value)


def _encode_other(value: Any) -> Json:
    if isinstance(value, (bytes, bytearray, memoryview)):
        return {"bytes": bytes(value).hex()}
    if isinstance(value, decimal.Decimal):
        return {"decimal": str(value)}
    if isinstance(value, (datetime.datetime, datetime.date)):
        return {type(value).__name__: str(value)}
    if isinstance(value, Mapping):
        return {"dict": sorted(([encode(k), encode(v)] for k, v in value.items()), key=_text)}
    if isinstance(value, Set):
        return {"set": sorted((encode(item) for item in value), key=_text)}
    if type(value).__name__ == "ResultIterable":
        # What groupByKey yields; its order is that of the shuffle.
        return {"group": sorted((encode(item) for item in value), key=_text)}
    return {type(value).__qualname__: _ADDRESS.sub("at 0x", repr(value))}


def leaves(encoded: Json) -> list[Json]:
    """The values of a record without its tuples: (("a", 1), 2) and the row a, 1, 2 have the same."""
    if isinstance(encoded, dict) and "tuple" in encoded:
        return [leaf for item in encoded["tuple"] for leaf in leaves(item)]
    return [encoded]


def sort_key(value: Any) -> tuple[list[str], ...]:
    """Where a record stands in the canonical order: by its values whatever their places, then by places.

    (3, "a") of the old program and the row a, 3 of the new one thus stand at the same place, so that a loop
    which prints the parts prints the same lines. So do a text and its JSON, which such a loop reads.
    """
    plain = leaves(encode(value))
    parts = [_text(_of_json(leaf)) for leaf in plain]
    return sorted(parts), parts, list(map(_text, plain))


def _of_json(leaf: Json) -> Json:
    """The text that a text is the JSON of, as `json.dumps` writes it; else the same."""
    while isinstance(leaf, str) and leaf.startswith('"'):
        try:
            value = json.loads(leaf)
        except ValueError:
            break
        if json.dumps(value) != leaf:
            break
        leaf = value
    return leaf


def readable(encoded: Json) -> str:
    """An encoded value as Python would print it, for reports."""
    if isinstance(encoded, dict):
        ((kind, inside),) = encoded.items()
        if kind == "tuple":
            items = [readable(item) for item in inside]
            return f"({items[0]},)" if len(items) == 1 else f"({', '.join(items)})"
        if kind in ("float", "decimal", "datetime", "date"):
            return str(inside)
        if kind == "dict":
            return "{" + ", ".join(f"{readable(k)}: {readable(v)}" for k, v in inside) + "}"
        if kind in ("set", "group"):
            return "{" + ", ".join(map(readable, inside)) + "}"
        return f"b'{inside}'" if kind == "bytes" else str(inside)
    if isinstance(encoded, list):
        return "[" + ", ".join(map(readable, encoded)) + "]"
    return repr(encoded)


def _text(encoded: Json) -> str:
    return json.dumps(encoded, sort_keys=True, ensure_ascii=False)
