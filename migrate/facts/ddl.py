"""The type of dicts as the schema of JSON objects, for ``--json-schema``."""

from __future__ import annotations

import re

from migrate.facts.types import INTS, ITEM, RECORD, ROOT, Part, Type

_PLAIN = {"str": "STRING", "float": "DOUBLE", "bool": "BOOLEAN", **dict.fromkeys(INTS[:2], "BIGINT")}
_NAME = re.compile(r"\.(\w+)")


def ddl_of(fact: Type) -> str | None:
    """The schema of elements that are dicts; None for others.

    A key is left out if its values are of several types, or of one that no column holds exactly.

    >>> parts = {"element": "dict", "element.n": "int53", "element.s": "None | str"}
    >>> ddl_of({path: Part.parse(kinds) for path, kinds in parts.items()})
    'n BIGINT NOT NULL, s STRING'
    """
    return _fields(fact, ROOT, " ") if fact[ROOT].kinds == {RECORD} else None


def _fields(fact: Type, path: str, between: str) -> str | None:
    """The fields of a dict; None if there is none."""
    names = {match[1] for own in fact if own.startswith(path) and (match := _NAME.match(own, len(path)))}
    fields = []
    for name in sorted(names):
        part: Part | None = fact.get(f"{path}.{name}")
        type_ = _type(fact, f"{path}.{name}")
        if part is not None and type_ is not None:
            sure = "" if part.optional or "None" in part.kinds else " NOT NULL"
            fields.append(f"{name}{between}{type_}{sure}")
    return ", ".join(fields) or None


def _type(fact: Type, path: str) -> str | None:
    """The SQL type of a part; None if it has none of its own."""
    part = fact.get(path)
    kinds = part.kinds - {"None"} if part is not None else set()
    if len(kinds) != 1:
        return None
    (kind,) = kinds
    if kind == RECORD:
        fields = _fields(fact, path, ": ")
        return None if fields is None else f"STRUCT<{fields}>"
    if kind == "list":
        item = _type(fact, path + ITEM)
        return None if item is None else f"ARRAY<{item}>"
    return _PLAIN.get(kind)
