"""Several comparisons of one text as one membership: ``w == "a" or w == "b"`` is ``w in ("a", "b")``."""

from __future__ import annotations

import ast
from itertools import groupby

_EACH: dict[type[ast.boolop], tuple[type[ast.cmpop], ast.cmpop]] = {
    ast.Or: (ast.Eq, ast.In()),
    ast.And: (ast.NotEq, ast.NotIn()),
}


def as_memberships(node: ast.BoolOp) -> list[ast.expr]:
    """The operands of an ``and`` or ``or``, where comparisons of one text that are side by side are one."""
    compared, among = _EACH[type(node.op)]
    made: list[ast.expr] = []
    for text, found in groupby(node.values, lambda one: _compared(one, compared)):
        operands = list(found)
        comparisons = [one for one in operands if isinstance(one, ast.Compare)]
        if text and len(operands) > 1:
            container = ast.Tuple([one.comparators[0] for one in comparisons], ast.Load())
            membership = ast.Compare(comparisons[0].left, [among], [container])
            made.append(ast.copy_location(membership, operands[0]))
            ast.copy_location(container, operands[0])
        else:
            made += operands
    return made


def _compared(node: ast.expr, operator: type[ast.cmpop]) -> str:
    """What a node compares with a constant text, as a text itself; empty if it does something else."""
    match node:
        case ast.Compare(left, [one], [ast.Constant(str())]) if isinstance(one, operator):
            return ast.dump(left)
    return ""
