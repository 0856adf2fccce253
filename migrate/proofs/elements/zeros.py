"""Filters of pairs that leave out those with the value 0, where no value is negative."""

from __future__ import annotations

import ast

from migrate.proofs.analysis.facts import Facts
from migrate.proofs.callbacks.roles import given
from migrate.syntax.tree import parameter_names


def leaves_zeros_out(function: ast.expr, facts: Facts) -> bool:
    """Whether a filter of pairs keeps those with a whole number above 0: ``lambda pair: pair[1] > 0``.

    Args:
        function: the filter.
        facts: the names of its module.
    """
    found = given(function, facts)
    if found is None:
        return False
    names = parameter_names(found.node)[found.bound :]
    if len(names) != 1:
        return False
    value = _returned(found.node)
    match value:
        case ast.Compare(left, [ast.Gt() | ast.NotEq()], [ast.Constant(0)]):
            return _is_value(left, names[0]) and not isinstance(value.comparators[0].value, bool)  # type: ignore[attr-defined]
        case ast.Compare(left, [ast.GtE()], [ast.Constant(1)]):
            return _is_value(left, names[0]) and not isinstance(value.comparators[0].value, bool)  # type: ignore[attr-defined]
        case ast.Compare(ast.Constant(0), [ast.Lt() | ast.NotEq()], [right]):
            return _is_value(right, names[0])
    return value is not None and _is_value(value, names[0])


def _returned(function: ast.Lambda | ast.FunctionDef) -> ast.expr | None:
    """The expression that a function consists of."""
    if isinstance(function, ast.Lambda):
        return function.body
    body = function.body[ast.get_docstring(function, clean=False) is not None :]
    return body[0].value if len(body) == 1 and isinstance(body[0], ast.Return) else None


def _is_value(node: ast.expr, pair: str) -> bool:
    """Whether an expression is ``pair[1]``."""
    match node:
        case ast.Subscript(ast.Name(name), ast.Constant(1)):
            return name == pair
    return False
