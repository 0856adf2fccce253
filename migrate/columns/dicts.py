"""Dicts of known keys, looked up by a value: one ``when`` for each key."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from migrate.columns import code
from migrate.columns.booleans import conditional
from migrate.columns.comparisons import compare
from migrate.columns.compiler import Compiler
from migrate.columns.element import Display, Scalar, Value
from migrate.columns.messages import refusal
from migrate.columns.registry import Production, covers, method
from migrate.columns.shapes import Maybe, Nothing, Unknown
from migrate.columns.texts import only

LARGEST = 50
"""Keys up to which the code can still be read."""


@covers(
    Production(
        "{'a': 1, 'b': 2}[s]",
        "a dict of constants with up to 50 keys of one type; a missing key raises",
        ("lambda s: {'a': 'x', '1': 'y'}[s]", "lambda n: {0: 1, 1: 7}[n] + 1"),
        partial=True,
        sensitive="a map column gives null for a missing key",
    )
)
def lookup(compiler: Compiler, node: ast.AST, table: Display, key: Value) -> Scalar:
    """Return ``table[key]``."""
    found = compiler.as_scalar(_chain(compiler, node, table, key, code.known(None)), node)
    assert isinstance(found.shape, Maybe)
    whole = code.build(code.without_otherwise(found), found.shape.of, found)
    message = "this key is not in the dict"
    return compiler.failing(
        "a key that a dict has not", lambda: whole, lambda: compiler.required(whole, message)
    )


@method(
    Unknown,
    "get",
    Production(
        "{'a': 1, 'b': 2}.get(s, 0)",
        "a dict of constants with up to 50 keys of one type",
        (
            "lambda s: {'a': 1, '1': 2}.get(s, 0)",
            "lambda s: {'a': 'x'}.get(s, s)",
            "lambda s: {'a': 'x'}.get(s)",
        ),
    ),
)
def _get(compiler: Compiler, node: ast.AST, receiver: Value, arguments: Sequence[Value]) -> Value:
    only(node, arguments, 2, 1)
    if not isinstance(receiver, Display) or receiver.kind is not dict:
        raise compiler.unlike(node, receiver)
    default = arguments[1] if len(arguments) > 1 else code.known(None)
    return _chain(compiler, node, receiver, arguments[0], default)


def _chain(compiler: Compiler, node: ast.AST, table: Display, key: Value, default: Value) -> Value:
    if not 0 < len(table.items) <= LARGEST:
        raise refusal(node, f"a dict of {len(table.items)} keys is no readable column")
    if any(isinstance(item, Scalar) and isinstance(item.shape, Nothing) for item in table.items):
        raise refusal(node, "a value of the dict is None")
    chosen = default
    for constant, item in reversed(list(zip(table.keys, table.items, strict=True))):
        one = code.constant(constant)
        if one is None:
            raise refusal(node, f"the key {constant!r} is no column")
        chosen = conditional(compiler, node, compare(compiler, node, key, "==", one), item, chosen)
    return chosen
