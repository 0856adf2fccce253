"""Calls of Python's `json`."""

from __future__ import annotations

import ast

_READS = frozenset({"load", "loads"})


def encoding_of(call: ast.Call) -> ast.keyword | None:
    """The ``encoding=`` of ``json.loads(text, encoding="utf-8")``, which Python 3.9 refuses."""
    match call.func:
        case ast.Attribute(ast.Name("json"), method) if method in _READS:
            return next((word for word in call.keywords if word.arg == "encoding"), None)
    return None
