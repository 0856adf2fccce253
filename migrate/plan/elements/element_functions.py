"""Functions of one element: their parameter, where they read it, and the names that they read beside it."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from migrate.columns import Refusal
from migrate.plan.draft.step import Step
from migrate.plan.frames.frame import Within
from migrate.proofs.analysis.facts import Facts
from migrate.syntax.nodes import walk

_APART = (ast.JoinedStr, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
"""Where a part may not be evaluated once, or is in a scope of its own, or between quotes."""


def only_read(function: ast.Lambda, facts: Facts) -> ast.Name | None:
    """The only read of a lambda's parameter, if it is evaluated once, whatever its values are.

    Other code can stand there.
    """
    name = function.args.args[0].arg
    reads = [node for node in walk(function.body) if isinstance(node, ast.Name) and node.id == name]
    if len(reads) != 1:
        return None
    inner: ast.AST = reads[0]
    above = facts.of(function).above
    while inner is not function.body:
        whole = above[inner]
        skipped = isinstance(whole, ast.IfExp) and inner is not whole.test
        skipped |= isinstance(whole, ast.BoolOp) and inner is not whole.values[0]
        skipped |= isinstance(whole, ast.Compare) and inner in whole.comparators[1:]
        if skipped or isinstance(whole, _APART) or not isinstance(whole, ast.expr | ast.keyword):
            return None
        inner = whole
    return reads[0]


def place_of(part: ast.AST) -> str:
    """``0`` or ``1`` for ``pair[0]`` or ``pair[1]``; empty for anything else."""
    match part:
        case ast.Subscript(slice=ast.Constant(int(place)), ctx=ast.Load()) if place in (0, 1):
            return str(int(place))
    return ""


def body_of(function: ast.expr) -> ast.expr:
    """What a lambda returns; a name or a call as it is."""
    return function.body if isinstance(function, ast.Lambda) else function


def parameter_of(function: ast.expr) -> str | None:
    """The parameter of a lambda.

    Raises:
        Refusal: it has more, or another kind of them.
    """
    if not isinstance(function, ast.Lambda):
        return None
    given = function.args
    if len(given.args) != 1 or given.posonlyargs or given.kwonlyargs or given.vararg or given.kwarg:
        raise Refusal("it takes another number of arguments than one", function)
    return given.args[0].arg


def reads_of(function: ast.Lambda, parameter: str) -> list[ast.Name]:
    """Where a lambda reads its parameter.

    Raises:
        Refusal: something in it binds the name, too.
    """
    names = [node for node in walk(function.body) if isinstance(node, ast.Name) and node.id == parameter]
    inner = [node.arg for node in walk(function.body) if isinstance(node, ast.arg)]
    if parameter in inner or any(not isinstance(name.ctx, ast.Load) for name in names):
        raise Refusal(f"`{parameter}` is two variables of it", function)
    return names


def other_names(function: ast.expr) -> set[str]:
    """The names that a function reads or binds beside its parameter."""
    found = {node.id for node in walk(function) if isinstance(node, ast.Name)}
    if not isinstance(function, ast.Lambda):
        return found
    inner = {node.arg for node in walk(function.body) if isinstance(node, ast.arg)}
    return (found - {argument.arg for argument in function.args.args}) | inner


def written_pair(function: ast.expr, operator: str) -> tuple[ast.Tuple | None, ast.comprehension | None]:
    """The pair that a lambda writes out, and the loop in which one of ``flatMap`` does, if it has but one."""
    body = function.body if isinstance(function, ast.Lambda) else None
    match operator, body:
        case "map", ast.Tuple(elts=[_, _]) as pair:
            return pair, None
        case (
            "flatMap",
            (
                ast.ListComp(ast.Tuple(elts=[_, _]) as pair, [ast.comprehension(ast.Name()) as loop])
                | ast.GeneratorExp(ast.Tuple(elts=[_, _]) as pair, [ast.comprehension(ast.Name()) as loop])
            ),
        ) if not loop.is_async:
            return pair, loop
    return None, None


def next_name(parts: Sequence[Within], part: Within, step: Step) -> str:
    """The parameter of the function after one of them."""
    after = parts[parts.index(part) + 1 :]
    function = after[0].function if after else next(iter(step.operation.call.args), part.function)
    return (parameter_of(function) if function is not part.function else None) or "item"
