"""Functions that a function defines for itself.

    def distance(event):
        def place(name):
            return json.loads(event[name])["lat"]
        return place("phone") - place("shop")

They read variables of the function around them as these are when they are called.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.columns.element import Refusal
from migrate.syntax.nodes import LEAVES, children, walk

_SCOPES = (ast.FunctionDef, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def own_nodes(function: ast.FunctionDef) -> Iterator[ast.AST]:
    """The nodes of a function's statements that are in no scope inside of it; such a scope is one node."""
    pending: list[ast.AST] = [*function.body]
    while pending:
        node = pending.pop()
        yield node
        if type(node) not in LEAVES and not isinstance(node, _SCOPES):
            pending += children(node)


def free(function: ast.FunctionDef) -> frozenset[str]:
    """The names that a function reads and does not bind."""
    nodes = [node for node in walk(function) if isinstance(node, ast.Name)]
    bound = {node.id for node in nodes if isinstance(node.ctx, ast.Store)}
    bound |= {node.arg for node in walk(function) if isinstance(node, ast.arg)}
    return frozenset({node.id for node in nodes} - bound)


def check_followed(inner: ast.FunctionDef, outer: ast.FunctionDef) -> None:
    """Check that a name in a function means what it means where the function is called.

    Raises:
        Refusal: it reads another function of the outer one, or a scope where it is called has the name too.
    """
    functions = {node.name for node in walk(outer) if isinstance(node, ast.FunctionDef)} - {outer.name}
    scopes = [node for node in own_nodes(outer) if isinstance(node, _SCOPES) and node is not inner]
    names = {
        node.id for scope in scopes for node in walk(scope) if isinstance(node, ast.Name) and _is_stored(node)
    }
    names |= {node.arg for scope in scopes for node in walk(scope) if isinstance(node, ast.arg)}
    if free(inner) & (functions | names):
        raise Refusal(f"it is not known what a name in `{inner.name}` is where that is called", inner)


def _is_stored(node: ast.Name) -> bool:
    return isinstance(node.ctx, ast.Store)
