"""State functions: what is proven to be a running sum or count, and what is not."""

from __future__ import annotations

import ast
import functools
import operator
import sys
import textwrap
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from migrate.columns import (
    Compiled,
    Element,
    Fold,
    Record,
    Refusal,
    Scalar,
    Scope,
    column_named,
    compile_update,
    leaves,
)
from migrate.columns.functions import FunctionNode
from migrate.columns.shapes import Float, Int, Str

N = column_named("n", Int())
X = column_named("x", Float())
PAIR = Record((X, N))
ONE = Scalar("F.lit(1)", Int(1, 1, 32), "count", constant=1)
SCOPE = Scope(imports={"add": "operator.add", "reduce": "functools.reduce", "functools": "functools"})


def node(source: str) -> FunctionNode:
    statement = ast.parse(textwrap.dedent(source).strip()).body[0]
    if isinstance(statement, ast.FunctionDef):
        return statement
    assert isinstance(statement, ast.Expr)
    return statement.value


def fold(source: str, value: Element = N, scope: Scope = SCOPE, *, one_each: bool = False) -> Fold:
    return compile_update(node(source), value, scope, one_each=one_each)


def codes(found: Compiled) -> list[str]:
    return [leaf.code for leaf in leaves(found.element)]


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
    assert (found.sums, codes(found)) == (True, ['exact_sum("n")'])
    assert codes(fold(source, ONE)) == ['F.count("*")']
    assert found.merge(["count"]).element == fold(source, column_named("count", Int())).element


@pytest.mark.parametrize("source", COUNTS)
def test_running_counts(source: str) -> None:
    assert (fold(source).sums, codes(fold(source))) == (False, ['F.count("*")'])


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


BESIDE = """
    def mean(new, last):
        if not new:
            return last
        mean, total, count = last or (0, 0, 0)
        total, count = total + sum(new), count + len(new)
        return {}, total, count
    """


def test_what_a_state_has_beside_its_sums_is_made_of_these() -> None:
    found = fold(BESIDE.format("total / float(count)"))
    assert (found.parts, codes(found)) == ((0, None), ['exact_sum("n")', 'F.count("*")'])
    (made,) = found.derived
    assert (made.place, ast.unparse(made.node), dict(made.of)) == (
        0,
        "total / float(count)",
        {"total": 0, "count": 1},
    )


@pytest.mark.parametrize(
    "made",
    [
        "sum(new) / 2",
        "mean / 2",
        "total / 2 if mean else total / 3",
        "0 if mean else total / 2",
    ],
)
def test_but_not_where_it_is_made_of_more_or_in_two_ways(made: str) -> None:
    with pytest.raises(Refusal):
        fold(BESIDE.format(made))


def test_a_state_that_is_only_made_of_values_has_no_sums() -> None:
    with pytest.raises(Refusal, match="no running sum"):
        fold("def f(new, last):\n    n = len(new)\n    return (n * 2, n * 3)")


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
        ("def f(new, last):\n    all = new\n    all += [last or 0]\n    return sum(new)", "not covered"),
    ],
)
def test_other_state_functions(source: str, reason: str) -> None:
    with pytest.raises(Refusal, match=reason):
        fold(source)


@pytest.mark.parametrize("value", [column_named("s", Str()), column_named("x", Float())])
def test_only_ints_are_summed(value: Scalar) -> None:
    with pytest.raises(Refusal):
        fold("lambda new, last: sum(new) + (last or 0)", value)


def test_a_state_of_several_numbers() -> None:
    with pytest.raises(Refusal, match="is not covered"):
        fold("lambda new, last: sum(new) + (last or 0)", PAIR)
    for value in (Record((N, PAIR)), Record(())):
        with pytest.raises(Refusal, match="no tuples of numbers"):
            fold("lambda new, last: len(new) + (last or 0)", value)


def test_functions_of_the_same_file_are_followed() -> None:
    helper = ast.parse("def zero(last):\n    return 0 if last is None else last").body[0]
    assert isinstance(helper, ast.FunctionDef)
    scope = Scope(functions={"zero": helper}, constants={"START": 0})
    assert fold("lambda new, last: sum(new, zero(last)) + START", N, scope).sums


def test_a_shadowed_builtin_is_not_taken_for_python_s() -> None:
    with pytest.raises(Refusal):
        fold("lambda new, last: sum(new) + (last or 0)", N, Scope(shadowed=frozenset({"sum"})))


TUPLES = [
    """
    def update(new, last):
        sums = [field[0] for field in new]
        counts = [field[1] for field in new]
        total, count = last or (0, 0)
        return sum(sums, total), sum(counts, count)
    """,
    """
    def update(new, last):
        total, count = 0.0, 0
        if last:
            total = last[0]
            count = last[1]
        return sum(price for price, _ in new) + total, count + sum(n for _, n in new)
    """,
    """
    def update(new, last):
        (total, count) = (0, 0) if last is None else last
        for price, number in new:
            total += price
            count = count + number
        return (total, count)
    """,
    "lambda new, last: reduce(lambda a, b: (a[0] + b[0], a[1] + b[1]), new, last or (0, 0))",
    """
    def update(new, last):
        if not new:
            return last
        if last is None:
            last = (0.0, 0)
        return last[0] + sum([value[0] for value in new]), last[1] + sum([value[1] for value in new])
    """,
]


