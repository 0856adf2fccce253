"""Loop-invariant arguments: they have the same value in each batch as when the graph was built.

DStream evaluates the arguments of its operators once. Only the code of a function runs, and reads variables,
in each batch.
"""

from __future__ import annotations

import ast

from migrate.knowledge import functions
from migrate.proofs.facts import Facts
from migrate.proofs.summary import given_to


def is_loop_invariant(node: ast.expr, facts: Facts) -> bool:
    """Whether evaluating an expression again, later, gives the same."""
    if isinstance(node, ast.Constant):
        return True
    if isinstance(node, ast.Lambda):
        defaults = [*node.args.defaults, *(value for value in node.args.kw_defaults if value is not None)]
        return all(is_loop_invariant(value, facts) for value in defaults)
    if isinstance(node, ast.Name):
        return _name_lasts(node.id, facts)
    if isinstance(node, ast.Attribute):
        return is_loop_invariant(node.value, facts) and not facts.stores_attribute(node.attr)
    if isinstance(node, ast.UnaryOp | ast.Tuple):
        return all(
            is_loop_invariant(part, facts)
            for part in ast.iter_child_nodes(node)
            if isinstance(part, ast.expr)
        )
    if isinstance(node, ast.Call):
        makes_function = facts.qualified(node.func) in functions.MAKES_FUNCTIONS
        return makes_function and all(is_loop_invariant(value, facts) for value in given_to(node))
    return False


def _name_lasts(name: str, facts: Facts) -> bool:
    """Whether a name of the batch function's place is bound once, by something that runs once."""
    program = facts.program
    home = facts.trace.scopes[program.scope].home(name)
    if home is None:
        return True  # a builtin, or a name that fails in any case
    if facts.is_declared_elsewhere(name):
        return False
    bindings = [node for node in facts.bindings.get(name, ()) if program.tree.scope_of(node) is home.node]
    return len(bindings) == 1 and (isinstance(bindings[0], ast.arg) or facts.visible(bindings[0]))
