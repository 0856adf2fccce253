"""Averages: a sum of floats and a number of rows of a group of which only the quotient is read.

``avg`` adds the same floats in the same order as ``sum``, beginning at 0.0, and divides once. Of ints it adds
doubles, which are no sum of them beyond 2**53, so these are summed and divided.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from migrate.columns import Element, Record, Scalar, leaves
from migrate.columns.code import argument
from migrate.columns.element import Written
from migrate.columns.names import renamed
from migrate.columns.shapes import Float
from migrate.frozen import replace
from migrate.graph.program import Operation
from migrate.syntax.nodes import walk


def averaged(keys: Element, values: Element, element: Element) -> tuple[Element, Element] | None:
    """The keys and the aggregate of groups that give the pairs of a key and an average by themselves.

    Args:
        keys: the keys of the groups.
        values: the aggregates of a group.
        element: what is made of them.
    """
    parts = _sum_and_count(values)
    if parts is None or not isinstance(element, Record) or len(element.items) != 2:
        return None
    total, rows = parts
    key, quotient = element.items
    if [leaf.name for leaf in leaves(keys)] != [leaf.column for leaf in leaves(key)]:
        return None
    match quotient, total.written:
        case (
            Scalar(written=Written("/", (Scalar(column=str() as first), Scalar(column=str() as second)))),
            Written("F.sum", (summed,)),
        ) if (first, second) == (total.name, rows.name):
            made = total.with_code(f"F.avg({argument(summed)})")
        case _:
            return None
    average = replace(made, aggregate="avg", name=quotient.name)
    return renamed(keys, [leaf.name for leaf in leaves(key)]), average


def is_only_averaged(values: Element, readers: Sequence[Operation]) -> bool:
    """Whether the only reader of a sum and a number of rows divides something."""
    return (
        len(readers) == 1
        and readers[0].operator in ("map", "mapValues")
        and _sum_and_count(values) is not None
        and any(isinstance(node, ast.Div) for node in walk(readers[0].call))
    )


def _sum_and_count(values: Element) -> tuple[Scalar, Scalar] | None:
    """The sum of floats and the number of rows of a group, if its aggregates are these two."""
    found = leaves(values)
    total = next((one for one in found if one.aggregate == "sum" and isinstance(one.shape, Float)), None)
    rows = next((one for one in found if one.aggregate == "count"), None)
    return (total, rows) if total is not None and rows is not None and len(found) == 2 else None
