"""Names that a module reads where nothing binds them."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Sequence, Set

from migrate.knowledge.star_imports import may_bring
from migrate.syntax.cells import names_border
from migrate.syntax.nodes import LEAVES, children, of_kinds, once, walk

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_BINDING = frozenset(
    {
        *(ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.alias, ast.ExceptHandler),
        *(ast.MatchAs, ast.MatchStar, ast.MatchMapping),
    }
)
"""The nodes that bind names, beside names and parameters."""
_GIVEN = frozenset({*vars(builtins), "__class__", "__file__", "__path__"})
OF_SHELLS = frozenset({"sc", "spark", "sqlContext"})
"""What shells and notebooks have from the beginning."""


def unbound_names(tree: ast.Module) -> set[str]:
    """The names that a module reads where neither it nor a function around binds them.

    A variable of a class or a comprehension counts as one of what is around it. Names that a star
    import may bind are none of them.

    >>> sorted(unbound_names(ast.parse("def f(a):\\n    b = a\\n    return c\\nprint(b)")))
    ['b', 'c']
    """
    return once(tree, unbound_outside_shells) - OF_SHELLS


def unbound_outside_shells(tree: ast.Module) -> set[str]:
    """These names, and those that only a shell or a notebook defines."""
    imports = [node for node in of_kinds(tree, ast.ImportFrom) if node.names[0].name == "*"]
    stars = ["." * node.level + (node.module or "") for node in imports]
    declared = {name for node in of_kinds(tree, ast.Global) for name in node.names}
    found = _unbound(tree.body, declared) - _GIVEN
    return {name for name in found if not (names_border(name) or may_bring(stars, name))}


def _unbound(body: Iterable[ast.AST], visible: Set[str]) -> set[str]:
    """The names that a function, or a module, reads where nothing binds them.

    Args:
        body: its statements, or its expression.
        visible: the names that are bound around it, with those of its parameters.
    """
    bound: set[str] = set()
    read: set[str] = set()
    functions: list[ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda] = []
    left: list[ast.AST] = [*body]
    for node in left:  # grows while it is walked
        if isinstance(node, ast.Name):
            (read if isinstance(node.ctx, ast.Load) else bound).add(node.id)
            continue
        kind = type(node)
        if kind in _BINDING:
            bound.update(_bound(node))
        if kind in LEAVES:
            continue
        if not isinstance(node, _FUNCTIONS):
            left += node.__dict__.get("children") or children(node)
            continue
        functions.append(node)
        own: Sequence[ast.AST] = (node.body,) if isinstance(node, ast.Lambda) else node.body
        left += (child for child in children(node) if child not in own)  # defaults, decorators
    visible = visible | bound
    found = read - visible
    for function in functions:
        inside: Sequence[ast.AST] = [function.body] if isinstance(function, ast.Lambda) else function.body
        parameters = {node.arg for node in walk(function.args) if isinstance(node, ast.arg)}
        found |= _unbound(inside, visible | parameters)
    return found


def _bound(node: ast.AST) -> Iterable[str]:
    """The names that a node binds beside those that it has nodes for."""
    match node:
        case ast.FunctionDef(name) | ast.AsyncFunctionDef(name) | ast.ClassDef(name):
            return (name,)
        case ast.alias(name, other):
            return (other or name.split(".")[0],)
        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(str(name)):
            return (name,)
        case ast.MatchMapping(rest=str(name)):
            return (name,)
    return ()
