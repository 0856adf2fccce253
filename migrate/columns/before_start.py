"""What a program binds before it starts, as values: ``word``, ``args.top``, ``self.limit``.

So are the other parameters of a callback, which have a value in each batch: ``def save(rdd, limit)``.
"""

from __future__ import annotations

import ast

from migrate.columns import code
from migrate.columns.compiler import Compiler, Names
from migrate.columns.element import Value
from migrate.columns.messages import refusal
from migrate.columns.shapes import Int, Unknown
from migrate.syntax.nodes import root_of


def reads_outer(node: ast.expr, names: Names) -> bool:
    """Return whether an expression is a variable of the program, or an attribute of one."""
    root = root_of(node)
    return isinstance(root, ast.Name) and root.id not in names


def before_start(
    compiler: Compiler, node: ast.Name | ast.Attribute, *, is_compared: bool = False
) -> Value | None:
    """Return what the program binds before it starts; None where that is not known of it.

    Args:
        compiler: the compiler.
        node: the variable or the attribute.
        is_compared: whether it is a side of a comparison.

    Raises:
        Refusal: no column holds it.
    """
    settled = compiler.scope.settled(node) or compiler.scope.given(node)
    if settled is None:
        return None
    if settled.pattern is not None:
        return settled
    if isinstance(settled.of, Unknown):
        raise refusal(node, settled.of.reason)
    if settled.kind is not None:
        return settled
    if isinstance(settled.of, Int) and not is_compared:
        raise refusal(node, "an int of 32 or of 64 bits has a Column form only where it is compared")
    return code.settled(settled.variable, settled.of)
