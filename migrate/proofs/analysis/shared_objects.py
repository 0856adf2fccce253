"""Variables and attributes of modules that may share an object: ``other = seen``, ``self.words = seen``."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from migrate.knowledge import methods
from migrate.proofs.analysis.aliases import root_of
from migrate.syntax.nodes import of_kinds


def with_aliases(
    names: set[str], bound: list[tuple[ast.expr, ast.expr]], related: Callable[[ast.AST], set[str]]
) -> set[str]:
    """`names`, with all other names that may be bound to the same objects.

    Args:
        names: variables and attributes.
        bound: targets in the modules, each with its value.
        related: the variables and attributes that an expression has to do with.
    """
    found = set(names)
    pairs = [(related(target), related(value)) for target, value in bound] if found else []
    grown = bool(found)
    while grown:
        grown = False
        for targets, values in pairs:
            same = targets | values
            if targets and values and same & found and not same <= found:
                found |= same
                grown = True
    return found


def bindings_of(tree: ast.Module, lines: set[ast.stmt]) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Pairs of a target and its value in a module; streams are left out, as they hold no other objects."""
    for assign in of_kinds(tree, ast.Assign):
        yield from ((target, assign.value) for target in assign.targets if assign not in lines)
    for annotated in of_kinds(tree, ast.AnnAssign):
        if annotated.value is not None and annotated not in lines:
            yield annotated.target, annotated.value
    for named in of_kinds(tree, ast.NamedExpr):
        yield named.target, named.value


def is_of(node: ast.AST) -> set[str]:
    """The variable that an expression is, or is a part or a view of."""
    method = node.func if isinstance(node, ast.Call) else None
    if isinstance(method, ast.Attribute) and method.attr in methods.VIEWS:
        node = method.value
    root = root_of(node)
    return {root.id} if isinstance(root, ast.Name) else set()


def speaks_of(node: ast.AST) -> set[str]:
    """The variables and attributes whose objects an expression may be, hold or be held by."""
    match node:
        case ast.Name(id=name):
            return {name}
        case ast.Attribute(attr=attribute):
            return {f".{attribute}"}
        case ast.Subscript(value=value) | ast.Starred(value=value):
            return speaks_of(value)
        case ast.Call(func=function, args=args, keywords=words):
            of = [function.value] if isinstance(function, ast.Attribute) else []
            named = {f".{word.arg}" for word in words if isinstance(word.value, ast.Name)}
            return named | _speak_of([*of, *args, *(word.value for word in words)])
        case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Set(elts=parts):
            return _speak_of(parts)
        case ast.BoolOp(values=parts) | ast.Dict(values=parts):
            return _speak_of(parts)
        case ast.IfExp(body=one, orelse=other):
            return speaks_of(one) | speaks_of(other)
    return set()


def _speak_of(parts: list[ast.expr]) -> set[str]:
    return set().union(*map(speaks_of, parts))
