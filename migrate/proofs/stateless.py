"""Stateless code: it, and the functions that it calls, change only objects that they have made.

It may do what a closed list allows; all else may remember something from one call to the next.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence, Set

from migrate.knowledge import builtins, methods
from migrate.proofs.call_graph import Reached
from migrate.proofs.called_functions import called_function
from migrate.proofs.constants import constant
from migrate.proofs.facts import Facts
from migrate.proofs.summary import Summary
from migrate.syntax.nodes import walk

_FORBIDDEN = (
    *(ast.Global, ast.Nonlocal, ast.NamedExpr, ast.AugAssign, ast.Delete, ast.Break, ast.While, ast.With),
    *(ast.Try, ast.Await, ast.ClassDef, ast.FunctionDef, ast.Import, ast.ImportFrom, ast.Starred),
)
NOTHING: frozenset[str] = frozenset()


def is_stateless(given: Sequence[ast.AST], own: Set[str], fresh: Set[str], facts: Facts) -> bool:
    """Whether code changes only objects that it has made, and reads nothing that changes when it is read.

    Args:
        given: the code.
        own: names that are its own.
        fresh: those of its own names that are collections which it may fill.
        facts: the names of the module.
    """
    for summary in Reached(given, facts).code:
        nodes = [node for part in summary.body for node in walk(part)]
        if any(isinstance(node, _FORBIDDEN) for node in nodes):
            return False
        if any(called.bound for _, called in summary.references):
            return False
        names, filled = (own, fresh) if summary.node in given else (NOTHING, NOTHING)
        if not all(_is_harmless(node, summary, names, filled) for node in nodes):
            return False
    return True


def _is_harmless(node: ast.AST, summary: Summary, own: Set[str], fresh: Set[str]) -> bool:
    if isinstance(node, ast.Subscript | ast.Attribute) and not isinstance(node.ctx, ast.Load):
        return False
    if isinstance(node, ast.Call):
        function = node.func
        if isinstance(function, ast.Attribute):
            fills = isinstance(function.value, ast.Name) and function.value.id in fresh
            return function.attr in methods.READS or (fills and function.attr in methods.FILLS_IN_ORDER)
        return isinstance(function, ast.Name)  # which one, is asked of the name
    if not isinstance(node, ast.Name) or isinstance(node.ctx, ast.Store):
        return True
    facts, parent = summary.facts, summary.facts.above[node]
    called = isinstance(parent, ast.Call) and parent.func is node
    if node.id in own or summary.owns(node):
        return not called
    if called_function(node, facts) is not None:
        return True  # it is asked by itself
    if not facts.bindings.get(node.id):
        return node.id in builtins.PURE | builtins.CONSTANTS
    if called:
        return False
    if isinstance(parent, ast.Attribute):
        return parent.attr in methods.READS or parent.attr == "value"
    method = parent.func if isinstance(parent, ast.Call) else None
    if isinstance(method, ast.Attribute) and method.attr in methods.READS_OBJECT:
        return True
    return isinstance(parent, ast.Compare) or constant(node.id, node.lineno, facts)[0]
