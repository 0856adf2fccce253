"""Functions that return one of several streams, as a branch decides.

if only_errors:
    return lines.filter(is_error)
return lines
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from migrate.syntax.tree import own_nodes

Parts = tuple[list[ast.stmt], list[ast.stmt]]


def parts_that_return(statement: ast.stmt, rest: Sequence[ast.stmt]) -> Parts | None:
    """What runs where the test of a branch is true, and where it is false, to the end of a function.

    Args:
        statement: one in which the function may return.
        rest: the statements behind it.

    Returns:
        None where it is no branch, or where both parts go on behind it.
    """
    if not isinstance(statement, ast.If):
        return None
    if _always_returns(statement.body):
        return statement.body, [*statement.orelse, *rest]
    if _always_returns(statement.orelse) and not any(map(_returns, statement.body)):
        return [*statement.body, *rest], statement.orelse
    return None


def _always_returns(block: Sequence[ast.stmt]) -> bool:
    """Whether a block ends with a ``return``, or with branches that do."""
    match block:
        case [*before, ast.Return()]:
            return not any(map(_returns, before))
        case [*before, ast.If(body=body, orelse=orelse)]:
            return not any(map(_returns, before)) and _always_returns(body) and _always_returns(orelse)
    return False


def _returns(statement: ast.stmt) -> bool:
    return any(isinstance(node, ast.Return) for node in own_nodes(statement))
