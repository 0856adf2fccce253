"""The initial state of ``updateStateByKey``: a list of pairs that the program's ``parallelize`` is given."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import Any

from migrate.columns import Element, Record, Refusal, Scalar, leaves
from migrate.columns.code import literal
from migrate.columns.reduces import SMALL
from migrate.columns.shapes import INT_MAX, INT_MIN, Float, Int, Str
from migrate.frozen import dataclass, replace
from migrate.plan.draft.step import Step
from migrate.proofs.analysis.facts import Facts
from migrate.proofs.values.constants import constant
from migrate.syntax.quoting import quoted
from migrate.syntax.tree import is_none

Row = tuple[Any, ...]
"""A key and the numbers of its state."""
AS_FLOATS = "whole numbers of the initial state are floats where floats are added to them: 0 is shown as 0.0"
_WHOLE = 2**53
"""Whole numbers up to here are floats exactly."""


@dataclass(frozen=True)
class Initial:
    """An initial state."""

    statement: ast.stmt
    """``initial = sc.parallelize([...])``."""
    code: str
    """Its list."""
    is_large: bool
    """Whether some number of it is so large that it matters for sums."""
    least: float
    """Its smallest number."""
    greatest: float
    """Its largest number."""

    @property
    def is_below(self) -> bool:
        """Whether some number of it is below 0."""
        return self.least < 0


def initial_of(step: Step, found: Mapping[str, ast.expr]) -> ast.expr | None:
    """The initial state among the arguments of ``updateStateByKey``; None for one that has no keys, too."""
    node = found.get("initialRDD")
    return None if node is None or is_none(node) or _is_empty(node, step.facts) else node


def _is_empty(node: ast.expr, facts: Facts) -> bool:
    """Whether an RDD has no elements: ``sc.parallelize([])``, ``sc.emptyRDD()``, or a name for it."""
    match node:
        case ast.Name(name):
            binding = facts.only_binding(name)
            held = facts.value_of(binding)
            seen = binding is not None and facts.visible(binding)
            return seen and isinstance(held, ast.Call | ast.List) and _is_empty(held, facts)
        case ast.Call(ast.Attribute(attr="emptyRDD"), [], []) | ast.List([]):
            return True
        case ast.Call(ast.Attribute(attr="parallelize"), [ast.List([]), *_]):
            return True
    return False


def initial_pairs(step: Step, node: ast.expr, key: Element, value: Element) -> Initial:
    """An initial state that is written out, if ``updateStateByKey`` alone reads it.

    Args:
        step: the ``updateStateByKey``.
        node: its initial state.
        key: the key's column.
        value: the columns of a state.

    Raises:
        Refusal: it is no list that is written out, of states that the columns can hold.
    """
    if not (isinstance(key, Scalar) and isinstance(key.shape, Str)):
        raise Refusal("with an initial state the keys must be texts", node)
    facts = step.facts
    binding = facts.only_binding(node.id) if isinstance(node, ast.Name) else None
    statement = facts.statement_of(binding) if binding is not None else None
    if not (
        isinstance(node, ast.Name)
        and isinstance(statement, ast.Assign)
        and step.program.tree.scope_of(statement) is step.program.scope
        and len(facts.loads.get(node.id, ())) == 1
        and isinstance(statement.value, ast.Call)
        and isinstance(statement.value.func, ast.Attribute)
        and statement.value.func.attr == "parallelize"
        and statement.value.args
    ):
        raise Refusal("the initial state is not made by `parallelize` from a list that is written out", node)
    listed = statement.value.args[0]
    try:
        if isinstance(listed, ast.Name):
            known, pairs = constant(listed.id, listed.lineno, facts)
        else:
            known, pairs = True, ast.literal_eval(listed)
    except (ValueError, SyntaxError):
        known, pairs = False, None
    if not known:
        raise Refusal("the initial state is not a list that is written out", node)
    numbers = leaves(value)
    rows = _rows(pairs, alone=isinstance(value, Scalar))
    if not rows or not all(_fit(row, numbers) for row in rows):
        raise Refusal("the initial state is not a list of different texts with the numbers of a state", node)
    converted = [_converted(row, numbers) for row in rows]
    if list(map(repr, converted)) != list(map(repr, rows)):
        check_shown(step, node, AS_FLOATS)
    if isinstance(value, Scalar) and not isinstance(value.shape, Float):
        code = quoted(listed)
    else:
        code = ", ".join(f"({', '.join(map(literal, row))})" for row in converted)
        code = f"[{code}]"
    numbers_of = [number for row in converted for number in row[1:]]
    large = any(type(number) is int and abs(number) > SMALL for number in numbers_of)
    return Initial(statement, code, large, min(numbers_of), max(numbers_of))


def with_others(key: Element, value: Element, initial: Initial) -> tuple[Element, Element]:
    """The columns of a state as the keys and numbers of an initial one have them, too."""
    assert isinstance(key, Scalar)

    def numbers(of: Element) -> Element:
        if isinstance(of, Record):
            return replace(of, items=tuple(map(numbers, of.items)))
        if isinstance(of.shape, Int) and initial.is_below:
            return replace(of, shape=replace(of.shape, low=INT_MIN))
        return of

    return replace(key, shape=Str()), numbers(value)


def _rows(pairs: object, *, alone: bool) -> list[Row]:
    """The rows of a list of pairs of a text and a state, each text once: of equal keys DStream takes one.

    Args:
        pairs: the list.
        alone: whether a state is a number, and no tuple.
    """
    rows: list[Row] = []
    for pair in pairs if isinstance(pairs, list) else ():
        match pair:
            case (str() as key, tuple() as state) if not alone:
                rows.append((key, *state))
            case (str() as key, state) if alone:
                rows.append((key, state))
            case _:
                return []
    return rows if len({row[0] for row in rows}) == len(rows) else []


def _fit(row: Row, columns: Sequence[Scalar]) -> bool:
    """Whether the columns of a state hold the numbers of a row: none of them is -0.0, which a sum is not."""
    return len(row) == len(columns) + 1 and all(
        (type(number) is float and number - number == 0 and str(number) != "-0.0")
        or (type(number) is int and abs(number) <= _WHOLE)
        if isinstance(column.shape, Float)
        else type(number) is int and INT_MIN <= number <= INT_MAX
        for number, column in zip(row[1:], columns, strict=True)
    )


def _converted(row: Row, columns: Sequence[Scalar]) -> Row:
    """The row with floats in the columns of floats."""
    key, *numbers = row
    pairs = zip(numbers, columns, strict=True)
    return key, *(float(number) if isinstance(column.shape, Float) else number for number, column in pairs)


def check_shown(step: Step, node: ast.expr, note: str) -> None:
    """Let whole numbers of a state be floats, where they are only printed.

    Args:
        step: the ``updateStateByKey``.
        node: what makes them whole.
        note: what is to be said of it.

    Raises:
        Refusal: more is done with them.
    """
    if any(output.operator != "pprint" for output in step.program.outputs):
        raise Refusal("whole numbers are among its floats, and may be shown as such", node)
    step.note(note)
