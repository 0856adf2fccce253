"""A number of elements and aggregates of the same RDD, in statements one after the other: they are one job.

    n = rdd.count()
    if n == 0:
        return
    total = rdd.map(price).reduce(lambda a, b: a + b)

    n, total = batch.agg(F.count("*"), F.sum(price_udf("value"))).first()
    if n == 0:
        return

Between them nothing else may stand than what is done for batches without elements, up to a `return`: the
aggregate is None then, which a variable around the function would keep.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Mapping, Sequence

from migrate.frozen import dataclass
from migrate.plan.elements.aggregated_rdd import Aggregate
from migrate.proofs.callbacks.rows import Rows
from migrate.syntax.nodes import walk

COUNT = Aggregate("", column='F.count("*")')


@dataclass(frozen=True)
class Beside:
    """Statements whose values one row has."""

    first: ast.Assign
    others: tuple[ast.Assign, ...]
    target: str
    """The variables of all of them."""
    value: str
    """The code of the row."""


def counted_beside(
    statements: Sequence[ast.stmt],
    values: Mapping[ast.AST, Aggregate],
    declared: Collection[str],
    rows: Rows,
) -> list[Beside]:
    """The statements of a block that can be one job.

    Args:
        statements: the block.
        values: the aggregates, and numbers of elements, that stand for calls.
        declared: names of variables around the function, which keep their values where it returns early.
        rows: tells conditions that hold without elements.
    """
    found: list[Beside] = []
    group: list[_Made] = []
    taken: set[str] = {*declared}
    for statement in (*statements, None):
        made = _made(statement, values)
        if made is not None and group and _goes_with(made, group, taken):
            group.append(made)
            continue
        match statement:
            case ast.If(test, [*_, ast.Return()], []) if group and rows.none(test):
                taken |= _names(statement)
            case _:
                found += _together(group)
                group, taken = [made] if made is not None else [], {*declared}
    return found


_Made = tuple[ast.Assign, str, Aggregate]


def _made(statement: ast.stmt | None, values: Mapping[ast.AST, Aggregate]) -> _Made | None:
    """A variable that a statement gives an aggregate."""
    match statement:
        case ast.Assign([ast.Name(name)], value) if value in values and values[value].frame:
            return statement, name, values[value]
    return None


def _goes_with(made: _Made, group: Sequence[_Made], taken: Collection[str]) -> bool:
    """Whether a variable can be bound with those of a group, above what stands between them."""
    statement, name, value = made
    names = {other for _, other, _ in group}
    is_free = name not in names and name not in taken
    return is_free and value.frame == group[0][2].frame and names.isdisjoint(_names(statement.value))


def _names(node: ast.AST) -> set[str]:
    return {one.id for one in walk(node) if isinstance(one, ast.Name)}


def _together(group: Sequence[_Made]) -> list[Beside]:
    if not group[1:]:
        return []
    (first, _, value), *others = group
    columns = ", ".join(value.column for _, _, value in group)
    target = ", ".join(name for _, name, _ in group)
    code = f"{value.frame}.agg({columns}).first()"
    return [Beside(first, tuple(statement for statement, _, _ in others), target, code)]
