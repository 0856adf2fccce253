"""Counters that a callback keeps and nothing reads: ``batches += 1``, in intervals without input as well."""

from __future__ import annotations

import ast

from migrate.knowledge.builtins import READ_BY_NAME
from migrate.proofs.analysis.facts import Facts


def is_unread_counter(update: ast.AST, facts: Facts) -> bool:
    """Whether an update adds a number to a variable of the module that nothing in the project reads."""
    match update:
        case ast.AugAssign(ast.Name(name), ast.Add(), ast.Constant(int() | float())):
            own = facts.of(update)
            (module,) = (one for one in own.trace.modules if one.tree is own.tree)
            starts = [one for one in own.bindings.get(name, ()) if own.above[one] is not update]
            return (
                all(_is_number(own.above[one]) for one in starts)
                and name not in own.loads
                and READ_BY_NAME.isdisjoint(own.loads)
                and name not in own.trace.taken.of_module(module)
                and not module.form.has_cells
            )
    return False


def _is_number(statement: ast.AST) -> bool:
    """Whether a statement gives a variable a number, or adds one to it."""
    match statement:
        case ast.Assign(targets=[ast.Name()], value=ast.Constant(int() | float())):
            return True
        case ast.AugAssign(op=ast.Add(), value=ast.Constant(int() | float())):
            return True
    return False