@pytest.mark.parametrize("source", TUPLES)
def test_running_sums_of_the_items_of_tuples(source: str) -> None:
    found = fold(source, PAIR, one_each=True)
    assert (found.parts, found.is_value, found.fails_at_first) == ((0, 1), True, False)
    assert codes(found) == ['F.sum("x")', 'exact_sum("n")']
    assert codes(found.merge(["a", "b"])) == ['F.sum("a")', 'exact_sum("b")']
    with pytest.raises(Refusal, match=r"a sum of floats|is not covered"):
        fold(source, PAIR)


@pytest.mark.parametrize("source", TUPLES)
@given(
    batches=st.lists(
        st.lists(st.tuples(st.floats(allow_nan=False), st.integers()), max_size=1), min_size=1, max_size=5
    ).filter(lambda all_: all_[0])
)
def test_python_agrees_on_tuples(source: str, batches: Sequence[Sequence[tuple[float, int]]]) -> None:
    """With one value for each key the running sums are exact, as each adds two floats."""
    names: dict[str, Any] = {"reduce": functools.reduce}
    function = node(source)
    if isinstance(function, ast.FunctionDef):
        exec(textwrap.dedent(source), names)
        update = names[function.name]
    else:
        update = eval(source.strip(), names)
    state = None
    total, count = 0.0, 0
    for batch in batches:
        state = update(list(batch), state)
        for value, number in batch:
            total, count = total + value, count + number
    assert repr(state) == repr((total, count))


IN_ORDER = [
    (
        """
        def update(new, last):
            total, count = 0.0, 0
            for price, number in new:
                total += price
                count += 1
            return total + (last[0] if last else 0.0), (last[1] if last else 0) + count
        """,
        ["x", None],
        False,
    ),
    (
        """
        def update(new, last):
            total, count = last or (0.0, 0)
            prices = 0
            for value in new:
                prices += value[0]
                count += value[1]
            return total + prices, count
        """,
        ["x", "n"],
        False,
    ),
    (
        """
        def update(new, last):
            total, count = last or (0.0, 0)
            return sum([v[0] for v in new]) + total, sum([v[1] for v in new], count)
        """,
        ["x", "n"],
        True,
    ),
    (
        """
        def update(new, last):
            total, count = last or (0.0, 0)
            return sum([v[0] for v in new] + [total]), len(new) + count
        """,
        ["x", None],
        True,
    ),
    (
        """
        def update(new, last):
            new = reduce(lambda a, b: (a[0] + b[0], a[1] + b[1]), new, (0.0, 0))
            return (new[0] + last[0], new[1] + last[1]) if last else new
        """,
        ["x", "n"],
        False,
    ),
]


@pytest.mark.parametrize(("source", "summed", "uses_sum"), IN_ORDER)
def test_several_floats_are_added_up_in_their_order(
    source: str, summed: list[str | None], uses_sum: bool
) -> None:
    found = compile_update(node(source), PAIR, SCOPE, in_order=True)
    assert found.parts == tuple(None if name is None else "xn".index(name) for name in summed)
    assert (found.adds_floats, found.uses_sum, found.onto_last) == (True, uses_sum, False)
    assert codes(found)[0] == 'F.sum("x")'
    with pytest.raises(Refusal):
        fold(source, PAIR)


@pytest.mark.parametrize(("source", "summed", "uses_sum"), IN_ORDER)
@given(batches=st.lists(st.lists(st.tuples(st.floats(allow_nan=False), st.just(1)), min_size=1), min_size=1))
def test_python_adds_up_floats_as_spark_does(
    source: str, summed: list[str], uses_sum: bool, batches: Sequence[Sequence[tuple[float, int]]]
) -> None:
    """Spark adds up those of a batch from 0.0 on, and then that and the last sum."""
    assume(not uses_sum or sys.version_info < (3, 12))
    names: dict[str, Any] = {"reduce": functools.reduce}
    exec(textwrap.dedent(source), names)
    state, total, count = None, 0.0, 0
    for batch in batches:
        state = names["update"](list(batch), state)
        total = total + functools.reduce(operator.add, [value for value, _ in batch], 0.0)
        count += len(batch)
    assert repr(state) == repr((total, count))


