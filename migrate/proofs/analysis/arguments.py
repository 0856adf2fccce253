"""Arguments for the parameters of functions that a graph goes through once."""

from __future__ import annotations

import ast

from migrate.graph.program import Program
from migrate.syntax.nodes import walk
from migrate.syntax.tree import parameter_names


def argument_of(node: ast.expr, function: ast.AST, program: Program) -> tuple[ast.expr, ast.AST] | None:
    """The argument for a parameter in the only call of a function, and the function around that call."""
    call = program.reading.entered.get(function)
    if not (isinstance(node, ast.Name) and isinstance(function, ast.FunctionDef) and call is not None):
        return None
    names = parameter_names(function)
    stored = any(
        isinstance(part, ast.Name) and part.id == node.id and not isinstance(part.ctx, ast.Load)
        for part in walk(function)
    )
    spread = any(isinstance(argument, ast.Starred) for argument in call.args)
    if node.id not in names or stored or spread or any(k.arg is None for k in call.keywords):
        return None
    tree = program.tree
    method = tree.class_of(function) is not None and not function.decorator_list
    position = names.index(node.id)
    if position < method:
        return None  # the object itself
    method = method and call not in program.reading.unbound
    given = {keyword.arg: keyword.value for keyword in call.keywords}
    if node.id in given:
        return given[node.id], tree.scope_of(call)
    if position - method < len(call.args):
        return call.args[position - method], tree.scope_of(call)
    defaults = function.args.defaults
    late = position - (len(names) - len(defaults))
    return (defaults[late], tree.scope_of(function)) if late >= 0 else None


def as_given(node: ast.expr, program: Program) -> tuple[ast.expr, ast.AST]:
    """What an expression is where the graph's own function calls others, each of them once.

    Returns:
        The expression, or the argument for a parameter; and the function, or the module, that reads it.
    """
    function, entries = program.tree.scope_of(node), program.reading.entries
    while function is not program.scope and len(entries.get(function, ())) == 1:
        found = argument_of(node, function, program) if function not in program.called_by_others else None
        if found is None:
            break
        node, function = found
    return node, function
