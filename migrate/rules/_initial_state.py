"""The initial state of ``updateStateByKey``: a list of pairs that the program's ``parallelize`` is given."""

from __future__ import annotations

import ast
from typing import Any

from migrate.columns import (
    Element,
    Refusal,
    Scalar,
)
from migrate.columns.reduces import SMALL
from migrate.columns.shapes import Str
from migrate.plan.step import Step
from migrate.proofs.constants import constant
from migrate.syntax.quoting import quoted


def initial_pairs(step: Step, node: ast.expr, key: Element) -> tuple[ast.stmt, str, bool]:
    """The statement ``initial = sc.parallelize([...])`` and its list, if this call alone reads `initial`.

    Also whether some count of it is so large that it matters for sums.
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
    if not isinstance(pairs, list) or not _counts(pairs):
        raise Refusal("the initial state is not a list of different texts with an int of 64 bits each", node)
    return statement, quoted(listed), _largest(pairs) > SMALL


def _largest(pairs: list[Any]) -> int:
    largest: int = max(abs(pair[1]) for pair in pairs)
    return largest


def _counts(pairs: list[object]) -> bool:
    """Whether a list holds pairs of a text and an int, each text once: of equal keys DStream takes one."""
    keys = []
    for item in pairs:
        if not (isinstance(item, tuple) and len(item) == 2):
            return False
        key, count = item
        if not isinstance(key, str) or type(count) is not int or not -(2**63) <= count < 2**63:
            return False
        keys.append(key)
    return bool(keys) and len(set(keys)) == len(keys)
