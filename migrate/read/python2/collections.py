"""Lists, sets, dicts and text files whose items are known, as far as bytes and texts are told apart by them.

words = set()
for line in open("words.txt"):
    words.add(line.strip())
"""

from __future__ import annotations

import ast

from migrate.read.python2.text_uses import BYTES, FILE, TEXT, Form, Used, Value, all_of, item, keys_of
from migrate.syntax.nodes import of_kinds

COPIES = frozenset({"frozenset", "list", "reversed", "set", "sorted", "tuple"})
"""Builtins that make a collection of the items of another."""


def opened(call: ast.Call, tree: ast.Module) -> Value:
    """A file that the builtin ``open`` opens for texts."""
    if not (isinstance(call.func, ast.Name) and call.func.id == "open") or _is_replaced(tree):
        return None
    modes = [*call.args[1:2], *(one.value for one in call.keywords if one.arg == "mode")]
    texts = all(isinstance(mode, ast.Constant) and "b" not in str(mode.value) for mode in modes)
    return FILE if call.args and texts else None


def _is_replaced(tree: ast.Module) -> bool:
    """Whether ``open`` is another function in a module."""
    aliases = (alias for node in of_kinds(tree, ast.ImportFrom) for alias in node.names)
    names = (name for name in of_kinds(tree, ast.Name) if isinstance(name.ctx, ast.Store))
    functions = of_kinds(tree, ast.FunctionDef)
    return (
        any((alias.asname or alias.name) in ("open", "*") for alias in aliases)
        or any(name.id == "open" for name in names)
        or any(function.name == "open" for function in functions)
    )


def method_of_file(name: str, arguments: list[Value]) -> Used:
    """A method of a file that is open for texts."""
    given = arguments[0] if arguments else None
    bytes_ = given == BYTES if name == "write" else given == Form("list", (BYTES,))
    refused = bytes_ and name in ("write", "writelines")
    why = f"`{name}` of a file of texts gets what `encode` gives" if refused else None
    if name == "readlines":
        return Form("list", (TEXT,)), why
    return TEXT if name in ("read", "readline") else None, why


def method_of_dict(name: str, whole: Form, arguments: list[Value]) -> Used:
    """A method of a dict."""
    keys, values = keys_of(whole), whole.items[len(whole.items) // 2 :]
    refused = name == "get" and arguments[:1] == [BYTES] and keys is not None and set(keys) == {TEXT}
    why = "what `encode` gives is looked for among texts" if refused else None
    if name in ("keys", "values"):
        return all_of(tuple(keys or ()) if name == "keys" else values), why
    return values[0] if name == "get" and len(arguments) == 1 and len(set(values)) == 1 else None, why


def copied(name: str, arguments: list[Value]) -> Value:
    """What ``set(words)`` and the like hold."""
    if name not in COPIES or len(arguments) > 1:
        return None
    return Form("list", (item(arguments[0]),)) if arguments else Form("list")


def grown(whole: Value, added: Value) -> Value:
    """A list or set with one more item."""
    if whole is None or whole.kind != "list":
        return None
    return all_of((*whole.items, added))


def stored(whole: Value, key: Value, value: Value) -> Value:
    """A dict with one more key."""
    keys = keys_of(whole)
    if whole is None or keys is None:
        return None
    values = whole.items[len(keys) :]
    return Form("dict", (*all_of((*keys, key)).items, *all_of((*values, value)).items))


def merged(one: Value, other: Value) -> Value:
    """What is known of a value after two branches: one of them may have left a collection without items."""
    if one is None or other is None or one == other:
        return one if one == other else None
    left_empty = one.kind == other.kind in ("dict", "list") and not (one.items and other.items)
    return (one if one.items else other) if left_empty else None
