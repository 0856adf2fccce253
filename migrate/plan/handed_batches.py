"""A batch function that only hands its batch on to a function of the program: a lambda does that."""

from __future__ import annotations

import ast

from migrate.plan.code import Written
from migrate.plan.draft import Draft
from migrate.plan.planned_module import BatchFunction
from migrate.syntax.nodes import parsed, walk
from migrate.syntax.quoting import quotes

_LONGEST = 70
"""The columns that such a lambda may have, below ``query = (``."""


def handing_lambda(draft: Draft, function: BatchFunction) -> str | None:
    """The code of a lambda that does what a batch function does: ``lambda batch, batch_id: save(batch)``.

    None where it does more than call one function of the program with the batch beside names and constants.
    """
    match function.body:
        case [Written(code=code, body=(), orelse=(), when=())]:
            text = code if isinstance(code, str) else code.statement
        case _:
            return None
    modules = draft.basis.program.modules
    user = {name: node for module in modules for name, node in quotes(module.tree).items()}
    match parsed(text).body:
        case [ast.Expr(ast.Call(ast.Name() | ast.Attribute() as called, given, keywords))]:
            values = [user.get(one.id, one) if isinstance(one, ast.Name) else one for one in given]
            values += [one.value for one in keywords]
            own = user.get(called.id, called) if isinstance(called, ast.Name) else called
        case _:
            return None
    batch = [one for one in values if isinstance(one, ast.Name) and one.id == function.parameters[0]]
    plain = all(isinstance(one, ast.Name | ast.Constant) for one in values)
    if len(batch) != 1 or not plain or not _is_of_program(draft, own):
        return None
    head = f"lambda {', '.join(function.parameters)}: "
    length = len(head) + sum(len(f"{ast.unparse(one)}, ") for one in (own, *values))
    return f"{head}{text}" if length <= _LONGEST else None


def _is_of_program(draft: Draft, called: ast.expr) -> bool:
    """Whether a name is one of a function of the program, or of a module that it imports."""
    names = [node.id for node in walk(called) if isinstance(node, ast.Name)]
    bindings = draft.basis.facts.bindings
    return len(names) == 1 and bool(bindings.get(names[0]))
