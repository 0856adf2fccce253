"""Carries every stream of a program through the rules."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace

from migrate.columns import Refusal
from migrate.graph.blocked import Blocked
from migrate.graph.program import Line, Operation, Program, upstream
from migrate.knowledge.streaming import GROUPED_BY_KEY
from migrate.model import Tier
from migrate.plan.plan import Plan
from migrate.plan.stages import Choices, Frame, RatherError, Rdd, Stage, to_rdd
from migrate.plan.step import Step
from migrate.rules import rule_for


def parameter_name(node: ast.expr | None) -> str | None:
    """The name of a function's only parameter."""
    if isinstance(node, ast.Lambda) and len(node.args.args) == 1:
        return node.args.args[0].arg
    return None


def hint_for(operation: Operation) -> str | None:
    """What the program calls a stream, or one element of it in the function that reads it next."""
    if operation.target is not None:
        return operation.target
    for consumer in operation.consumers:
        name = parameter_name(consumer.call.args[0]) if consumer.call.args else None
        if name is not None and len(name) > 1:
            return name
    return None


def live_operations(program: Program) -> set[Operation]:
    """The streams and outputs that some output needs."""
    return set().union(*map(upstream, program.outputs))


def advance(plan: Plan, operation: Operation) -> Stage:
    """The stage of a stream, from those of its parents: as columns where that is proven, else as an RDD.

    In between, as columns that a Python function makes, where the types of its results are proven.

    Raises:
        Blocked: no way is proven to be the same.
        RatherError: it goes on as an RDD after Python functions that made columns.
    """
    rule = rule_for(operation.operator)
    step = Step(plan, operation, hint_for(operation))
    if rule is None:
        raise step.blocked("it has no native form yet")
    if not plan.allowed(rule.id):
        raise step.blocked(f"the rule {rule.id} is switched off")
    parents = [plan.stages[parent] for parent in operation.parents]
    refused = plan.choices.as_rdd.get(operation.call, "")
    frames = [stage for stage in parents if isinstance(stage, Frame)]
    if len(frames) == len(parents) and not refused:
        try:
            stage: Stage = replace(rule.column(step, *frames), hint=step.hint)
            plan.tiers[operation.use] = Tier.COLUMN
            plan.reasons[operation.use] = rule.summary
            return stage
        except Refusal as refusal:
            refused = refusal.reason
        if operation.call not in plan.choices.as_rdd and not any(frame.kept for frame in frames):
            try:
                stage = replace(rule.python(step, *frames), hint=step.hint)
            except Refusal:
                pass
            else:
                plan.over_arrow.add(operation.call)
                plan.tiers[operation.use] = Tier.PYTHON
                plan.reasons[operation.use] = refused
                return stage
    if plan.state is not None and operation in upstream(plan.state):
        if not plan.event_time:
            raise RatherError(Choices(keeps_states=True))
        why = refused or "it is not a DataFrame operation"
        raise step.blocked(f"{why}, and `{plan.state.operator}` after it reads columns only")
    try:
        result = rule.rdd(step, *(stage if isinstance(stage, Rdd) else to_rdd(stage) for stage in parents))
    except Blocked as blocked:
        if refused:
            raise step.blocked(
                f"no Column form ({refused}), and {_without_name(blocked, operation)}"
            ) from None
        raise
    plan.tiers[operation.use] = Tier.RDD
    plan.reasons[operation.use] = refused or "it reads an RDD"
    return result


def _without_name(blocked: Blocked, operation: Operation) -> str:
    return blocked.reason.removeprefix(f"`{operation.operator}`: ")


def deferred(line: Line, stage: Stage) -> bool:
    """Whether a line's stream is written as part of what reads it: a map into pairs before a ``groupBy``."""
    last = line.operations[-1]
    readers: Sequence[Operation] = last.consumers
    return (
        isinstance(stage, Frame)
        and stage.pending
        and bool(readers)
        and all(reader.operator in GROUPED_BY_KEY for reader in readers)
    )
