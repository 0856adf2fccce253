"""Callbacks that do the same with each element of a batch by itself: what they do, and what is around it."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass

from migrate.proofs.analysis.called_functions import called_function
from migrate.proofs.analysis.facts import Facts
from migrate.proofs.callbacks.roles import Callback, FunctionNode
from migrate.syntax.tree import parameter_names

Body = Sequence[ast.stmt]


@dataclass(frozen=True)
class EachRecord:
    """What a callback does with each element."""

    element: ast.expr
    """What the element is bound to: a name, or a tuple of them."""
    body: Body
    """The statements for each element."""
    around: Body
    """The statements before and after, once for a batch or a partition."""
    method: str
    """The method of the RDD: ``foreach``, ``foreachPartition``, or ``collect`` for a loop in the driver."""
    function: ast.expr | None
    """The function that the method is given."""


def each_record(callback: Callback, facts: Facts) -> EachRecord | None:
    """What a callback does with each element; None where it does anything else.

    Args:
        callback: a function that gets the RDD of each batch.
        facts: the names of its module.
    """
    body = _unguarded(_statements(callback.node), callback.rdd)
    match body:
        case [ast.Expr(ast.Call(ast.Attribute(ast.Name(name), method), [function], []))] if (
            name == callback.rdd and method in ("foreach", "foreachPartition")
        ):
            return _called(function, method, facts)
    return _loop(body, callback.rdd)


def _called(function: ast.expr, method: str, facts: Facts) -> EachRecord | None:
    """A function that is given to ``foreach`` or ``foreachPartition``."""
    called = called_function(function, facts)
    node: ast.expr | ast.FunctionDef = called.node if called is not None else function
    bound = called is not None and called.bound
    if not isinstance(node, FunctionNode):
        name = ast.copy_location(ast.Name("record", ast.Store()), function)
        return EachRecord(name, (), (), method, function)
    names = parameter_names(node)[bound:]
    if len(names) != 1:
        return None
    body = _statements(node)
    if method == "foreach":
        name = ast.copy_location(ast.Name(names[0], ast.Store()), function)
        return EachRecord(name, body, (), method, function)
    loops = [one for one in body if isinstance(one, ast.For)]
    if len(loops) != 1 or loops[0].orelse or not _is(loops[0].iter, names[0]):
        name = ast.copy_location(ast.Name("record", ast.Store()), function)
        return EachRecord(name, (), body, method, function)
    around = [one for one in body if one is not loops[0]]
    return EachRecord(loops[0].target, loops[0].body, around, method, function)


def _loop(body: Body, rdd: str) -> EachRecord | None:
    """``for record in rdd.collect():``, or over a variable of what was collected."""
    loops = [one for one in body if isinstance(one, ast.For)]
    if len(loops) != 1 or loops[0].orelse:
        return None
    (loop,) = loops
    around = [one for one in body if one is not loop]
    if isinstance(loop.iter, ast.Name):
        found = [one for one in around if _collected(one, loop.iter.id, rdd)]
        around = [one for one in around if one not in found]
        return EachRecord(loop.target, loop.body, around, "collect", None) if len(found) == 1 else None
    return EachRecord(loop.target, loop.body, around, "collect", None) if _collects(loop.iter, rdd) else None


def _collected(statement: ast.stmt, name: str, rdd: str) -> bool:
    match statement:
        case ast.Assign([ast.Name(target)], value):
            return target == name and _collects(value, rdd)
    return False


def _collects(node: ast.expr, rdd: str) -> bool:
    match node:
        case ast.Call(ast.Attribute(ast.Name(name), "collect" | "toLocalIterator"), [], []):
            return name == rdd
    return False


def _unguarded(body: Body, rdd: str) -> Body:
    """The body of ``if not rdd.isEmpty():``, if that is all: no element is lost without it."""
    match body:
        case [
            ast.If(
                ast.UnaryOp(ast.Not(), ast.Call(ast.Attribute(ast.Name(name), "isEmpty"), [], [])), inner, []
            )
        ] if name == rdd:
            return inner
    return body


def _statements(function: FunctionNode) -> Body:
    """The statements of a function, without its docstring; a lambda has one."""
    if isinstance(function, ast.Lambda):
        return [ast.copy_location(ast.Expr(function.body), function.body)]
    documented = ast.get_docstring(function, clean=False) is not None
    return function.body[1:] if documented else function.body


def _is(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name