@pytest.mark.parametrize(
    "source",
    [
        "lambda new, last: sum(new, last or 0.0)",
        "lambda new, last: reduce(add, new, last or 0.0)",
        "def f(new, last):\n    t = last or 0.0\n    for v in new:\n        t += v\n    return t",
    ],
)
def test_floats_that_are_added_one_by_one_to_the_state_are_told_of(source: str) -> None:
    assert not fold(source, X, one_each=True).onto_last
    assert compile_update(node(source), X, SCOPE, in_order=True).onto_last


def test_floats_are_not_added_to_a_list_that_begins_with_the_state() -> None:
    source = "lambda new, last: sum([last or 0.0] + new)"
    assert fold(source, X, one_each=True)
    with pytest.raises(Refusal, match="after others"):
        compile_update(node(source), X, SCOPE, in_order=True)


MEAN = "def update(new, last):\n    total, count = last{}\n    return sum(new, total), len(new) + count"


def test_a_sum_and_a_count_of_the_same_values() -> None:
    found = fold(MEAN.format(" or (0, 0)"))
    assert (found.parts, found.sums, found.is_value) == ((0, None), False, False)
    assert codes(found) == ['exact_sum("n")', 'F.count("*")']


def test_a_sum_of_floats_may_become_a_whole_zero() -> None:
    assert fold("lambda new, last: sum(new) + (last or 0)", X, one_each=True).whole_zero
    assert not fold("lambda new, last: sum(new) + (last or 0.0)", X, one_each=True).whole_zero
    assert not fold("lambda new, last: sum(new, 0 if last is None else last)", X, one_each=True).whole_zero
    assert not fold(TUPLES[0], PAIR, one_each=True).whole_zero


BEGUN = [
    "lambda new, last: sum(new) + (last or 0.0)",
    "lambda new, last: sum(new, last or 0.0)",
    "def update(new, last):\n    return sum(new) + (0.0 if last is None else last)",
    "def update(new, last):\n    t = last or 0.0\n    for v in new:\n        t += v\n    return t",
]


@pytest.mark.parametrize("source", BEGUN)
@given(batches=st.lists(st.lists(st.integers(-(2**40), 2**40), min_size=1, max_size=3), max_size=5))
def test_a_sum_of_ints_that_begins_with_a_float_is_one(source: str, batches: Sequence[Sequence[int]]) -> None:
    found = fold(source)
    assert (codes(found), found.begins_as_float) == (['F.sum(F.col("n").cast("double"))'], True)
    assert not (found.is_value or found.adds_floats or found.whole_zero)
    names: dict[str, Any] = {}
    exec(source, names)
    update = names.get("update") or eval(source)
    state: Any = None
    for batch in batches:
        state = update(list(batch), state)
        assert isinstance(state, float)
    assert not batches or state == sum(map(sum, batches))


def test_one_of_several_sums_may_begin_with_a_float() -> None:
    sums = "return s + sum(v[0] for v in new), c + sum(v[1] for v in new)"
    for first, begins in (("(0.0, 0.0)", True), ("(0, 0.0)", True), ("(0, 0)", False)):
        found = fold(f"def f(new, last):\n    s, c = last or {first}\n    {sums}", PAIR, one_each=True)
        of_ints = 'F.sum(F.col("n").cast("double"))' if begins else 'exact_sum("n")'
        assert (codes(found), found.begins_as_float) == (['F.sum("x")', of_ints], begins)


def test_a_function_may_need_an_initial_state() -> None:
    assert fold(MEAN.format("")).fails_at_first
    with pytest.raises(Refusal, match="no state"):
        fold("def update(new, last):\n    total, count = None\n    return total, count")


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("lambda new, last: sum(new) + 1 + (last or 0) - 1", X),
        ("lambda new, last: (last or 0) - (0 - sum(new))", X),
        ("lambda new, last: sum(new) + (0 - len(new)) + len(new) + (last or 0)", X),
        ("lambda new, last: int(sum(new)) + (last or 0)", X),
        ("lambda new, last: reduce(add, new) + (last or 0) if new else last", X),
        ("lambda new, last: sum(new + [1]) + (last or 0)", X),
        ("def f(new, last):\n    t = 1\n    for v in new:\n        t += v\n    return t + (last or -1)", X),
        ("lambda new, last: (sum(new) or 0.0) + (last or 0)", N),
        ("lambda new, last: sum(new) + (0.0 if last else 0)", N),
        ("lambda new, last: sum(new) + (last or 0.0) if last is not None else sum(new)", N),
        ("lambda new, last: [sum(v[0] for v in new), sum(v[1] for v in new)]", PAIR),
        ("lambda new, last: (sum(v[1] for v in new), 0 if last is None else last[0])", PAIR),
        ("lambda new, last: (sum(v[0] for v in new if v), sum(v[1] for v in new))", PAIR),
        ("def f(new, last):\n    g = (v[0] for v in new)\n    return sum(g) + (last or 0)", PAIR),
    ],
)
def test_what_may_round_otherwise_is_no_running_sum(source: str, value: Element) -> None:
    with pytest.raises(Refusal):
        fold(source, value, one_each=True)
