"""Loops of state functions over the new values: run for one value on symbols, they give sums over all."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from migrate.columns.linear import (
    ITEM,
    ONE,
    Fails,
    Items,
    Linear,
    Numbers,
    State,
    Symbol,
    Tuples,
    Unsolved,
    numbers_of,
    symbols,
)


def bound(target: ast.expr, value: State) -> dict[str, State]:
    """Return the names that a target binds to a value, or to the items of a tuple.

    Raises:
        Fails: there are not as many items.
        Unsolved: the target is more than names, or the value no tuple that is known.
    """
    match target, value:
        case ast.Name(id), _:
            return {id: value}
        case ast.Tuple(targets) | ast.List(targets), Items(items) if len(targets) == len(items):
            names: dict[str, State] = {}
            for one, item in zip(targets, items, strict=True):
                names.update(bound(one, item))
            return names
        case ast.Tuple() | ast.List(), None | Items():
            raise Fails
    raise Unsolved("it binds more than names")


def one_of(values: Numbers | Tuples) -> Linear | Items:
    """Return a symbol for any value of a list."""
    if isinstance(values, Numbers):
        return Linear.symbol(ITEM)
    return symbols(ITEM, len(values.totals))


def summed(each: Mapping[Symbol, int], values: Numbers | Tuples) -> Linear:
    """Return the sum, over all values of a list, of the factors of a number that one of them gives.

    Raises:
        Unsolved: the number depends on more than the value.
    """
    totals = {Symbol(ITEM): values.total} if isinstance(values, Numbers) else {}
    if isinstance(values, Tuples):
        totals = {Symbol(ITEM, place): total for place, total in enumerate(values.totals)}
    totals[ONE] = values.length
    found = Linear.number(0)
    for name, factor in each.items():
        if name not in totals:
            raise Unsolved("a loop does more than add up")
        found = found.plus(totals[name], factor)
    return found


def mapped(element: State, values: Numbers | Tuples) -> Numbers | Tuples:
    """Return the list of what a comprehension makes of each value.

    Raises:
        Unsolved: that is no number and no tuple of numbers.
    """
    match element:
        case Linear(factors):
            return Numbers(summed(factors, values), values.length)
        case Items(items) if len(numbers := numbers_of(element)) == len(items):
            return Tuples(tuple(summed(number.factors, values) for number in numbers), values.length)
    raise Unsolved("a comprehension makes no numbers")
