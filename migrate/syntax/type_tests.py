"""Comparisons of a type: ``type(x) != str``."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class AskedType:
    """A comparison of the type of a value.

    Attributes:
        function: what is called for the type.
        value: the value.
        classes: the types that it is compared with.
        holds: whether the comparison holds where the type is one of them.
    """

    function: ast.expr
    value: ast.expr
    classes: Sequence[ast.expr]
    holds: bool


def asked_type(node: ast.Compare) -> AskedType | None:
    """Return what a comparison asks of a type; None where it compares something else."""
    match node:
        case ast.Compare(
            ast.Call(ast.Name("type") as function, [value], []),
            [ast.Eq() | ast.Is() | ast.NotEq() | ast.IsNot() as operator],
            [ast.Name() as wanted],
        ):
            return AskedType(function, value, [wanted], isinstance(operator, ast.Eq | ast.Is))
        case ast.Compare(
            ast.Call(ast.Name("type") as function, [value], []),
            [ast.In() | ast.NotIn() as operator],
            [ast.Tuple(classes) | ast.List(classes)],
        ):
            return AskedType(function, value, classes, isinstance(operator, ast.In))
    return None
