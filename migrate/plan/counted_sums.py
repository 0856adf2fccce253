"""A count, the return where it is 0, and an aggregate below that: both are computed at once.

count = rdd.count()
if count == 0:
    return
total = rdd.map(float).reduce(add)

``count, total = batch.agg(F.count("*"), F.sum(...)).first()`` reads the batch once.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

from migrate.plan.aggregated_rdd import Aggregate
from migrate.plan.conversion import Conversion
from migrate.syntax.nodes import walk
from migrate.syntax.tree import declared_among


def count_together(conversion: Conversion, values: Mapping[ast.AST, Aggregate]) -> None:
    """Let the count and the aggregate of one DataFrame be one action.

    Args:
        conversion: the callback, of which all actions are replaced.
        values: the aggregates, by their calls.
    """
    nodes = conversion.callback.walk()
    declared = declared_among(nodes)
    inner = (getattr(node, "body", ()) for node in nodes if isinstance(node, ast.stmt))
    for block in (conversion.callback.body, *inner):
        for counted, asked, made in zip(block, block[1:], block[2:], strict=False):
            match counted, asked, made:
                case (
                    ast.Assign([ast.Name(count) as target], ast.Call() as call),
                    ast.If(test, [*_, ast.Return()] as left, []),
                    ast.Assign([ast.Name(total)], value),
                ) if value in values and _is_none(test, count):
                    frame, column = values[value].frame, values[value].column
                    unread = total not in {count, *declared, *_names(left)}
                    if unread and conversion.replaced.get(call) == f"{frame}.count()":
                        conversion.replaced[target] = f"{count}, {total}"
                        conversion.replaced[call] = f'{frame}.agg(F.count("*"), {column}).first()'
                        conversion.dropped[made] = None
                        conversion.uses -= 1


def _is_none(test: ast.expr, count: str) -> bool:
    """Whether a test is that a count is 0."""
    match test:
        case ast.Compare(ast.Name(name), [ast.Eq() | ast.LtE()], [ast.Constant(0)]):
            return name == count
        case ast.Compare(ast.Name(name), [ast.Lt()], [ast.Constant(1)]):
            return name == count
        case ast.UnaryOp(ast.Not(), ast.Name(name)):
            return name == count
    return False


def _names(statements: Sequence[ast.stmt]) -> set[str]:
    return {node.id for one in statements for node in walk(one) if isinstance(node, ast.Name)}
