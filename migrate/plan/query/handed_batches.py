"""A batch function that only hands its batch on to a function of the program: a lambda does that."""

from __future__ import annotations

import ast

from migrate.plan.draft.draft import Draft
from migrate.plan.new_code.code import Chain, Written
from migrate.plan.new_code.function_call import Argument, FunctionCall
from migrate.plan.new_code.planned_module import BatchFunction
from migrate.syntax.nodes import walk

_LONGEST = 70
"""The columns that such a lambda may have, below ``query = (``."""


def handing_lambda(draft: Draft, function: BatchFunction) -> str | None:
    """The code of a lambda that does what a batch function does: ``lambda batch, batch_id: save(batch)``.

    None where it does more than call one function of the program with the batch beside names and constants.
    """
    match function.body:
        case [Written(code=Chain() as code, body=(), orelse=(), when=())]:
            call = code.called
        case _:
            return None
    if call is None or code.calls or code.target or code.returned:
        return None
    batch = [one for one in call.arguments if one.code == function.parameters[0]]
    plain = all(one in batch or _is_plain(one) for one in call.arguments)
    if len(batch) != 1 or not plain or not _is_of_program(draft, call.function):
        return None
    head = f"lambda {', '.join(function.parameters)}: "
    return f"{head}{call.code}" if len(head) + _length(call) <= _LONGEST else None


def _is_plain(given: Argument) -> bool:
    """Whether an argument is a name or a constant."""
    return given.is_variable or isinstance(given.node, ast.Name | ast.Constant)


def _length(call: FunctionCall) -> int:
    """The columns of a call, about."""
    given = [one.code if one.node is None else ast.unparse(one.node) for one in call.arguments]
    return sum(len(f"{one}, ") for one in (ast.unparse(call.function), *given))


def _is_of_program(draft: Draft, called: ast.expr) -> bool:
    """Whether code is the name of a function of the program, or of one of a module that it imports."""
    if not isinstance(called, ast.Name | ast.Attribute):
        return False
    names = [node.id for node in walk(called) if isinstance(node, ast.Name)]
    bindings = draft.basis.facts.bindings
    return len(names) == 1 and bool(bindings.get(names[0]))
