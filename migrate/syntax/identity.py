"""Functions that give back what they are given: ``lambda s: s``."""

from __future__ import annotations

import ast


def returns_its_argument(function: ast.AST | None) -> bool:
    """Whether a function of one parameter returns that, and does nothing else.

    It may return None for None by itself, as the decoders of PySpark do.
    """
    match function:
        case ast.Lambda(ast.arguments(args=[one]), ast.Name(name)):
            return name == one.arg
        case ast.FunctionDef(args=ast.arguments(args=[one]), decorator_list=[]):
            *before, last = function.body
            returns = isinstance(last, ast.Return) and _is(last.value, one.arg)
            return returns and all(is_idle(statement, one.arg) for statement in before)
    return False


def is_idle(statement: ast.stmt, parameter: str) -> bool:
    """Whether a statement is a docstring, or ``if s is None: return None``."""
    match statement:
        case ast.Expr(ast.Constant()):
            return True
        case ast.If(ast.Compare(tested, [ast.Is()], [ast.Constant(None)]), [ast.Return(value)], []):
            is_none = value is None or (isinstance(value, ast.Constant) and value.value is None)
            return _is(tested, parameter) and (is_none or _is(value, parameter))
    return False


def _is(node: ast.expr | None, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name
