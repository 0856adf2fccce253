"""Functions that several outputs hand their RDDs to: all of them give it a DataFrame, or none does."""

from __future__ import annotations

import ast

from migrate.graph.program import Operation
from migrate.plan.choices import Choices, RatherError
from migrate.plan.draft.step import Step
from migrate.plan.new_code.inner import Inner
from migrate.proofs.analysis.called_functions import called_function
from migrate.proofs.callbacks.roles import is_used_only_by

_OUTPUT = "foreachRDD"


def shared_callback(step: Step) -> ast.FunctionDef | None:
    """The function of an output that others of the program have as well, and nothing else.

    None if there is none, or if it takes RDDs.
    """
    uses = [use for output in step.program.outputs if (use := _named_by(output)) is not None]
    own = _named_by(step.operation)
    called = called_function(own, step.facts) if own is not None else None
    if called is None or called.node in step.choices.takes_rdds:
        return None
    same = [use for use in uses if ast.dump(use) == ast.dump(own)]  # type: ignore[arg-type]
    return called.node if len(same) > 1 and is_used_only_by(same, called.node, step.facts) else None


def change_alike(step: Step, function: ast.FunctionDef, changes: Inner) -> None:
    """Let a function take a DataFrame.

    Raises:
        RatherError: that of another output needs other changes in it.
    """
    if step.known.callbacks.get(function, changes) != changes:
        raise rather_rdds(function)
    step.need(callbacks={function: changes})


def rather_rdds(function: ast.FunctionDef) -> RatherError:
    """The choice that a function takes RDDs of all outputs."""
    return RatherError(Choices(takes_rdds=frozenset({function})))


def _named_by(output: Operation) -> ast.expr | None:
    """The name of an output's function: ``save``, also of ``lambda rdd: save(rdd, "counts")``."""
    call = output.call
    if output.operator != _OUTPUT or len(call.args) != 1 or call.keywords:
        return None
    match call.args[0]:
        case ast.Name() | ast.Attribute() as name:
            return name
        case ast.Lambda(args=arguments, body=ast.Call(func=ast.Name() | ast.Attribute() as name) as handing):
            given = [*handing.args, *(keyword.value for keyword in handing.keywords)]
            rdd = arguments.args[-1].arg if arguments.args else ""
            return name if any(isinstance(one, ast.Name) and one.id == rdd for one in given) else None
    return None
