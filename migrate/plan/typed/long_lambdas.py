"""Lambdas that are too long for an argument of ``F.udf``: a ``def`` stands there instead."""

from __future__ import annotations

import ast

from migrate.plan.elements.row_functions import NewLambda
from migrate.proofs.analysis.facts import Facts
from migrate.syntax.quoting import names_in, quoted, quotes
from migrate.syntax.tree import parameter_names

_LONGEST = 88
"""The columns of what a lambda returns in a line of its own, at most."""


def long_lambda(function: str | NewLambda, facts: Facts) -> tuple[str, str] | None:
    """The parameters and the result of a lambda that has several lines, or that one cannot hold.

    Args:
        function: a function of new code.
        facts: the names of its module.

    Returns:
        None for any other function.
    """
    known = quotes(facts.tree)
    node = known.get(function) if isinstance(function, str) else None
    if isinstance(node, ast.Lambda):
        arguments = node.args
        if len(parameter_names(node)) != len(arguments.args) or arguments.defaults:
            return None
        signature, body = ", ".join(parameter_names(node)), quoted(node.body)
    elif isinstance(function, NewLambda) and function.parameters:
        signature, body = function.signature, function.body
    else:
        return None
    parts = {name: known[name] for name in names_in(body) if name in known}
    length = len(body) + sum(len(ast.unparse(part)) - len(name) for name, part in parts.items())
    has_lines = any(part.end_lineno != part.lineno for part in parts.values())
    return (signature, body) if has_lines or length > _LONGEST else None
