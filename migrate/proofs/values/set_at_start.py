"""Variables of a module that one of its functions sets before it calls the one that builds the query.

def start():
    global tags
    tags = sys.argv[1:]
    main()
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass

from migrate.proofs.analysis.called_functions import calls_of
from migrate.proofs.analysis.facts import Facts

_DEPTH = 5
"""How many functions may call each other on the way to the one that builds the query."""


@dataclass(frozen=True)
class Setter:
    """A function that runs once, and calls another one on a line of its own that builds the query."""

    function: ast.FunctionDef
    builds: int


def setter_of(bindings: Sequence[ast.AST], facts: Facts) -> Setter | None:
    """Return the function that all of some bindings are in; None for any other, or for several."""
    functions = {_function_of(binding, facts) for binding in bindings}
    setter = functions.pop()
    if functions or not isinstance(setter, ast.FunctionDef):
        return None
    called = _only_call(setter, facts)
    if called is None or _function_of(called, facts) is not None:
        return None
    builds = _call_that_builds(setter, facts)
    return Setter(setter, builds.lineno) if builds is not None else None


def _call_that_builds(setter: ast.FunctionDef, facts: Facts) -> ast.Call | None:
    """The only call in a function that leads to the one that builds the query."""
    function: ast.AST | None = facts.program.scope
    for _ in range(_DEPTH):
        if not isinstance(function, ast.FunctionDef) or function is setter:
            return None
        call = _only_call(function, facts)
        if call is None:
            return None
        function = _function_of(call, facts)
        if function is setter:
            return call
    return None


def _only_call(function: ast.FunctionDef, facts: Facts) -> ast.Call | None:
    """The only call of a function, which is in no loop; None where there are others."""
    if function not in facts.above:
        return None
    calls = calls_of(function, facts) or []
    if len(calls) != 1 or calls[0] not in facts.above:
        return None
    above: ast.AST | None = calls[0]
    while above is not None and not isinstance(above, ast.FunctionDef | ast.Lambda):
        if isinstance(above, ast.For | ast.While | ast.comprehension | ast.ClassDef):
            return None
        above = facts.above.get(above)
    return calls[0]


def _function_of(node: ast.AST, facts: Facts) -> ast.AST | None:
    """The function that a node is in; None for the module."""
    above = facts.above.get(node)
    while above is not None and not isinstance(above, ast.FunctionDef | ast.Lambda):
        above = facts.above.get(above)
    return above
