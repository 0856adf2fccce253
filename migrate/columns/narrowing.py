"""Narrowing: after ``x is not None`` the value of ``x`` is not None any more."""

from __future__ import annotations

import ast


def not_none(test: ast.expr, holds: bool) -> frozenset[str]:
    """Return the expressions, as `ast.dump` spells them, that a condition keeps from being None."""
    match test:
        case ast.Name() | ast.Subscript() if holds:
            return frozenset({ast.dump(test)})
        case ast.UnaryOp(ast.Not(), operand):
            return not_none(operand, not holds)
        case ast.BoolOp(operator, operands) if isinstance(operator, ast.And) is holds:
            return frozenset().union(*(not_none(operand, holds) for operand in operands))
        case ast.Compare(left, [ast.Is() | ast.Eq()], [ast.Constant(None)]) if not holds:
            return frozenset({ast.dump(left)})
        case ast.Compare(left, [ast.IsNot() | ast.NotEq()], [ast.Constant(None)]) if holds:
            return frozenset({ast.dump(left)})
    return frozenset()
