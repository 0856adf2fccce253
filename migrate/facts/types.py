"""The types of a fact: for each part of an element, the kinds of values that were seen there.

A part is a path: ``element`` is the whole, ``element.user`` the value of a dict's key, ``element[0]`` an item
of a tuple or of a namedtuple, whose kind names its fields, ``element[]`` any item of a list or set,
``element{}`` any value of a dict that is keyed by data, and ``element{key}`` any key of it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

ROOT = "element"
INTS = ("int53", "int64", "int")
"""Ints that a double holds exactly, that 64 bits hold, and any: each is part of the next."""
RECORD, MAP = "dict", "map"
"""A dict with the keys of a program, and one whose keys are data."""
ITEM, VALUE, KEY = "[]", "{}", "{key}"
_KEY_OF_RECORD = re.compile(r'\.\w+|\["(?:[^"\\]|\\.)*"\]')
_KIND = re.compile(r"[A-Za-z_<][\w.<>]*(?: \d+|\([\w, ]*\))?")


@dataclass(frozen=True)
class Part:
    """What one part of the elements is.

    Attributes:
        kinds: the kinds of its values.
        optional: whether it is a key that some dicts have not.
    """

    kinds: frozenset[str]
    optional: bool = False

    def __str__(self) -> str:
        return " | ".join(sorted(self.kinds))

    @classmethod
    def parse(cls, text: str, *, optional: bool = False) -> Part:
        """The part with these kinds, ``None | str``.

        Raises:
            ValueError: the text names no kinds.
        """
        kinds = [kind.strip() for kind in text.split("|")]
        for kind in kinds:
            if not _KIND.fullmatch(kind):
                raise ValueError(f"{kind!r} is no type")
        return cls(_plain(frozenset(kinds)), optional)


Type = Mapping[str, Part]
"""The parts of an element by their paths."""


def key_of(name: str) -> str:
    """The end of a path, for a key of a dict or a field."""
    return f".{name}" if re.fullmatch(r"\w+", name) else f"[{json.dumps(name, ensure_ascii=False)}]"


def int_kind(value: int) -> str:
    """The narrowest kind of an int."""
    if -(2**53) <= value <= 2**53:
        return INTS[0]
    return INTS[1] if -(2**63) <= value < 2**63 else INTS[2]


def join(left: Type, right: Type) -> dict[str, Part]:
    """The type of values of both types.

    A key that one of them has no dict with is optional; a dict that one of them has by data is by data.
    """
    before: tuple[Type, ...] = ()
    while before != (left, right):  # where dicts are by data, others meet
        before = left, right
        left = _as_maps_of(left, right)
        right = _as_maps_of(right, left)
    found = {}
    for path in {**left, **right}:
        one, other = left.get(path), right.get(path)
        if one is not None and other is not None:
            found[path] = Part(_plain(one.kinds | other.kinds), one.optional or other.optional)
            continue
        known, without = (one, right) if one is not None else (other, left)
        assert known is not None
        above = _record_of(path)
        lacks = above is not None and above in without and RECORD in without[above].kinds
        found[path] = Part(known.kinds, known.optional or lacks)
    return found


def contradictions(fact: Type, seen: Type) -> Iterator[tuple[str, str, str]]:
    """The parts that were not as a fact says: their paths, the fact, and what they were."""
    for path, part in sorted(join(fact, seen).items()):
        known, came = fact.get(path), seen.get(path)
        if known == part:
            continue
        if came is None:
            yield path, str(known or part), "not in every dict"
        elif known is None:
            if _beginning(path) in fact:
                yield path, "not there", str(came)
        elif came.kinds <= known.kinds | set(_narrower(known.kinds)):
            yield path, "in every dict", "not in every dict"
        else:
            yield path, str(known), str(Part(came.kinds - known.kinds))


def _plain(kinds: frozenset[str]) -> frozenset[str]:
    """The kinds without those that are part of another."""
    if MAP in kinds:
        kinds -= {RECORD}
    return kinds - set(_narrower(kinds))


def _narrower(kinds: frozenset[str]) -> tuple[str, ...]:
    return INTS[: max((place for place, kind in enumerate(INTS) if kind in kinds), default=0)]


def _record_of(path: str) -> str | None:
    """The path of the dict that a path is a key of."""
    keys = [match for match in _KEY_OF_RECORD.finditer(path) if match.end() == len(path)]
    return path[: keys[-1].start()] if keys else None


def _beginning(path: str) -> str:
    """The path of what a part is a part of."""
    above = _record_of(path)
    return above if above is not None else re.sub(r"(\[\d*\]|\{(?:key)?\})$", "", path)


def _as_maps_of(type_: Type, other: Type) -> Type:
    """The type, with dicts by data where the other one has such."""
    paths = [path for path, part in other.items() if MAP in part.kinds]
    for path in paths:
        if path in type_ and RECORD in type_[path].kinds:
            type_ = _as_map(type_, path)
    return type_


def _as_map(type_: Type, path: str) -> dict[str, Part]:
    """The type, with the dict at a path keyed by data: the values of all its keys are one part."""
    found = {own: part for own, part in type_.items() if not _is_below(own, path)}
    keys: dict[str, dict[str, Part]] = {}
    for own, part in type_.items():
        key = _KEY_OF_RECORD.match(own, len(path)) if _is_below(own, path) else None
        if key is not None:
            is_value = key.end() == len(own)
            value = Part(part.kinds, part.optional and not is_value)
            keys.setdefault(key[0], {})[f"{path}{VALUE}{own[key.end() :]}"] = value
        elif _is_below(own, path):
            found[own] = part
    found[path] = Part(_plain(type_[path].kinds | {MAP}), type_[path].optional)
    if keys:
        found = join(found, {path + KEY: Part(frozenset({"str"}))})
        for values in keys.values():
            found = join(found, values)
    return found


def _is_below(own: str, path: str) -> bool:
    return own != path and own.startswith(path)
