"""The names of facts: the program's own, so that they survive edits of other lines.

A stream that is assigned to a variable is called after it, ``events``, or ``main.events`` in a function; any
other by its code, ``events.map(parse)``, whose receiver is called by its name in turn.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator

_SCOPES = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def names_of_calls(tree: ast.Module) -> dict[ast.Call, str]:
    """The name of each method call's result."""
    found: dict[ast.Call, str] = {}
    _name(tree, "", found)
    return found


def _name(scope: ast.AST, prefix: str, found: dict[ast.Call, str]) -> None:
    nodes = list(_own(scope))
    bound = Counter(
        node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    )
    variables: dict[ast.Call, str] = {}
    for node in nodes:
        match node:
            case ast.Assign([ast.Name(name)], ast.Call() as call) if bound[name] == 1:
                variables[call] = name
            case ast.Assign([ast.Attribute() as target], ast.Call() as call):
                variables[call] = ast.unparse(target)
    calls = [node for node in nodes if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)]
    for call in calls:
        text = variables.get(call) or _text(call, variables)
        separator = "." if call in variables else ": "
        found[call] = f"{prefix}{separator}{text}" if prefix else text
    for node in nodes:
        if isinstance(node, _SCOPES):
            _name(node, f"{prefix}.{node.name}" if prefix else node.name, found)


def _text(call: ast.Call, variables: dict[ast.Call, str]) -> str:
    """The code of a call, in which a call that a variable holds stands as the variable."""
    if call in variables:
        return variables[call]
    assert isinstance(call.func, ast.Attribute)
    receiver = call.func.value
    chained = isinstance(receiver, ast.Call) and isinstance(receiver.func, ast.Attribute)
    before = (
        _text(receiver, variables) if chained and isinstance(receiver, ast.Call) else ast.unparse(receiver)
    )
    given = [*map(ast.unparse, call.args), *(ast.unparse(keyword) for keyword in call.keywords)]
    return f"{before}.{call.func.attr}({', '.join(given)})"


def _own(scope: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a scope, in which functions and classes are nodes without what is in them."""
    pending = list(ast.iter_child_nodes(scope))
    while pending:
        node = pending.pop(0)
        yield node
        if not isinstance(node, _SCOPES):
            pending += ast.iter_child_nodes(node)
