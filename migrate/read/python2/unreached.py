"""Handlers of an error that Python 3 never raises: ``UnicodeEncodeError`` around ``str(x)`` alone."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.syntax.nodes import of_kinds, walk

UNREACHED = (
    "`{0}` raises no UnicodeEncodeError in Python 3, so that `except` takes none; in Python 2 it took texts"
    " beyond ASCII: if the program was written for it, put `{1}.encode('ascii')` before, which raises it in"
    " both"
)
_ERRORS = frozenset({"UnicodeEncodeError", "UnicodeError"})
_OF_TEXTS_AND_LISTS = frozenset(
    {"add", "append", "join", "lower", "lstrip", "replace", "rstrip", "split", "strip", "upper"}
)
"""Methods that encode no text in Python 3."""


def unreached(tree: ast.Module) -> Iterator[tuple[ast.Call, str]]:
    """The calls of ``str`` for whose errors alone such a handler is there, and what is to be said of it."""
    for node in of_kinds(tree, ast.Try):
        calls = [one for statement in node.body for one in walk(statement) if isinstance(one, ast.Call)]
        made = [call for call in calls if _is_str(call)]
        if made and any(map(_takes_it, node.handlers)) and all(map(_encodes_nothing, calls)):
            (given,) = made[0].args
            yield made[0], UNREACHED.format(ast.unparse(made[0]), ast.unparse(given))


def _takes_it(handler: ast.ExceptHandler) -> bool:
    """Whether a handler names the error: one that takes any is there for others as well."""
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(isinstance(kind, ast.Name) and kind.id in _ERRORS for kind in kinds)


def _is_str(call: ast.Call) -> bool:
    match call:
        case ast.Call(ast.Name("str"), [given], []):
            return not isinstance(given, ast.Starred)
    return False


def _encodes_nothing(call: ast.Call) -> bool:
    """Whether a call raises no such error in Python 3."""
    is_method = isinstance(call.func, ast.Attribute) and call.func.attr in _OF_TEXTS_AND_LISTS
    return is_method or _is_str(call)
