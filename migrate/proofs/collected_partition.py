"""Functions of ``foreachPartition`` that make a list of a partition, and what they do where it is empty."""

from __future__ import annotations

import ast

from migrate.proofs.facts import Facts
from migrate.proofs.guards import only_with_rows
from migrate.proofs.roles import Callback, FunctionNode
from migrate.proofs.rows import Rows

_COLLECTS = frozenset({"list", "set", "sorted", "tuple"})


def collected_in(iterator: ast.Name, facts: Facts) -> ast.Name | None:
    """The variable of ``rows = list(iterator)`` or ``rows = [f(row) for row in iterator]``."""
    made: ast.AST = facts.above[iterator]
    if isinstance(made, ast.comprehension):
        made = facts.above[made]
        whole = isinstance(made, ast.ListComp | ast.SetComp) and made.generators[0].iter is iterator
    else:
        whole = isinstance(made, ast.Call) and made.args == [iterator] and not made.keywords
        whole &= isinstance(made, ast.Call) and isinstance(made.func, ast.Name) and made.func.id in _COLLECTS
        whole &= whole and not facts.bindings.get(made.func.id)  # type: ignore[attr-defined]
    statement = facts.above[made]
    match statement:
        case ast.Assign([ast.Name() as target], value) if whole and value is made:
            return target
    return None


def shows_nothing(read: ast.Name, function: ast.AST, iterator: str) -> bool:
    """Whether a read of what came of the elements shows nothing where there are none.

    It is reached with elements only, ``if rows: save(rows)``, or a condition asks whether there are any, and
    where there are none no more is done than to print and to return.
    """
    if not isinstance(function, FunctionNode):
        return False
    callback = Callback(function, iterator, None, set(), elements={iterator})
    rows, parents = Rows(callback), callback.parents
    if only_with_rows(read, rows, parents):
        return True
    node: ast.AST = read
    above = parents.get(node)
    while isinstance(above, ast.Compare | ast.BoolOp | ast.UnaryOp | ast.Call):
        node, above = above, parents.get(above)
    if not isinstance(above, ast.If) or above.test is not node:
        return False
    if rows.some(above.test):
        return all(map(_only_prints, above.orelse))
    return rows.none(above.test) and all(map(_only_prints, above.body))


def _only_prints(statement: ast.stmt) -> bool:
    match statement:
        case ast.Pass() | ast.Return(None):
            return True
        case ast.Expr(ast.Call(ast.Name("print"), arguments)):
            return all(isinstance(argument, ast.Constant) for argument in arguments)
    return False
