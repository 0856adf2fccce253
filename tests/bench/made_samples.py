"""Made-up input for a program, from what it reads of its elements.

A program that calls `loads` of JSON gets objects with the keys that it reads, of the types that it uses them
as; what its keys are called decides the rest. Any other program gets lines of words and numbers.
"""

from __future__ import annotations

import ast
import json
import random
import re
from collections.abc import Iterator, Mapping
from typing import Any

LINES = 400
_WORDS = ["spark", "stream", "#data", "kafka", "alpha", "beta", "gamma", "hello", "world", "http://a.b/c"]
_NUMERIC = re.compile(
    r"(^|_)(n|id|count|num|size|age|bytes|qty|quantity|total|timestamp\w*|ts|port)$|count$", re.I
)
_DECIMAL = re.compile(r"price|amount|lat|lon|lng|temp|value|score|rate|humidity|speed|volume", re.I)
_LISTS = {"hashtags": {"text": "x"}, "urls": {"url": "u"}, "user_mentions": {"screen_name": "s"}}

_LOADS = re.compile(r"\bloads\b")
ITEMS = "[]"
Keys = dict[str, Any]
"""The keys of an object, each with the keys of the object that is its value."""


def keys_read(tree: ast.AST) -> Keys:
    """The keys that subscripts, `.get` and `in` read, nested as they are read: ``e["user"]["name"]``.

    What a loop goes through is a list: its items have the keys that are read of the loop's variable, below
    the key `ITEMS`. A variable that such a value is assigned to stands for it.
    """
    found: Keys = {}
    places = dict(_places(tree))
    for node in ast.walk(tree):
        root, path = _path(node)
        below = found
        for key in [*places.get(root, []), *path] if path else _items(node, places):
            below = below.setdefault(key, {})
    return found


def _places(tree: ast.AST) -> Iterator[tuple[str, list[str]]]:
    """Variables that stand for a part of an element, and its path."""
    for node in ast.walk(tree):
        match node:
            case ast.Assign([ast.Name(name)], value) if _path(value)[1]:
                yield name, _path(value)[1]
            case ast.For(ast.Name(name), over) | ast.comprehension(ast.Name(name), over) if _path(over)[1]:
                yield name, [*_path(over)[1], ITEMS]


def _items(node: ast.AST, places: Mapping[str, list[str]]) -> list[str]:
    """The path of the items that a loop goes through."""
    match node:
        case ast.For(ast.Name(name)) | ast.comprehension(ast.Name(name)) if ITEMS in places.get(name, []):
            return places[name]
    return []


def _path(node: ast.AST) -> tuple[str, list[str]]:
    """What a value is read from, and the keys that lead to it; no keys where none are read."""
    match node:
        case ast.Name(name):
            return name, []
        case (
            ast.Subscript(value, ast.Constant(str(key)))
            | ast.Call(ast.Attribute(value, "get"), [ast.Constant(str(key)), *_])
            | ast.Compare(
                ast.Constant(str(key)),
                [ast.In() | ast.NotIn()],
                [ast.Call(ast.Attribute(value, "keys"), []) | value],
            )
        ):
            root, path = _path(value)
            return root, [*path, key]
    return "", []


def _last(node: ast.AST) -> list[str]:
    return _path(node)[1][-1:]


def sample(*texts: str, seed: int = 0) -> str:
    """Lines for a program of these modules.

    Raises:
        SyntaxError: one of them is no Python 3.
    """
    rng = random.Random(seed)
    text = "\n".join(texts)
    tree = ast.parse(text)
    keys = keys_read(tree) if _LOADS.search(text) else {}
    numbers = _used_as_numbers(tree)
    if keys:
        return "".join(json.dumps(_object(keys, numbers, rng)) + "\n" for _ in range(LINES))
    separator = next((one for one in ",\t;|" if f"split({one!r}" in text or f'split("{one}"' in text), " ")
    lines = (separator.join(_word(rng) for _ in range(rng.randint(3, 9))) for _ in range(LINES))
    return "".join(f"{line}\n" for line in lines)


def _word(rng: random.Random) -> str:
    return rng.choice(_WORDS) if rng.random() < 0.7 else str(rng.randint(0, 99))


def _used_as_numbers(tree: ast.AST) -> dict[str, str]:
    """The keys whose values stand in `int()`, `float()`, in arithmetic or beside a number."""
    found: dict[str, str] = {}
    for node in ast.walk(tree):
        match node:
            case ast.Call(ast.Name("int" | "float" as kind), [value]):
                found |= dict.fromkeys(_last(value), f"text {kind}")
            case ast.BinOp(left, ast.Mult() | ast.Div() | ast.Sub(), right):
                found |= {key: "float" for value in (left, right) for key in _last(value)}
            case ast.Compare(left, [ast.Lt() | ast.Gt() | ast.LtE() | ast.GtE()], [right]):
                found |= {key: "int" for value in (left, right) for key in _last(value)}
    return found


def _object(keys: Keys, numbers: dict[str, str], rng: random.Random) -> dict[str, Any]:
    return {key: _value(key, below, numbers, rng) for key, below in keys.items()}


def _value(key: str, below: Keys, numbers: dict[str, str], rng: random.Random) -> Any:
    if key in _LISTS:
        return [{name: _word(rng) for name in (below or _LISTS[key])} for _ in range(rng.randrange(3))]
    if ITEMS in below:
        items = below[ITEMS] or {ITEMS: {}}
        made = [_object(items, numbers, rng) for _ in range(rng.randrange(4))]
        return made if below[ITEMS] else [one[ITEMS] for one in made]
    if below:
        return _object(below, numbers, rng)
    kind = numbers.get(key) or (
        "int" if _NUMERIC.search(key) else "float" if _DECIMAL.search(key) else "text"
    )
    match kind:
        case "int":
            return rng.randint(0, 1000)
        case "float":
            return rng.randint(1, 4000) / 8
        case "text int":
            return str(rng.randint(0, 1000))
        case "text float":
            return str(rng.randint(1, 4000) / 8)
    return " ".join(_word(rng) for _ in range(rng.randint(1, 4)))
