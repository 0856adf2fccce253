"""What the outputs of a module are given, whichever program they are of."""

from __future__ import annotations

import ast

from migrate.syntax.nodes import of_kinds


def given_to_outputs(tree: ast.Module) -> list[ast.expr]:
    """The arguments of all ``foreachRDD``: ``save`` of ``lines.foreachRDD(save)``."""
    return [
        given
        for call in of_kinds(tree, ast.Call)
        if isinstance(call.func, ast.Attribute) and call.func.attr == "foreachRDD"
        for given in call.args
    ]
