"""Functions of a partition's iterator that treat each element by itself, in whichever partition it is."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from migrate.native.facts import Facts
from migrate.native.syntax import parameter_names
from migrate.nodes import walk

_DEPTH = 3
_ACCUMULATING = frozenset({"append", "extend", "add", "update", "insert", "pop", "remove", "clear"})


def is_elementwise(function: ast.expr, facts: Facts) -> bool:
    """Whether what `mapPartitions` makes by a function is what it makes of each element, one after another.

    That is a loop over the iterator which yields, or fills a list that is returned, a comprehension, or
    ``map``; by a function of the same module, or one that such a function makes.
    """
    if isinstance(function, ast.Lambda):
        (name, *others) = parameter_names(function) or [""]
        return not others and _maps(function.body, name, facts, _DEPTH)
    node, bound = _definition(function, facts)
    return node is not None and _loops(node, bound, facts, _DEPTH)


def _definition(function: ast.expr, facts: Facts) -> tuple[ast.FunctionDef | None, int]:
    """The function that an expression is, or that the function which it calls makes; how many are bound."""
    if not isinstance(function, ast.Call):
        called = facts.function(function)
        return (called.node, int(called.bound)) if called is not None else (None, 0)
    maker = facts.function(function.func)
    if maker is None:
        return None, 0
    body = _without_docstring(maker.node.body)
    match body:
        case [ast.FunctionDef(name=name) as inner, ast.Return(value=ast.Name(id=returned))] if (
            name == returned
        ):
            return inner, 0
    return None, 0


def _maps(node: ast.expr, name: str, facts: Facts, depth: int) -> bool:
    """Whether an expression lists what becomes of each element of `name`, which it reads once."""
    reads = [inner for inner in walk(node) if isinstance(inner, ast.Name) and inner.id == name]
    if len(reads) != 1:
        return False
    match node:
        case ast.ListComp(generators=[first, *_]) | ast.GeneratorExp(generators=[first, *_]):
            return first.iter is reads[0]
        case ast.Call(func=ast.Name(id="map" | "filter" as called), args=[_, iterated], keywords=[]):
            return iterated is reads[0] and not facts.bindings.get(called)
        case ast.Call(func=ast.Name(id="iter" | "list" as called), args=[inner], keywords=[]):
            return not facts.bindings.get(called) and _maps(inner, name, facts, depth)
        case ast.Call(args=args, keywords=[]) if depth and reads[0] in args:
            target = facts.function(node.func)
            return target is not None and _loops(
                target.node, args.index(reads[0]) + target.bound, facts, depth - 1
            )
    return False


def _loops(function: ast.FunctionDef, position: int, facts: Facts, depth: int) -> bool:
    """Whether a function goes through its iterator once, and gives something of each element only."""
    names = parameter_names(function)
    if position >= len(names):
        return False
    name = names[position]
    body = _without_docstring(function.body)
    reading = [number for number, statement in enumerate(body) if _mentions(statement, name)]
    if len(reading) != 1:
        return False
    before, statement, after = body[: reading[0]], body[reading[0]], body[reading[0] + 1 :]
    if any(isinstance(node, ast.Global | ast.Nonlocal) for node in walk(function)):
        return False
    if isinstance(statement, ast.Return):
        return statement.value is not None and not after and _maps(statement.value, name, facts, depth)
    if not (isinstance(statement, ast.For) and isinstance(statement.iter, ast.Name) and not statement.orelse):
        return False
    if any(_mentions(inner, name) for inner in statement.body) or _gives(before):
        return False
    filled = _filled(before, statement, after)
    if filled is None and (_gives(after) or not _gives(statement.body, returns=False)):
        return False
    return not _remembers(statement, filled)


def _filled(before: Sequence[ast.stmt], loop: ast.For, after: Sequence[ast.stmt]) -> str | None:
    """The list that a loop fills and the function returns."""
    match after:
        case [
            ast.Return(value=ast.Name(id=name) | ast.Call(func=ast.Name(id="iter"), args=[ast.Name(id=name)]))
        ]:
            pass
        case _:
            return None
    made = [node for statement in before for node in walk(statement) if _is(node, name)]
    match [statement for statement in before if _mentions(statement, name)]:
        case [ast.Assign(value=ast.List(elts=[]))] if len(made) == 1:
            pass
        case _:
            return None
    appending = {
        node.func.value
        for node in walk(loop)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in ("append", "extend")
    }
    own = [node for node in walk(loop) if _is(node, name)]
    return name if own and all(node in appending for node in own) and not _gives(loop.body) else None


def _remembers(loop: ast.For, filled: str | None) -> bool:
    """Whether the loop's body may know which elements came before."""
    nodes = [node for statement in loop.body for node in walk(statement)]
    if any(
        isinstance(node, ast.Break | ast.Return | ast.AugAssign | ast.Delete | ast.NamedExpr)
        for node in nodes
    ):
        return True
    own = {node.id for node in walk(loop.target) if isinstance(node, ast.Name)}
    stored = {
        node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    } - own
    if not all(_is_set_first(loop.body, name) for name in stored):
        return True
    for node in nodes:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "next":
            return True
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in _ACCUMULATING
        ):
            root = node.func.value
            if not (isinstance(root, ast.Name) and root.id in stored | own | {filled}):
                return True
        if isinstance(node, ast.Subscript | ast.Attribute) and isinstance(node.ctx, ast.Store):
            root = node.value
            if not (isinstance(root, ast.Name) and root.id in stored | own):
                return True
    return False


def _is_set_first(body: Sequence[ast.stmt], name: str) -> bool:
    """Whether each round gives a variable its value before it reads it."""
    first = next(statement for statement in body if _mentions(statement, name))
    if not isinstance(first, ast.Assign | ast.For):
        return False
    return not _mentions(first.value if isinstance(first, ast.Assign) else first.iter, name)


def _without_docstring(body: Sequence[ast.stmt]) -> Sequence[ast.stmt]:
    first = body[0]
    is_text = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    return body[1:] if is_text else body


def _is(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _mentions(statement: ast.AST, name: str) -> bool:
    return any(_is(node, name) for node in walk(statement))


def _gives(body: Sequence[ast.stmt], *, returns: bool = True) -> bool:
    """Whether statements yield, or return."""
    kinds = (ast.Yield, ast.YieldFrom, *((ast.Return,) if returns else ()))
    return any(isinstance(node, kinds) for statement in body for node in walk(statement))
