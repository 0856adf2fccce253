"""Durations as Spark spells them, ``"10 seconds"``, from expressions for seconds."""

from __future__ import annotations

import ast
import operator

from migrate.syntax.nodes import walk

_WORKED_OUT = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul}


def duration(node: ast.expr, code: str) -> str:
    """Code of a duration, ``"10 seconds"``, of an expression for seconds, which may be fractions of one.

    Args:
        node: the expression.
        code: new code that gives its value.
    """
    seconds = figure(node)
    if seconds is not None:
        whole = seconds == int(seconds)
        return f'"{int(seconds) if whole else seconds} second{"" if seconds == 1 else "s"}"'
    inner = f"({code})" if isinstance(node, ast.BinOp | ast.IfExp | ast.BoolOp | ast.Compare) else code
    return f'f"{{{code}}} seconds"' if _fits_f_string(node) else f'"%s seconds" % {inner}'


def figure(node: ast.expr) -> int | float | None:
    """The seconds of a number that is written out, as ``60 * 5``; None for any other expression."""
    if isinstance(node, ast.Constant):
        known = isinstance(node.value, int | float) and not isinstance(node.value, bool)
        return node.value if known else None  # type: ignore[return-value]
    if isinstance(node, ast.BinOp) and type(node.op) in _WORKED_OUT:
        left, right = figure(node.left), figure(node.right)
        if isinstance(left, int) and isinstance(right, int):
            return int(_WORKED_OUT[type(node.op)](left, right))
    return None


def _fits_f_string(node: ast.expr) -> bool:
    """Whether an expression may stand in an f-string: before Python 3.12 it has no quotes and one line."""
    quotes = any(isinstance(part, ast.JoinedStr) or _is_text(part) for part in walk(node))
    return node.lineno == node.end_lineno and not quotes


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str | bytes)
