"""Functions of ``foreachPartition`` that make a list of a partition, and what they do where it is empty."""

from __future__ import annotations

import ast
from collections.abc import Set

from migrate.knowledge import outside
from migrate.proofs.analysis.facts import Facts
from migrate.proofs.analysis.summary import Summary
from migrate.proofs.callbacks.guards import only_with_rows
from migrate.proofs.callbacks.outside import acts_without_rows
from migrate.proofs.callbacks.roles import Callback, FunctionNode
from migrate.proofs.callbacks.rows import Rows
from migrate.proofs.partitions.chunks import writes_last

_COLLECTS = frozenset({"list", "set", "sorted", "tuple"})
_FILLING = frozenset({"append", "extend"})
_REPEATING = (
    *(ast.For, ast.While, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp),
    *(ast.Lambda, ast.FunctionDef, ast.ClassDef),
)


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


def only_inserted(name: str, updates: Set[ast.AST], summary: Summary, iterator: str) -> bool:
    """Whether a list of a partition's elements only goes to a database, item by item.

    def save(records):
        cursor = connect().cursor()
        rows = list(records)
        cursor.executemany("INSERT INTO words VALUES (?)", rows)

    Then no partition without elements shows, nor how elements are dealt out to partitions.

    Args:
        name: the variable that holds the list.
        updates: reads of it that only fill it.
        summary: the function.
        iterator: its parameter that is the iterator.
    """
    if not isinstance(summary.node, FunctionNode):
        return False
    above = summary.facts.above
    filling = {node for node in updates if getattr(above[node], "attr", "") in _FILLING}
    named = [node for node in summary.of(ast.Name) if node.id == name and node not in filling]
    reads = [node for node in named if isinstance(node.ctx, ast.Load)]
    bound = [summary.facts.value_of(node) for node in named if node not in reads]
    if not all(map(summary.owns, named)) or len(bound) != 1 or not _is_list(bound[0], iterator):
        return False
    for read in reads:
        statement = summary.facts.statement_of(read)
        if isinstance(statement, ast.If) and writes_last(statement, name):
            continue
        guard = above[statement]
        some = isinstance(guard, ast.If) and statement in guard.body and writes_last(guard, name)
        inserts = outside.INSERTS_SOME if some else outside.INSERTS_EACH
        call = above[read]
        if not isinstance(call, ast.Call) or outside.items_of(call, inserts) is not read:
            return False
        if _is_repeated(call, summary):
            return False
    callback = Callback(summary.node, iterator, None, set(), elements={iterator})
    return next(acts_without_rows(callback, summary.facts), None) is None


def _is_repeated(call: ast.Call, summary: Summary) -> bool:
    """Whether a call stands in a loop of a function, or in a function inside."""
    node = summary.facts.above[call]
    while node is not summary.node and not isinstance(node, _REPEATING):
        node = summary.facts.above[node]
    return node is not summary.node


def _is_list(value: ast.expr | None, iterator: str) -> bool:
    """``[]``, or a list of what an iterator has."""
    match value:
        case ast.List(elts=[]) | ast.ListComp():
            return True
        case ast.Call(ast.Name("list"), [ast.Name(name)], []):
            return name == iterator
    return False


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
