"""Stateless code: it, and the functions that it calls, change only objects that they have made.

It may do what a closed list allows; all else may remember something from one call to the next.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence, Set

from migrate.knowledge import builtins, methods
from migrate.knowledge.outside import ASKS
from migrate.proofs.analysis.aliases import root_of
from migrate.proofs.analysis.call_graph import Reached
from migrate.proofs.analysis.called_functions import called_function
from migrate.proofs.analysis.facts import Facts
from migrate.proofs.analysis.summary import Summary
from migrate.proofs.values.constants import constant
from migrate.syntax.nodes import walk

_FORBIDDEN = (
    *(ast.Global, ast.Nonlocal, ast.NamedExpr, ast.Delete, ast.With, ast.Await),
    *(ast.ClassDef, ast.FunctionDef, ast.Import, ast.ImportFrom, ast.Starred),
)
_STEPWISE = (ast.AugAssign, ast.Break, ast.While, ast.Try)
"""Statements that may change objects of others, or end otherwise than by a result."""
NOTHING: frozenset[str] = frozenset()


def is_stateless(
    given: Sequence[ast.AST],
    own: Set[str],
    fresh: Set[str],
    facts: Facts,
    library: Set[str] = NOTHING,
    *,
    typed: bool = False,
    clients: Set[str] = NOTHING,
) -> bool:
    """Whether code changes only objects that it has made, and reads nothing that changes when it is read.

    Args:
        given: the code.
        own: names that are its own.
        fresh: those of its own names that are collections which it may fill.
        facts: the names of the module.
        library: the qualified names of functions and classes of libraries that it may call; then it reads
            no variables of others, either, but constants.
        typed: whether the types of all its values are known, and so what it changes step by step.
        clients: those of its own names that are a library's clients, whose services it may ask.
    """
    for summary in Reached(given, facts).code:
        nodes = [node for part in summary.body for node in walk(part)]
        if any(isinstance(node, _FORBIDDEN if typed else (*_FORBIDDEN, *_STEPWISE)) for node in nodes):
            return False
        if any(called.bound for _, called in summary.references):
            return False
        here = summary.node in given
        names, filled = (own, fresh) if here else (NOTHING, NOTHING)
        if not all(
            _is_of_library(node, summary.facts, library)
            or (here and _asks(node, clients))
            or (
                _is_harmless(node, summary, names, filled)
                and not (library and _is_variable(node, summary, names))
            )
            for node in nodes
        ):
            return False
    return True


def _is_of_library(node: ast.AST, facts: Facts, library: Set[str]) -> bool:
    """Whether code is a call of a library, a part of its name, or a call of a method of what it has made."""
    if not library:
        return False
    if isinstance(node, ast.Call):
        function = node.func
        if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Call):
            return _is_of_library(function.value, facts, library)
        return facts.qualified(function) in library or _is_namedtuple(function, facts)
    named = node
    while isinstance(above := facts.above.get(named), ast.Attribute):
        named = above
    if not (isinstance(above, ast.Call) and above.func is named and isinstance(named, ast.expr)):
        return False
    return facts.qualified(named) in library or _is_namedtuple(named, facts)


def _asks(node: ast.AST, clients: Set[str]) -> bool:
    """``client.get(word)``, ``client.db.words.find_one(word)``."""
    if not (clients and isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
        return False
    root = root_of(node.func)
    return isinstance(root, ast.Name) and root.id in clients and node.func.attr in ASKS


def _is_caught(node: ast.Name, facts: Facts) -> bool:
    """Whether a name is that of what an ``except`` catches."""
    above = facts.above[node]
    handler = facts.above[above] if isinstance(above, ast.Tuple) else above
    return isinstance(handler, ast.ExceptHandler)


def _is_variable(node: ast.AST, summary: Summary, own: Set[str]) -> bool:
    """Whether code reads a variable that is neither its own nor a constant, or something imported."""
    if not isinstance(node, ast.Name) or node.id in own or summary.owns(node):
        return False
    facts = summary.facts
    if not facts.bindings.get(node.id) or called_function(node, facts) is not None:
        return False
    return not constant(node.id, node.lineno, facts)[0]


def _is_namedtuple(named: ast.expr, facts: Facts) -> bool:
    binding = facts.only_binding(named.id) if isinstance(named, ast.Name) else None
    made = facts.value_of(binding) if isinstance(binding, ast.Name) else None
    return isinstance(made, ast.Call) and facts.qualified(made.func) == "collections.namedtuple"


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
        plain = node.id in builtins.PURE | builtins.CONSTANTS and node.id not in facts.shadowed
        return plain or _is_caught(node, facts)
    if called:
        return False
    if isinstance(parent, ast.Attribute):
        return parent.attr in methods.READS or parent.attr == "value"
    method = parent.func if isinstance(parent, ast.Call) else None
    if isinstance(method, ast.Attribute) and method.attr in methods.READS_OBJECT:
        return True
    return isinstance(parent, ast.Compare) or constant(node.id, node.lineno, facts)[0]
