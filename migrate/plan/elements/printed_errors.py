"""The text that a handler of exceptions prints of an error which is known."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping

_OF_VALUES: Mapping[str, Callable[[object], object]] = {"str": str, "repr": repr, "type": type}


def printed_text(call: ast.Call, handler: ast.ExceptHandler, error: Exception) -> str | None:
    """What a ``print`` of a handler shows of an error; None where that is a traceback, or goes elsewhere.

    Args:
        call: one of those that `only_prints` has found in the handler.
        handler: the handler.
        error: what it catches.
    """
    if ast.unparse(call.func) != "print" or call.keywords:
        return None
    values: dict[str, object] = {handler.name: error} if handler.name is not None else {}
    try:
        for statement in handler.body:
            match statement:
                case ast.Assign(targets=[ast.Name(name)], value=made):
                    values[name] = _value(made, values, error)
                case ast.Expr(value) if value is call:
                    break
        return " ".join(str(_value(one, values, error)) for one in call.args)
    except _UnknownError:
        return None


class _UnknownError(Exception):
    """An expression whose value is not known."""


def _value(node: ast.expr, values: Mapping[str, object], error: Exception) -> object:
    """The value of one of the expressions that are made of texts and the error alone.

    Raises:
        _UnknownError: it has a traceback.
    """

    def of(part: ast.expr) -> object:
        return _value(part, values, error)

    match node:
        case ast.Constant(value):
            return value
        case ast.Name(name) if name in values:
            return values[name]
        case ast.JoinedStr(parts):
            return "".join(str(of(part)) for part in parts)
        case ast.FormattedValue(value, conversion):
            return {ord("r"): repr, ord("a"): ascii}.get(conversion, str)(of(value))
        case ast.Subscript(ast.Call(), ast.Constant(place)):
            return error if place else type(error)
        case ast.Attribute(value, "__class__"):
            return of(value).__class__
        case ast.Attribute(value, "__name__") if isinstance(kind := of(value), type):
            return kind.__name__
        case ast.Call(ast.Attribute(ast.Constant(str(text)), "format"), given):
            return text.format(*map(of, given))
        case ast.Call(ast.Name(name), [one]) if name in _OF_VALUES:
            return _OF_VALUES[name](of(one))
        case ast.BinOp(ast.Constant(str(text)), ast.Mod(), given):
            parts = given.elts if isinstance(given, ast.Tuple) else [given]
            return text % tuple(map(of, parts))
        case ast.BinOp(left, ast.Add(), right):
            return f"{of(left)}{of(right)}"
    raise _UnknownError
