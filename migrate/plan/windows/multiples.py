"""Durations that are so many times another one, also where their seconds are not known.

seconds = int(sys.argv[1])
ssc = StreamingContext(sc, seconds)
lines.window(20 * seconds, seconds)
"""

from __future__ import annotations

import ast

from migrate.plan.draft.step import Step
from migrate.proofs.analysis.arguments import as_given
from migrate.proofs.values.durations import seconds, worked_out_from
from migrate.proofs.values.loop_invariant import is_loop_invariant


def times(step: Step, long: ast.expr, each: ast.expr) -> float | None:
    """How many times a duration another one is; None where that is not known.

    Args:
        step: the window.
        long: the duration.
        each: the other one, which is above 0.
    """
    # in milliseconds, as DStream counts them: 0.3 seconds are three times 0.1
    whole, one = (_milliseconds(node, step) for node in (long, each))
    return whole / one if whole is not None and one else _multiple(step, long, each)


def _milliseconds(node: ast.expr, step: Step) -> int | None:
    number = seconds(node, step.facts)
    return None if number is None else int(number * 1000)


def _multiple(step: Step, long: ast.expr, each: ast.expr) -> float | None:
    """The same of durations of which one is a product of the other."""
    if are_alike(long, each, step):
        return 1
    match long:
        case ast.BinOp(left, ast.Mult(), right):
            for factor, other in ((left, right), (right, left)):
                by, found = seconds(factor, step.facts), _multiple(step, other, each)
                if by is not None and found is not None:
                    return by * found
        case ast.Name():
            made_of = worked_out_from(long, step.facts.of(long))
            return None if made_of is None else _multiple(step, made_of, each)
    return None


def are_alike(one: ast.expr, other: ast.expr, step: Step) -> bool:
    """Whether two durations have the same code, whose names have the same value at both places.

    Parameters of functions that are called once stand for what they are given.
    """
    lasts = all(is_loop_invariant(node, step.facts) for node in (one, other))
    if lasts and ast.dump(one) == ast.dump(other):
        return True
    basis = step.basis.of_batch
    (one, where), (other, there) = (as_given(node, basis.program) for node in (one, other))
    lasts = all(is_loop_invariant(node, basis.facts.of(node)) for node in (one, other))
    return lasts and where is there is basis.program.scope and ast.dump(one) == ast.dump(other)
