"""Functions that alone hold what they are given, and may change it: a dict that the one before them made.

def scored(tweet):
    tweet["score"] = len(tweet["text"])
    return tweet

lines.map(json.loads).map(scored)
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace

from migrate.columns.element import Scope
from migrate.knowledge.libraries import JSON_READERS
from migrate.proofs.analysis.facts import Facts
from migrate.syntax.nodes import walk
from migrate.syntax.tree import parameter_names


def scope_of_new(scope: Scope, function: ast.expr, makers: Sequence[ast.expr], facts: Facts) -> Scope:
    """The scope for a function of elements, which may change them if nothing else holds them.

    Args:
        scope: the names that it reads.
        function: the function.
        makers: the functions of the maps before it, from the source on.
        facts: the names of the module.
    """
    if any(facts.of(maker) is not facts.of(function) for maker in makers):
        return scope
    facts = facts.of(function)
    definition = _definition(function, scope)
    is_new = False
    for maker in makers:
        is_new = _gives_new(maker, scope, facts, given=is_new)
    return replace(scope, new=frozenset({definition})) if is_new and definition is not None else scope


def _definition(function: ast.expr, scope: Scope) -> ast.FunctionDef | None:
    """The function that is called with an element: ``scored`` or ``lambda tweet: scored(tweet)``."""
    match function:
        case ast.Lambda(
            args=ast.arguments(args=[ast.arg(own)]),
            body=ast.Call(ast.Name() as called, [ast.Name(given)], []),
        ):
            function = called if own == given else function
    found = scope.functions.get(function.id) if isinstance(function, ast.Name) else None
    return found if isinstance(found, ast.FunctionDef) else None


def _gives_new(function: ast.expr, scope: Scope, facts: Facts, *, given: bool) -> bool:
    """Whether a function gives a dict that nothing else holds, if it is `given` one, or in any case."""
    if facts.qualified(function) in JSON_READERS:
        return True
    definition = _definition(function, scope)
    if definition is not None:
        returns = [node.value for node in walk(definition) if isinstance(node, ast.Return)]
        names = parameter_names(definition)
    elif isinstance(function, ast.Lambda):
        returns, names = [function.body], parameter_names(function)
    else:
        return False
    return bool(returns) and all(_is_new(value, names if given else [], facts) for value in returns)


def _is_new(value: ast.expr | None, given: Sequence[str], facts: Facts) -> bool:
    match value:
        case None | ast.Constant() | ast.Dict() | ast.DictComp():
            return True
        case ast.Name(name):
            return name in given
        case ast.Call(called):
            return facts.qualified(called) in JSON_READERS
    return False
