"""Callbacks that show intervals without input, which is known before any line of a graph is planned."""

from __future__ import annotations

from migrate.frozen import replace
from migrate.graph.cassandra import saved_rdd
from migrate.graph.program import Operation, Program
from migrate.knowledge.streaming import QUEUE
from migrate.plan.checks.callbacks import Batches, WithoutInput, check
from migrate.proofs.analysis.facts import Facts
from migrate.proofs.callbacks.guards import may_come_without_input
from migrate.proofs.callbacks.roles import NotTheSame, given_callback
from migrate.proofs.values.column_names import column_scope


def shows_intervals(program: Program, facts: Facts) -> bool:
    """Whether an output does something in intervals without input, so that each needs a batch.

    Args:
        program: the graph.
        facts: the names of its modules.
    """
    if any(source.operator == QUEUE for source in program.sources):
        return False  # a queue has a batch in each
    return any(_shows_intervals(output, program, facts.of(output.call)) for output in program.outputs)


def _shows_intervals(output: Operation, program: Program, facts: Facts) -> bool:
    function = output.call.args[0] if len(output.call.args) == 1 else None
    if output.operator != "foreachRDD" or function is None or saved_rdd(output.use) is not None:
        return False
    callback = given_callback(function, facts)
    if callback is None:
        return False
    callback = replace(callback, repeated=may_come_without_input(output, facts))
    batches = Batches(exact=True, recovered=bool(program.recovering))  # of partitions the plan asks
    try:
        check(callback, facts, column_scope(output.call.lineno, facts), batches)
    except WithoutInput:
        return True
    except NotTheSame:
        return False
    return False
