"""What was seen of the values of a stream: kinds, counts, and what is worth knowing of them."""

from __future__ import annotations

import inspect
import math
from collections.abc import Iterator
from typing import Any

from migrate.facts.types import ITEM, KEY, MAP, RECORD, ROOT, VALUE, Part, int_kind, key_of

Json = Any
_MOST_KEYS = 1000
"""Different keys of a dict up to which they are told apart while they are seen."""
_FEW_KEYS = 16
"""Different keys up to which no dict is taken for one that is keyed by data."""
_SHARE = 4
"""A dict with more keys is keyed by data if dicts hold less than one in so many of them."""
_DEEPEST = 20
_LONGEST = 40
_GROUP = "pyspark.resultiterable.ResultIterable"
"""The values of a key behind ``groupByKey``, which can be gone through again and again."""
_NAMED = {type(None): "None", bool: "bool", str: "str", bytes: "bytes", float: "float"}


class Seen:
    """All values of one part of the elements.

    Attributes:
        count: how many.
        kinds: how many of each kind.
        notes: how many were NaN, empty and the like.
        example: the first one that is no container, shortened.
        parts: what was seen of their parts, by the ends of their paths.
    """

    def __init__(self, *, examples: bool = True) -> None:
        self.count = 0
        self.kinds: dict[str, int] = {}
        self.notes: dict[str, int] = {}
        self.low: int | None = None
        self.high: int | None = None
        self.lowest_bit: int | None = None
        """The exponent of the last binary digit of all floats."""
        self.total = 0.0
        """The sum of the floats' absolute values."""
        self.example: str | None = None
        self.parts: dict[str, Seen] = {}
        self.by_data = False
        """Whether dicts are keyed by data: other keys than texts, or too many."""
        self._examples = examples

    # --- values ---------------------------------------------------------------------------------------------

    def add(self, value: Any, depth: int = 0) -> None:
        """Take note of a value, which stays as it is; no method of a class of the program is called."""
        self.count += 1
        kind = self._kind(value, depth)
        self.kinds[kind] = self.kinds.get(kind, 0) + 1
        if self._examples and self.example is None and type(value) in (*_NAMED, int) and value is not None:
            text = repr(value[:_LONGEST] if isinstance(value, (str, bytes)) else value)
            self.example = text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."

    def _kind(self, value: Any, depth: int) -> str:
        exact = type(value)
        if exact in _NAMED:
            self._note_of(value)
            return _NAMED[exact]
        if exact is int:
            self.low = value if self.low is None else min(self.low, value)
            self.high = value if self.high is None else max(self.high, value)
            return int_kind(value)
        if depth >= _DEEPEST:
            return _class_name(exact)
        if exact is dict:
            self._add_dict(value, depth)
            return RECORD
        if issubclass(exact, tuple):
            return self._add_tuple(value, depth)
        if exact in (list, set, frozenset):
            self._note("empty", not value)
            for item in value:
                self._part(ITEM).add(item, depth + 1)
            return str(exact.__name__)
        name = _class_name(exact)
        if name == _GROUP:
            for item in value:
                self._part(ITEM).add(item, depth + 1)
        return name

    def _add_tuple(self, value: tuple[Any, ...], depth: int) -> str:
        exact, length = type(value), tuple.__len__(value)
        for place in range(length):
            self._part(f"[{place}]").add(tuple.__getitem__(value, place), depth + 1)
        fields = _fields(value)
        if fields and len(fields) == length:
            return f"{exact.__name__}({', '.join(fields)})"
        return f"tuple {length}" if exact is tuple else _class_name(exact)

    def _add_dict(self, value: dict[Any, Any], depth: int) -> None:
        self._note("empty", not value)
        if not self.by_data and not all(map(_is_text, value)):
            self._by_data()
        for key, item in value.items():
            if self.by_data:
                self._part(KEY).add(key, depth + 1)
                self._part(VALUE).add(item, depth + 1)
            else:
                self._part(key_of(key)).add(item, depth + 1)
        self._bound()

    def _note_of(self, value: Any) -> None:
        if isinstance(value, float):
            self._note("NaN", math.isnan(value))
            self._note("infinite", math.isinf(value))
            self._note("-0.0", value == 0 and math.copysign(1, value) < 0)
            if math.isfinite(value) and value:
                number, divisor = value.as_integer_ratio()
                bit = (number & -number).bit_length() - divisor.bit_length()
                self.lowest_bit = bit if self.lowest_bit is None else min(bit, self.lowest_bit)
                self.total += abs(value)
        elif isinstance(value, (str, bytes)):
            self._note("empty", not value)
            if isinstance(value, str) and not value.isascii():
                self._note("non-ASCII")
                self._note("lone surrogates", any(0xD800 <= ord(char) < 0xE000 for char in value))

    def _note(self, note: str, holds: bool = True) -> None:
        if holds:
            self.notes[note] = self.notes.get(note, 0) + 1

    def _part(self, end: str) -> Seen:
        if end not in self.parts:
            self.parts[end] = Seen(examples=self._examples)
        return self.parts[end]

    def _bound(self) -> None:
        """Tell the keys of dicts apart no more when there are too many, however they came together."""
        if len(self.parts) > _MOST_KEYS and not self.by_data:
            self._by_data()

    def _by_data(self) -> None:
        """Stop telling the keys of dicts apart."""
        self.by_data = True
        keys, values = Seen(examples=False), Seen(examples=self._examples)
        for end in [end for end in self.parts if end[0] == "." or end.startswith('["')]:
            part = self.parts.pop(end)
            keys.count += part.count
            keys.kinds["str"] = keys.kinds.get("str", 0) + part.count
            values.merge(part)
        for end, part in ((KEY, keys), (VALUE, values)):
            if part.count:
                self._part(end).merge(part)

    # --- all of them ----------------------------------------------------------------------------------------

    def merge(self, other: Seen) -> None:
        """Add what was seen elsewhere."""
        if self.by_data != other.by_data:
            (other if self.by_data else self)._by_data()
        self.count += other.count
        for mine, more in ((self.kinds, other.kinds), (self.notes, other.notes)):
            for name, count in more.items():
                mine[name] = mine.get(name, 0) + count
        self.low = _of(min, self.low, other.low)
        self.high = _of(max, self.high, other.high)
        self.lowest_bit = _of(min, self.lowest_bit, other.lowest_bit)
        self.total += other.total
        self.example = self.example if self.example is not None else other.example
        for end, part in other.parts.items():
            self._part(end).merge(part)
        self._bound()

    def lines(self, path: str = ROOT, of: int | None = None) -> Iterator[tuple[str, Part, str]]:
        """For each part its path, its type, and a remark with counts.

        `of` is the number of dicts that it is a key of.
        """
        if not self.by_data and self._is_keyed_by_data():
            self._by_data()
        kinds = frozenset(MAP if kind == RECORD and self.by_data else kind for kind in self.kinds)
        optional = of is not None and self.count < of
        yield path, Part.parse(" | ".join(kinds), optional=optional), self._remark(of)
        for end, part in self.parts.items():
            is_key = end[0] == "." or end.startswith('["')
            records = self.kinds.get(RECORD)
            yield from part.lines(path + end, records if is_key and records else None)

    def _is_keyed_by_data(self) -> bool:
        dicts = self.kinds.get(RECORD, 0)
        keys = [part.count for end, part in self.parts.items() if end[0] == "." or end.startswith('["')]
        return bool(dicts) and len(keys) > _FEW_KEYS and sum(keys) * _SHARE < dicts * len(keys)

    def _remark(self, of: int | None) -> str:
        said = [f"in {self.count:,} of {of:,}" if of is not None else f"{self.count:,} seen"]
        if len(self.kinds) > 1:
            said.append(", ".join(f"{kind} {count:,}" for kind, count in sorted(self.kinds.items())))
        if self.low is not None:
            said.append(f"{self.low}..{self.high}" if self._examples else f"up to {_bits(self)} bits")
        said += [f"{count:,} {note}" for note, count in sorted(self.notes.items())]
        if "float" in self.kinds:
            said.append("sums exact" if self._sums_exactly else "sums depend on their order")
        if self.example is not None:
            said.append(f"like {self.example}")
        return "; ".join(said)

    @property
    def _sums_exactly(self) -> bool:
        """Whether the floats have one sum in any order: all partial sums are exact."""
        if set(self.notes) & {"NaN", "infinite"}:
            return False
        return self.lowest_bit is None or math.log2(self.total) + 1e-6 - self.lowest_bit < 53

    # --- as data --------------------------------------------------------------------------------------------

    def document(self) -> Json:
        """The same for `json.dumps`."""
        kept = {name: value for name, value in vars(self).items() if name not in ("parts", "_examples")}
        return {**kept, "parts": {end: part.document() for end, part in self.parts.items()}}

    @classmethod
    def read(cls, document: Json, *, examples: bool = True) -> Seen:
        """What `document` made."""
        seen = cls(examples=examples)
        parts = {end: cls.read(part, examples=examples) for end, part in document["parts"].items()}
        vars(seen).update({**document, "parts": parts})
        return seen


def _fields(value: tuple[Any, ...]) -> tuple[str, ...]:
    """The names of a namedtuple's or a `Row`'s fields; found without any code of the program."""
    found = inspect.getattr_static(value, "__fields__", None) or inspect.getattr_static(
        type(value), "_fields", None
    )
    named = type(found) in (tuple, list) and all(type(name) is str for name in found)
    return tuple(found) if named else ()


def _of(choose: Any, one: int | None, other: int | None) -> int | None:
    known = [value for value in (one, other) if value is not None]
    return choose(known) if known else None


def _is_text(key: Any) -> bool:
    """Whether a key is a text that a file can hold."""
    return type(key) is str and not any(0xD800 <= ord(char) < 0xE000 for char in key)


def _bits(seen: Seen) -> int:
    return max((value or 0).bit_length() for value in (seen.low, seen.high))


def _class_name(owner: type) -> str:
    return (
        owner.__qualname__ if owner.__module__ == "builtins" else f"{owner.__module__}.{owner.__qualname__}"
    )
