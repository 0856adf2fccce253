"""Branches that put streams out, or do not: the batch function takes the same ones in each batch.

``if debug: counts.pprint()`` is decided once, where the graph is built. The batch function can ask again if
the test gives the same then.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from migrate.graph.blocked import Blocked
from migrate.graph.operations import Condition
from migrate.plan.draft.basis import Basis
from migrate.plan.new_code.code import When
from migrate.proofs.values.loop_invariant import is_lasting_test
from migrate.proofs.values.set_once import is_set_once
from migrate.syntax.nodes import walk
from migrate.syntax.quoting import quoted

_OPPOSITE = {
    ast.Eq: "!=",
    ast.NotEq: "==",
    ast.Is: "is not",
    ast.IsNot: "is",
    ast.In: "not in",
    ast.NotIn: "in",
}


def branches_of(
    conditions: Sequence[Condition], basis: Basis, held: Callable[[Condition], str] | None = None
) -> tuple[When, ...]:
    """The branches of the program under whose conditions a statement runs, the outermost first.

    Args:
        conditions: the conditions.
        basis: what the plan rests on.
        held: gives the variable of a test that is made once, or an empty text.

    Raises:
        Blocked: what is tested may be something else in a later batch.
    """
    found = []
    for condition in conditions:
        test = condition.branch.test
        gone = condition.branch if condition.branch in basis.place.deleted else None
        goes = _reads_what_goes(test, basis)
        lasts = not goes and (is_lasting_test(test, basis.facts) or _is_of_object(test, basis))
        name = held(condition) if held and not (goes or lasts) and len(conditions) == 1 else ""
        if name:
            found.append(When(name, holds=condition.holds, opposite=f"not {name}", branch=gone))
            continue
        if not lasts:
            raise Blocked(
                f"`{ast.unparse(test)}` chooses what is put out, and may be something else in a later batch: "
                "assign it to a name of its own first",
                at=condition.branch,
            )
        found.append(When(quoted(test), holds=condition.holds, opposite=opposite(test), branch=gone))
    return tuple(found)


def _is_of_object(test: ast.expr, basis: Basis) -> bool:
    """Whether a test in a method that takes batches is an attribute that its object always has."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        test = test.operand
    return basis.program.scope in basis.place.per_batch and is_set_once(test, basis.facts)


def _reads_what_goes(test: ast.expr, basis: Basis) -> bool:
    """Whether a test reads a variable that a statement of the graph binds."""
    program = basis.program
    gone = {*program.removed, *(line.statement for line in program.lines)}
    names = [node.id for node in walk(test) if isinstance(node, ast.Name)]
    bindings = (node for name in names for node in basis.facts.bindings.get(name, ()))
    return any(basis.facts.statement_of(node) in gone for node in bindings)


def opposite(test: ast.expr) -> str:
    """The code of the opposite of a test."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return quoted(operand)
        case ast.Compare(left=left, ops=[operator], comparators=[right]) if type(operator) in _OPPOSITE:
            return f"{quoted(left)} {_OPPOSITE[type(operator)]} {quoted(right)}"
    return f"not {quoted(test)}"
