"""Durations as Spark spells them, ``"10 seconds"``, from expressions for seconds."""

from __future__ import annotations

import ast

from migrate.syntax.nodes import walk


def duration(node: ast.expr, code: str, *, whole: bool = False) -> str:
    """Code of a duration, ``"10 seconds"``, of an expression for seconds.

    Args:
        node: the expression.
        code: new code that gives its value.
        whole: whether its value is known to be an int.
    """
    value = node.value if isinstance(node, ast.Constant) else None
    if isinstance(value, int | float):
        if value == int(value):
            return f'"{int(value)} second{"" if value == 1 else "s"}"'
        return f'"{int(value * 1000)} milliseconds"'
    is_int = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "int"
    whole = whole or is_int
    inner = f"({code})" if isinstance(node, ast.BinOp | ast.IfExp | ast.BoolOp | ast.Compare) else code
    if not _fits_f_string(node):
        return f'"%d seconds" % {code}' if whole else f'"%d milliseconds" % ({inner} * 1000)'
    return f'f"{{{code}}} seconds"' if whole else f'f"{{int({inner} * 1000)}} milliseconds"'


def _fits_f_string(node: ast.expr) -> bool:
    """Whether an expression may stand in an f-string: before Python 3.12 it has no quotes and one line."""
    quotes = any(isinstance(part, ast.JoinedStr) or _is_text(part) for part in walk(node))
    return node.lineno == node.end_lineno and not quotes


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str | bytes)
