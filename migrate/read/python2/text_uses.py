"""What bytes and texts give in Python 3, by operation, and what it refuses or never finds equal."""

from __future__ import annotations

import ast
from dataclasses import dataclass


@dataclass(frozen=True)
class Form:
    """What is known of a value: bytes, a text, or what holds values."""

    kind: str
    items: tuple[Form | None, ...] = ()
    """The items of a tuple, keys and values of a dict; of a list or a stream the one that stands for all."""


Value = Form | None
Used = tuple[Value, str | None]
"""What an operation gives, and why only Python 2 takes it."""
BYTES, TEXT, FILE = Form("bytes"), Form("text"), Form("file")
OF_ENCODE = "what `encode` gives"
"""What the sentences here call bytes."""
_KEEPING = frozenset(
    {"capitalize", "lower", "lstrip", "replace", "rstrip", "strip", "swapcase", "title", "upper"}
)
_WITH_TEXTS = frozenset(
    {
        *("count", "endswith", "find", "index", "lstrip", "partition", "replace", "rfind", "rindex"),
        *("rpartition", "rsplit", "rstrip", "split", "startswith", "strip"),
    }
)
"""Methods that bytes and texts have, which take of each only its own kind."""
_OF_TEXTS = frozenset({"casefold", "encode", "format", "format_map", "isdecimal", "isnumeric"})
"""Methods that bytes do not have."""
_SPLITS = frozenset({"rsplit", "split", "splitlines"})
_RE = frozenset({"findall", "finditer", "match", "search", "split", "sub"})
_CLOCKS = frozenset({"datetime", "datetime.datetime", "time"})


def operation(operator: ast.operator, left: Value, right: Value) -> Used:
    """``left + right``, ``left % right``."""
    if isinstance(operator, ast.Mod) and left == TEXT:
        return TEXT, None
    if not isinstance(operator, ast.Add):
        return None, None
    why = "a text is added to what `encode` gives" if {left, right} == {BYTES, TEXT} else None
    return TEXT if TEXT in (left, right) else left if left == right else None, why


def comparison(left: Value, operator: ast.cmpop, right: Value) -> str | None:
    """``left == right``, ``left in right``."""
    if isinstance(operator, ast.In | ast.NotIn):
        if (left, right) == (TEXT, BYTES):
            return "a text is looked for in what `encode` gives"
        among = right is not None and (right == TEXT or set(keys_of(right) or right.items) == {TEXT})
        return "what `encode` gives is looked for among texts" if left == BYTES and among else None
    return "what `encode` gives is compared with a text" if {left, right} == {BYTES, TEXT} else None


def method_of_bytes(name: str, arguments: list[Value]) -> Used:
    """A method of bytes."""
    refused = name in _OF_TEXTS or (name in _WITH_TEXTS and TEXT in arguments)
    why = f"`{name}` of a text is called on what `encode` gives" if refused else None
    if name in _SPLITS:
        return Form("list", (BYTES,)), why
    return BYTES if name in _KEEPING else TEXT if name == "decode" else None, why


def method_of_text(name: str, arguments: list[Value]) -> Used:
    """A method of a text."""
    joins = name == "join" and any(map(_has_bytes, arguments))
    refused = joins or (name in _WITH_TEXTS and BYTES in arguments)
    why = f"`{name}` of a text gets what `encode` gives" if refused else None
    if name in _SPLITS:
        return Form("list", (TEXT,)), why
    return TEXT if name in _KEEPING | {"format", "join"} else None, why


def library_call(name: str, arguments: list[Value], keywords: set[str | None]) -> Used | None:
    """A function of `json`, `re` or `datetime`; None for any other."""
    owner, _, member = name.rpartition(".")
    if name == "json.dumps":
        refused = any(map(_holds_bytes, arguments)) and not keywords & {"cls", "default"}
        return TEXT, "`json.dumps` gets what `encode` gives" if refused else None
    if owner == "re" and member in _RE:
        refused = arguments[:1] == [TEXT] and BYTES in arguments[1:]
        return None, f"`{name}` gets what `encode` gives" if refused else None
    if member == "strptime" and owner in _CLOCKS:
        return None, f"`{name}` gets what `encode` gives" if BYTES in arguments else None
    return None


def subscript(whole: Value, index: ast.expr) -> Value:
    """``whole[index]``."""
    if whole is None:
        return None
    if isinstance(index, ast.Slice):
        return whole if whole.kind in ("bytes", "text", "list") else None
    number = index.value if isinstance(index, ast.Constant) else None
    if whole.kind == "list" and isinstance(number, int):
        return whole.items[0]
    inside = whole.kind == "tuple" and isinstance(number, int) and 0 <= number < len(whole.items)
    return whole.items[number] if inside and isinstance(number, int) else None


def keys_of(whole: Value) -> tuple[Value, ...] | None:
    """The keys of a dict; None for what is none."""
    return whole.items[: len(whole.items) // 2] if whole is not None and whole.kind == "dict" else None


def all_of(items: tuple[Value, ...]) -> Form:
    """A list or set of such items."""
    return Form("list", (items[0] if len(set(items)) == 1 else None,))


def item(whole: Value) -> Value:
    """What a loop gets of a value."""
    if whole is None or whole.kind in ("bytes", "dict") or not whole.items:
        return TEXT if whole in (TEXT, FILE) else None
    return whole.items[0] if len(set(whole.items)) == 1 else None


def _has_bytes(value: Value) -> bool:
    """Whether a list or tuple holds bytes."""
    return value is not None and value.kind in ("list", "tuple") and BYTES in value.items


def _holds_bytes(value: Value) -> bool:
    """Whether a value is bytes or holds such, at any depth."""
    return value == BYTES or (value is not None and any(map(_holds_bytes, value.items)))
