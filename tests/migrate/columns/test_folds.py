"""State functions: what is proven to be a running sum or count, and what is not."""

from __future__ import annotations

import ast
import functools
import operator
import textwrap
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from migrate.columns import Fold, Record, Refusal, Scalar, Scope, compile_update
from migrate.columns.functions import FunctionNode
from migrate.columns.shapes import Float, Int, Str

N = Scalar('F.col("n")', Int(), "n")
ONE = Scalar("F.lit(1)", Int(1, 1, 32), "count", constant=1)
SCOPE = Scope(imports={"add": "operator.add", "reduce": "functools.reduce", "functools": "functools"})


def node(source: str) -> FunctionNode:
    statement = ast.parse(textwrap.dedent(source).strip()).body[0]
    if isinstance(statement, ast.FunctionDef):
        return statement
    assert isinstance(statement, ast.Expr)
    return statement.value


def fold(source: str, value: Scalar = N, scope: Scope = SCOPE) -> Fold:
    return compile_update(node(source), value, scope)


SUMS = [
    "lambda new, last: sum(new) + (last or 0)",
    "lambda new, last: (last or 0) + sum(new)",
    "lambda new, last: sum(new, last or 0)",
    "lambda new, last: sum(new) if last is None else last + sum(new)",
    "lambda new, last: sum(new) + (0 if last is None else last)",
    "lambda new, last: last + sum(new) if last else sum(new)",
    "lambda new, last: sum(new + [last or 0])",
    "lambda new, last: reduce(add, new, last or 0)",
    "lambda new, last: functools.reduce(lambda a, b: a + b, new, last or 0)",
    "lambda new, last: int(sum(new)) + int(last or 0)",
    """
    def update(new_values, running):
        if running is None:
            running = 0
        return sum(new_values, running)  # the order of sum's arguments is the one Spark's guide uses
    """,
    """
    def update(new_values, running):
        '''The total so far.'''
        total = running or 0
        for value in new_values:
            total += value
        return total
    """,
    """
    def update(new_values, running):
        total = 0
        for value in new_values:
            total = total + value
        if running is not None:
            total += running
        return total
    """,
    """
    def update(new_values, running):
        if len(new_values) == 0:
            return running
        if not running:
            return sum(new_values)
        return running + sum(new_values)
    """,
    """
    def update(new, last):
        last = last if last != None else 0
        if new:
            last = last + sum(new)
        return last
    """,
    """
    def update(new: list, last: int) -> int:
        total: int = sum(new)
        if last == None:
            return total
        else:
            return total + last
    """,
]
COUNTS = [
    "lambda new, last: len(new) + (last or 0)",
    """
    def update(new, last):
        count = last or 0
        for _ in new:
            count += 1
        return count
    """,
]


@pytest.mark.parametrize("source", SUMS)
def test_running_sums(source: str) -> None:
    found = fold(source)
    assert (found.kind, found.aggregate.code) == ("sum", 'exact_sum("n")')
    assert fold(source, ONE).aggregate.code == 'F.count("*")'
    assert found.merge("count").element == fold(source, Scalar('F.col("count")', Int(), "count")).aggregate


@pytest.mark.parametrize("source", COUNTS)
def test_running_counts(source: str) -> None:
    assert (fold(source).kind, fold(source).aggregate.code) == ("count", 'F.count("*")')


@pytest.mark.parametrize("source", [*SUMS, *COUNTS])
@given(
    batches=st.lists(st.lists(st.integers(), max_size=3), min_size=1, max_size=5).filter(lambda all_: all_[0])
)
def test_python_agrees(source: str, batches: Sequence[Sequence[int]]) -> None:
    """The functions above are what they are said to be; every key has values in its first batch."""
    names = {"reduce": functools.reduce, "functools": functools, "add": operator.add}
    function = node(source)
    if isinstance(function, ast.FunctionDef):
        exec(textwrap.dedent(source), names)
        update = names[function.name]
    else:
        update = eval(source.strip(), names)
    state = None
    for batch in batches:
        state = update(list(batch), state)  # type: ignore[operator]
    measure = len if source in COUNTS else sum
    assert state == sum(measure(batch) for batch in batches)


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("lambda new, last: sum(new)", "no running sum"),
        ("lambda new, last: sum(new) + last", "is not covered"),
        ("lambda new, last: (last or 0) - sum(new)", "no running sum"),
        ("lambda new, last: sum(new) + (last or 1)", "no running sum"),
        ("lambda new, last: 2 * sum(new) + (last or 0)", "is not covered"),
        ("lambda new, last: sum(new) + sum(new) + (last or 0)", "no running sum"),
        ("lambda new, last: max(new + [last or 0])", "is not covered"),
        ("lambda new, last: (sum(new) + (last or 0)) or None", "removes keys"),
        ("lambda new, last: sum(new) + (last or 0) if new else None", "removes keys"),
        ("lambda new, last: new[-1] if new else last", "is not covered"),
        ("lambda new: sum(new)", "its only parameters"),
        ("lambda new, last: sum(new) + (last or 0) if sum(new) else last", "computed number is 0"),
        ("lambda new, last: last + sum(new) if last and last > 5 else sum(new)", "comparison"),
        ("def update(new, last):\n    print(new)\n    return sum(new) + (last or 0)", "is not covered"),
        ("def update(new, last):\n    global seen\n    return sum(new) + (last or 0)", "is not covered"),
        (
            "def f(new, last):\n    t = last or 0\n    for v in new:\n        t = 2 * t + v\n    return t",
            "not covered",
        ),
        (
            "def f(new, last):\n    t = 0\n    for v in new:\n        t = t + t + v\n    return t",
            "add up",
        ),
        (
            "def f(new, last):\n    t = last or 0\n    for v in new:\n        if v: t += v\n    return t",
            "not covered",
        ),
        (
            "def update(new, last):\n    if last is None:\n        last = 0\n    sum(new, last)",
            "is not covered",
        ),
        ("update", "is not covered"),
    ],
)
def test_other_state_functions(source: str, reason: str) -> None:
    with pytest.raises(Refusal, match=reason):
        fold(source)


@pytest.mark.parametrize("value", [Scalar('F.col("s")', Str()), Scalar('F.col("x")', Float())])
def test_only_ints_are_summed(value: Scalar) -> None:
    with pytest.raises(Refusal):
        fold("lambda new, last: sum(new) + (last or 0)", value)


def test_a_state_of_several_numbers() -> None:
    with pytest.raises(Refusal, match="no single number"):
        compile_update(node("lambda new, last: sum(new) + (last or 0)"), Record((N, N)), SCOPE)


def test_functions_of_the_same_file_are_followed() -> None:
    helper = ast.parse("def zero(last):\n    return 0 if last is None else last").body[0]
    assert isinstance(helper, ast.FunctionDef)
    scope = Scope(functions={"zero": helper}, constants={"START": 0})
    assert fold("lambda new, last: sum(new, zero(last)) + START", N, scope).kind == "sum"


def test_a_shadowed_builtin_is_not_taken_for_python_s() -> None:
    with pytest.raises(Refusal):
        fold("lambda new, last: sum(new) + (last or 0)", N, Scope(shadowed=frozenset({"sum"})))
