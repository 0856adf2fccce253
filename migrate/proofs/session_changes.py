"""Changes of a session: temp views, functions and settings.

A query runs its batches in a clone of the session, as it was when the query started. What changes later, or
in a batch, is seen on one side only.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from migrate.knowledge import sessions
from migrate.syntax.nodes import of_kinds

_READING = ("select", "with", "show", "describe", "explain")


def changes(tree: ast.Module) -> Iterator[ast.Call]:
    """The calls that change a session."""
    for call in of_kinds(tree, ast.Call):
        if isinstance(call.func, ast.Attribute) and _changes(call, call.func):
            yield call


def _changes(call: ast.Call, method: ast.Attribute) -> bool:
    holder = method.value.attr if isinstance(method.value, ast.Attribute) else ""
    if method.attr in sessions.CHANGES_SESSIONS or holder == sessions.CONFIGURES.get(method.attr):
        return True
    query = call.args[0] if method.attr == "sql" and call.args else None
    if query is None:
        return False
    return not (
        isinstance(query, ast.Constant) and str(query.value).lstrip(" \t\r\n(").lower().startswith(_READING)
    )


def later(
    tree: ast.Module, start: ast.AST | None, scope_of: Callable[[ast.AST], ast.AST]
) -> Iterator[ast.Call]:
    """The calls that may change a session after the query has started.

    Args:
        tree: the module.
        start: the call that starts the query; None: nothing does.
        scope_of: the function, or the module, that a node is in.
    """
    home = scope_of(start) if start is not None else tree
    for call in changes(tree):
        scope = scope_of(call)
        before = start is None or call.lineno < getattr(start, "lineno", 0)
        if not (scope in (home, tree) and (before or scope is not home)):
            yield call
