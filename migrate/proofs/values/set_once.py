"""Attributes of objects that only their class sets, and nothing changes later."""

from __future__ import annotations

import ast

from migrate.proofs.analysis.facts import Facts
from migrate.proofs.values.loop_invariant import is_loop_invariant
from migrate.syntax import attributes


def is_set_once(node: ast.expr, facts: Facts) -> bool:
    """Whether an expression is an attribute, ``self.only_long``, that stays the same in its object."""
    if not isinstance(node, ast.Attribute) or not is_loop_invariant(node.value, facts):
        return False
    return attributes.is_set_once(node.attr, (module.tree for module in facts.trace.modules))
