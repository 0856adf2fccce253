"""``isinstance(a, str)``: known before the program runs, since the type of each value is."""

from __future__ import annotations

import ast
import numbers
from collections.abc import Sequence

from migrate.columns import code
from migrate.columns.compiler import Compiler, Names
from migrate.columns.element import Display, Record, Scalar, Value, shape_of
from migrate.columns.messages import refusal
from migrate.columns.registry import Production, covers
from migrate.columns.shapes import Bool, Float, Int, List, Nothing, Shape, Str
from migrate.syntax.type_tests import asked_type

_PYTHON: dict[type[Shape], type] = {
    Str: str,
    Int: int,
    Float: float,
    Bool: bool,
    List: list,
    Nothing: type(None),
}
"""The type of the values that a column of a shape stands for."""
_BUILTINS: dict[str, type] = {
    one.__name__: one
    for one in (str, int, float, bool, list, tuple, dict, set, frozenset, bytes, bytearray, complex, type)
}
_NUMBERS = {f"numbers.{name}": getattr(numbers, name) for name in ("Number", "Real", "Integral")}


@covers(
    Production(
        "isinstance(a, str)",
        "a value whose type is known, not one that may be None; builtin types, and those of `numbers`",
        (
            "lambda s: s if isinstance(s, str) else ''",
            "lambda n: n + 1 if isinstance(n, (str, int)) else 0",
            "lambda b: isinstance(b, int)",
            "lambda s, n: isinstance((s, n), (tuple, list))",
            "lambda words: len(words) if isinstance(words, list) else 0",
        ),
    )
)
def is_instance(compiler: Compiler, node: ast.Call, names: Names) -> Scalar:
    """Return whether a value is of one of some types.

    Raises:
        Refusal: its type or one of the others is not known.
    """
    if len(node.args) != 2 or node.keywords:
        raise refusal(node, "it is not known how `isinstance` is called")
    value = compiler.value(node.args[0], names)
    own = _type_of(value)
    asked = [_named(compiler, part, names) for part in _parts(node.args[1])]
    if own is None:
        raise compiler.unlike(node, value)
    known = [one for one in asked if one is not None]
    if len(known) != len(asked):
        raise refusal(node, "one of its types is not known")
    return code.TRUE if issubclass(own, tuple(known)) else code.FALSE


@covers(
    Production(
        "type(a) == str",
        "a value whose type is known, as for `isinstance`; not a Row or a namedtuple",
        (
            "lambda s: s if type(s) is str else ''",
            "lambda n: n + 1 if type(n) != str else 0",
            "lambda b: type(b) == int",
            "lambda n: type(n) in (int, float)",
            "lambda words: len(words) if type(words) is not str else 0",
        ),
    )
)
def compared_type(compiler: Compiler, node: ast.Compare, names: Names) -> Scalar | None:
    """Return whether a value is of a type itself, or of one of some; None for any other comparison.

    Raises:
        Refusal: its type or one of the others is not known.
    """
    asked = asked_type(node)
    if asked is None or compiler.qualified(asked.function, names) != "type":
        return None
    value = compiler.value(asked.value, names)
    own = _type_of(value)
    if own is None or (isinstance(value, Record) and value.fields):
        raise compiler.unlike(node, value)
    known = [_named(compiler, part, names) for part in asked.classes]
    if None in known:
        raise refusal(node, "one of its types is not known")
    return code.TRUE if (own in known) is asked.holds else code.FALSE


def _type_of(value: Value) -> type | None:
    """The type of the value in Python."""
    if isinstance(value, Record):
        return tuple
    if isinstance(value, Display):
        return value.kind
    return _PYTHON.get(type(shape_of(value)))


def _parts(types: ast.expr) -> Sequence[ast.expr]:
    return types.elts if isinstance(types, ast.Tuple) else [types]


def _named(compiler: Compiler, node: ast.expr, names: Names) -> type | None:
    name = compiler.qualified(node, names) or ""
    return _BUILTINS.get(name) or _NUMBERS.get(name)
