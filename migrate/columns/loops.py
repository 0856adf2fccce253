"""Loops that yield or append an item at a time: the comprehension that makes the same list."""

from __future__ import annotations

import ast

from migrate.columns.messages import refusal
from migrate.frozen import dataclass
from migrate.syntax.nodes import position

WHY = "a loop has a Column form only where all it does is to yield or append one item at a time"


@dataclass(frozen=True)
class Made:
    """The result of a loop.

    Attributes:
        items: the comprehension.
        name: the list that it appends to; None where it yields.
    """

    items: ast.ListComp | ast.GeneratorExp
    name: str | None


def made_by(loop: ast.For, function: ast.FunctionDef) -> Made:
    """Return the result of a loop, as a comprehension.

    Raises:
        Refusal: it does more than that, or what it leaves behind is read.
    """
    if loop.orelse:
        raise refusal(loop, WHY)
    tests: list[ast.expr] = []
    body = list(loop.body)
    while len(body) > 1 or isinstance(body[0], ast.If):
        match body:
            case [ast.If(test=test, body=[ast.Continue()], orelse=[]), _, *_]:
                tests.append(_not(test))
                body = body[1:]
            case [ast.If(test=test, body=then, orelse=[])]:
                tests.append(test)
                body = list(then)
            case _:
                raise refusal(loop, WHY)
    item, name = _item(body[0], loop)
    _check_names(loop, function, name)
    generator = ast.comprehension(loop.target, loop.iter, tests, 0)
    kind = ast.GeneratorExp if name is None else ast.ListComp
    return Made(ast.copy_location(kind(item, [generator]), loop), name)


def _not(test: ast.expr) -> ast.expr:
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return test.operand
    return ast.copy_location(ast.UnaryOp(ast.Not(), test), test)


def _item(statement: ast.stmt, loop: ast.For) -> tuple[ast.expr, str | None]:
    match statement:
        case ast.Expr(ast.Yield(value)):
            return value or ast.copy_location(ast.Constant(None), statement), None
        case ast.Expr(ast.Call(ast.Attribute(ast.Name(name), "append"), [item], [])):
            return item, name
    raise refusal(loop, WHY)


def _check_names(loop: ast.For, function: ast.FunctionDef, name: str | None) -> None:
    """Check that a comprehension, which has variables of its own, leaves behind what the loop does.

    Raises:
        Refusal: the loop's variable is read behind it, or its list has another name or items.
    """
    inside = set(ast.walk(loop))
    targets = {node.id for node in ast.walk(loop.target) if isinstance(node, ast.Name)}
    names = [node for node in ast.walk(function) if isinstance(node, ast.Name) and node not in inside]
    if any(node.id in targets and position(node) > position(loop) for node in names):
        raise refusal(loop, "its variable is read behind it")
    if name is None:
        return
    stored = [node for node in names if node.id == name and isinstance(node.ctx, ast.Store)]
    begun = [
        node.targets[0]
        for node in ast.walk(function)
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.List) and not node.value.elts
    ]
    read = [node for node in ast.walk(loop) if isinstance(node, ast.Name) and node.id == name]
    before = [node for node in names if node.id == name and position(node) < position(loop)]
    if len(stored) != 1 or stored != [node for node in begun if node in stored] or before != stored:
        raise refusal(loop, f"`{name}` is not an empty list that only this loop fills")
    if len(read) != 1:
        raise refusal(loop, f"it reads `{name}`, which it fills")
