"""Loops through rows that give more than each row does: the last row's values, or only the first rows.

``for row in rows: data = row[1]``, below it ``send(data)``; ``for row in rows: send(row); break``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence

from migrate.proofs.analysis.facts import Facts
from migrate.syntax.nodes import end_of, position, walk
from migrate.syntax.tree import own_nodes

Leaving = ast.Break | ast.Return
_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def last_row_read(loop: ast.For, facts: Facts) -> list[ast.Name]:
    """The names behind a loop that have a value of its last row, whichever row comes last.

    A sum, a maximum or what is found by a condition is no value of the last row.

    Args:
        loop: a loop through rows.
        facts: the names of its module.
    """
    of_row = _names(_row_of(loop))
    bound = of_row | _bound_of(loop.body, of_row)
    own = _function_of(loop, facts)
    names = (node for node in walk(loop) if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load))
    homes = {(node.id, facts.home(node)) for node in names if node.id in bound}
    inside = {*walk(loop)}
    return [
        load
        for name, home in sorted(homes, key=lambda one: one[0])
        for load in facts.loads.get(name, ())
        if load not in inside and facts.home(load) is home
        if _function_of(load, facts) is not own or _sees(load, loop, facts)
    ]


def first_rows_left(loop: ast.For, facts: Facts) -> list[Leaving]:
    """The statements that leave a loop after its first rows, where it shows which rows these were.

    One below a comparison with a row's key looks for this row; a loop that only asks whether there is such
    a row gives the same in any order.

    Args:
        loop: a loop through rows.
        facts: the names of its module.
    """
    left = [*_leaving(loop.body)]
    of_row = _names(_row_of(loop))
    of_row |= _bound_of(loop.body, of_row)
    if not left or _only_asks(loop, left, of_row):
        return []
    keys = _keys(loop)
    return [one for one in left if not any(_finds(test, keys) for test in _tests(one, loop, facts))]


def _row_of(loop: ast.For) -> ast.expr:
    """The part of a loop's target that is the row, and not its number."""
    match loop.iter, loop.target:
        case ast.Call(ast.Name("enumerate")), ast.Tuple([_, row]):
            return row
    return loop.target


def _names(node: ast.AST) -> set[str]:
    """The names in an expression, its own included."""
    return {one.id for one in (node, *walk(node)) if isinstance(one, ast.Name)}


def _bound_of(body: Sequence[ast.stmt], of_row: Iterable[str]) -> set[str]:
    """The names that each round of a loop binds anew, to what it makes of its row.

    Args:
        body: statements of the loop.
        of_row: names that have a value of the row before them.
    """
    known = {*of_row}
    for statement in body:
        match statement:
            case ast.Assign(targets=targets, value=value):
                bound, read = {name for target in targets for name in _plain(target)}, _names(value)
                if read & known and not (bound & read) - known:
                    known |= bound
                elif not read & known:
                    known -= bound
            case ast.With(body=inner) | ast.Try(body=inner):
                known |= _bound_of(inner, known)
            case ast.If(body=inner, orelse=others) if others:
                known |= _bound_of(inner, known) & _bound_of(others, known)
    return known


def _plain(target: ast.expr) -> set[str]:
    """The variables that an assignment binds, and none whose items or attributes it sets."""
    parts = target.elts if isinstance(target, ast.Tuple | ast.List) else [target]
    return {part.id for part in parts if isinstance(part, ast.Name)}


def _function_of(node: ast.AST, facts: Facts) -> ast.AST | None:
    """The function around a node; None in the module."""
    step = facts.above.get(node)
    while step is not None and not isinstance(step, _FUNCTIONS):
        step = facts.above.get(step)
    return step


def _sees(load: ast.Name, loop: ast.For, facts: Facts) -> bool:
    """Whether a name behind a loop, in its function, is read before anything else binds it for certain."""
    if position(load) < end_of(loop):
        return False
    around = {load, *_above(load, facts)}
    for binding in facts.bindings.get(load.id, ()):
        if not end_of(loop) <= position(binding) or not isinstance(binding, ast.Name):
            continue
        statement = facts.statement_of(binding)
        if statement in around:  # it is bound there before, or as, its value is read
            bound_first = isinstance(statement, _LOOPS) and not _is_within(load, statement, facts)
        else:
            bound_first = position(statement) < position(load) and facts.above[statement] in around
        if bound_first:
            return False
    return True


def _is_within(load: ast.Name, statement: ast.stmt, facts: Facts) -> bool:
    """Whether a name is in the expression that a loop goes through."""
    return isinstance(statement, ast.For) and statement.iter in {load, *_above(load, facts)}


def _above(node: ast.AST, facts: Facts) -> Iterator[ast.AST]:
    """What is around a node, from the inside out."""
    step = facts.above.get(node)
    while step is not None:
        yield step
        step = facts.above.get(step)


def _leaving(body: Sequence[ast.stmt]) -> Iterator[Leaving]:
    """What leaves a loop, in its body, but for handlers of errors."""
    for statement in body:
        match statement:
            case ast.Break() | ast.Return():
                yield statement
            case ast.If(body=inner, orelse=others) | ast.Try(body=inner, orelse=others):
                yield from _leaving([*inner, *others])
            case ast.With(body=inner):
                yield from _leaving(inner)
            case ast.For(body=inner) | ast.While(body=inner):
                yield from (one for one in _leaving(inner) if isinstance(one, ast.Return))


def _only_asks(loop: ast.For, left: Sequence[Leaving], of_row: set[str]) -> bool:
    """Whether a loop does nothing with its rows but to look at them in conditions."""
    returned = [one.value for one in left if isinstance(one, ast.Return) and one.value is not None]
    if any(_names(value) & of_row for value in returned):
        return False
    statements = [one for part in loop.body for one in (part, *own_nodes(part)) if isinstance(one, ast.stmt)]
    acting = [one for one in statements if not isinstance(one, ast.If | ast.Break | ast.Return | ast.Pass)]
    return all(isinstance(one, ast.Assign) and isinstance(one.value, ast.Constant) for one in acting)


def _keys(loop: ast.For) -> set[str]:
    """The code that reads the key of a loop's row: ``row[0]``, a variable of it."""
    match _row_of(loop):
        case ast.Tuple([ast.Name(key), *_]) | ast.List([ast.Name(key), *_]):
            keys = {key}
        case ast.Name(row):
            keys = {f"{row}[0]"}
        case _:
            return set()
    for statement in loop.body:
        match statement:
            case ast.Assign([ast.Name(name)], value) if ast.unparse(value) in keys:
                keys.add(name)
            case ast.Assign([ast.Tuple([ast.Name(name), *_])], ast.Name(row)) if f"{row}[0]" in keys:
                keys.add(name)
    return keys


def _tests(left: Leaving, loop: ast.For, facts: Facts) -> Iterator[ast.expr]:
    """The conditions in a loop around a statement that leaves it."""
    for step in _above(left, facts):
        if step is loop:
            return
        if isinstance(step, ast.If):
            yield step.test


def _finds(test: ast.expr, keys: set[str]) -> bool:
    """Whether a condition holds for the row of one key."""
    found = [one for one in (test, *walk(test)) if isinstance(one, ast.Compare)]
    equal = [one for one in found if [type(operator) for operator in one.ops] == [ast.Eq]]
    return any(ast.unparse(side) in keys for one in equal for side in (one.left, *one.comparators))
