"""``combineByKey``: proves that it does as a reduction of the combiners of single values.

    combineByKey(lambda n: (n, 1), lambda s, n: (s[0] + n, s[1] + 1), lambda a, b: (a[0] + b[0], a[1] + b[1]))

is ``mapValues(lambda n: (n, 1))`` and a ``reduceByKey`` by the last function: to add a value to a combiner is
to add the combiner of that value. The functions are run on symbols.
"""

from __future__ import annotations

from collections.abc import Sequence

from migrate.columns.compiler import Compiler
from migrate.columns.element import Element, Refusal, Scalar, Scope, leaves
from migrate.columns.functions import FunctionNode
from migrate.columns.linear import ONE, Fails, Items, Linear, State, Unsolved, numbers_of, symbols
from migrate.columns.shapes import Float, Int
from migrate.columns.state_functions import run_state_function

_NO_SUMS = "its functions are not proven to add up numbers"


def check_sums(
    create: FunctionNode,
    merge_value: FunctionNode,
    merge_combiners: FunctionNode,
    value: Element,
    scope: Scope,
) -> None:
    """Check that the functions of ``combineByKey`` add up what the first one makes of each value.

    Args:
        create: makes a combiner of a value.
        merge_value: adds a value to a combiner.
        merge_combiners: adds two combiners.
        value: one value: a number, or a tuple of numbers.
        scope: the names that the functions may read.

    Raises:
        Refusal: they do something else, or are not known to do no more.
    """
    numbers = leaves(value)
    if not numbers or not all(isinstance(number.shape, Int | Float) for number in numbers):
        raise Refusal("its values are no numbers", create)
    if not isinstance(value, Scalar) and any(not isinstance(item, Scalar) for item in value.items):
        raise Refusal("its values are tuples of tuples", create)
    given: State = Linear.symbol("item") if isinstance(value, Scalar) else symbols("item", len(numbers))
    made = _run(create, scope, given)
    count = len(made.items) if isinstance(made, Items) else 0
    parts = numbers_of(made)
    if len(parts) != (count or 1):
        raise Refusal(_NO_SUMS, create)
    if any(isinstance(number.shape, Float) for number in numbers) and not all(map(_is_plain, parts)):
        raise Refusal("floats are added up in another order", create)
    before, left, right = (_combiner(kind, count) for kind in ("before", "left", "right"))
    if _run(merge_value, scope, before, given) != _added(before, made):
        raise Refusal(_NO_SUMS, merge_value)
    if _run(merge_combiners, scope, left, right) != _added(left, right):
        raise Refusal(_NO_SUMS, merge_combiners)


def _run(function: FunctionNode, scope: Scope, *arguments: State) -> State:
    try:
        return run_state_function(Compiler(scope), function, *arguments)
    except (Fails, Unsolved):
        raise Refusal(_NO_SUMS, function) from None


def _combiner(kind: str, count: int) -> State:
    """Symbols for a combiner: a tuple of some numbers, or a number."""
    return symbols(kind, count) if count else Linear.symbol(kind)


def _added(one: State, other: State) -> State:
    sums: Sequence[Linear] = [a.plus(b) for a, b in zip(numbers_of(one), numbers_of(other), strict=True)]
    return Items(tuple(sums)) if isinstance(one, Items) else sums[0]


def _is_plain(number: Linear) -> bool:
    """Whether a number is a part of a value as it is, or a whole number: to add it rounds once."""
    return set(number.factors) <= {ONE} or [*number.factors.values()] == [1]
