"""Changes of a session: temp views, functions and settings.

A query runs its batches in a clone of the session, as it was when the query started. What changes later, or
in a batch, is seen on one side only.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.knowledge import sessions
from migrate.syntax.nodes import position
from migrate.syntax.tree import Tree

_READING = ("select", "with", "show", "describe", "explain")


def session_changes(tree: Tree) -> Iterator[ast.Call]:
    """The calls that change a session."""
    for call in tree.of_kinds(ast.Call):
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


def later(tree: Tree, start: ast.AST | None) -> Iterator[ast.Call]:
    """The calls that may change a session after the query has started.

    Args:
        tree: the modules of the program.
        start: the call that starts the query; None: nothing does.
    """
    home = tree.scope_of(start) if start is not None else None
    for call in session_changes(tree):
        scope = tree.scope_of(call)
        before = start is None or position(call) < position(start)
        if not ((scope is home or isinstance(scope, ast.Module)) and (before or scope is not home)):
            yield call
