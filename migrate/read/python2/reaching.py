"""The one value that reaches a read of a variable, where the statements before it tell.

delta = now - event
start = time.time()
delta = time.time() - start
log(str(delta))  # the second one
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence

from migrate.syntax.nodes import walk

_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Module)
_COMPREHENSIONS = (ast.DictComp, ast.GeneratorExp, ast.ListComp, ast.SetComp)
_AGAIN = (ast.For, ast.AsyncFor, ast.Try, ast.While, ast.With, ast.AsyncWith)
"""Statements whose code may run after later code of theirs, or bind what it reads."""
_BLOCKS = ("body", "orelse", "finalbody")
_ANY = ast.Constant(None)


def given(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    """The names that an assignment binds, with the value of each, where that is an expression of its own.

    ``a, b = 1, 2``, ``a, b = map(radians, [a, b])``; not those that it binds twice.
    """
    if isinstance(target, ast.Name):
        yield target.id, value
    elif isinstance(target, ast.Tuple):
        names = [one.id for one in target.elts if isinstance(one, ast.Name)]
        if len(set(names)) != len(target.elts):
            return
        made = _mapped(value)
        if made is not None:
            yield from ((name, made) for name in names)
        elif isinstance(value, ast.Tuple) and not any(isinstance(one, ast.Starred) for one in value.elts):
            yield from zip(names, value.elts, strict=False)


def _mapped(node: ast.expr) -> ast.expr | None:
    """What each item is like of ``map(radians, [a, b])`` or ``list(map(float, parts))``."""
    inner = node
    match node:
        case ast.Call(ast.Name("list"), [whole], []):
            inner = whole
    match inner:
        case ast.Call(ast.Name("map"), [ast.Name() | ast.Attribute() as function, _], []):
            return ast.copy_location(ast.Call(function, [_ANY], []), node)
    return None


def value_before(name: ast.Name, above: Mapping[ast.AST, ast.AST]) -> ast.expr | None:
    """The value of the last statement ``name = value`` before a read, if no other can have come between.

    Args:
        name: the read.
        above: the parent of every node.
    """
    step: ast.AST = name
    while (parent := above.get(step)) is not None and not isinstance(parent, ast.Lambda):
        if isinstance(parent, _COMPREHENSIONS) and _binds(parent, name.id):
            return None
        if isinstance(step, ast.stmt):
            for statement in reversed(_before(step, parent)):
                match statement:
                    case ast.Assign([target], value):
                        found = dict(given(target, value)).get(name.id)
                        if found is not None:
                            return found
                if _binds(statement, name.id):
                    return None
            if isinstance(parent, _SCOPES) or (isinstance(parent, _AGAIN) and _binds(parent, name.id)):
                return None
        elif isinstance(step, ast.arguments | ast.ExceptHandler):
            return None
        step = parent
    return None


def _before(statement: ast.stmt, parent: ast.AST) -> Sequence[ast.stmt]:
    """The statements of the same block before one."""
    for block in _BLOCKS:
        statements = getattr(parent, block, None)
        if isinstance(statements, list) and statement in statements:
            return statements[: statements.index(statement)]
    return ()


def _binds(code: ast.AST, name: str) -> bool:
    """Whether code may bind a name, or take it away."""
    for node in walk(code):
        match node:
            case ast.Name(found, ast.Store() | ast.Del()):
                bound = found
            case ast.FunctionDef() | ast.ClassDef() | ast.ExceptHandler():
                bound = node.name or ""
            case ast.alias():
                bound = (node.asname or node.name).split(".")[0]
            case _:
                continue
        if bound in (name, "*"):
            return True
    return False
