"""Tests of branches that may give something else in a later batch: they are made once, where these stood.

debug = bool(config["debug"])
"""

from __future__ import annotations

import ast

from migrate.graph.operations import Condition
from migrate.plan.draft.draft import Draft
from migrate.plan.new_code.inner import Inner, Put
from migrate.syntax.nodes import walk
from migrate.syntax.quoting import quoted

_READS = (ast.Name, ast.Attribute, ast.Subscript, ast.Constant, ast.Compare, ast.BoolOp, ast.UnaryOp)
_PARTS = (*_READS, ast.expr_context, ast.cmpop, ast.boolop, ast.unaryop)


class HeldTests:
    """Gives such tests variables, above the batch function and in reach of it."""

    def __init__(self, draft: Draft) -> None:
        self._draft = draft
        self._names: dict[ast.If, str] = {}

    def name(self, condition: Condition) -> str:
        """The variable of a condition's test; empty where it cannot have one."""
        branch, basis = condition.branch, self._draft.basis
        known = self._names.get(branch)
        if known is not None:
            return known
        tree, place = basis.program.tree, basis.place
        beside = place.anchor in tree.block_of(branch) and tree.scope_of(branch) is place.scope
        whole = branch in place.deleted or branch is place.anchor
        if not (beside and whole and _only_reads(branch.test)):
            return ""
        name = self._names[branch] = self._draft.fresh(_wanted(branch.test), anywhere=True)
        test = quoted(branch.test)
        is_bool = isinstance(branch.test, ast.Compare | ast.UnaryOp)
        code = f"{name} = {test}" if is_bool else f"{name} = bool({test})"
        # the comments of the branch go with it
        self._draft.need(inner=Inner(before=((branch, Put(code)),)))
        return name


def _only_reads(test: ast.expr) -> bool:
    """Whether a test is made of names, their parts and comparisons: ``options.get("n") != config["n"]``."""
    nodes = {*walk(test)}
    calls = [node for node in nodes if isinstance(node, ast.Call)]
    gets = all(isinstance(call.func, ast.Attribute) and call.func.attr == "get" for call in calls)
    return gets and all(isinstance(node, _PARTS) for node in nodes.difference(calls))


def _wanted(test: ast.expr) -> str:
    """A name for a test: ``is_count`` for ``config["mode"] == "count"``, `debug` for ``config["debug"]``."""
    match test:
        case ast.UnaryOp(ast.Not(), operand):
            return f"no_{_wanted(operand)}"
        case ast.Compare(_, [ast.Eq()], [ast.Constant(str(word))]) if word.isidentifier():
            return f"is_{word.lower()}"
        case ast.Name(name):
            return f"has_{name.lower()}"
    parts = (node.slice if isinstance(node, ast.Subscript) else node for node in walk(test))
    read = (part.args[0] if isinstance(part, ast.Call) and part.args else part for part in parts)
    words = [node.value for node in read if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    words += [node.attr for node in walk(test) if isinstance(node, ast.Attribute) and node.attr != "get"]
    found = next((word.lower() for word in words if word.isidentifier()), "")
    plain = isinstance(test, ast.Subscript | ast.Attribute | ast.Call)
    return (found if plain else f"has_{found}") if found else "is_chosen"
