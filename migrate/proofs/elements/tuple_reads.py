"""The places that a function of one tuple reads of it: ``{1}`` of ``lambda x: x[1]``."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import TypeVar

from migrate.proofs.analysis.called_functions import called_function
from migrate.proofs.analysis.facts import Facts
from migrate.proofs.analysis.summary import Summary, summary_of
from migrate.syntax.tree import parameter_names

Part = TypeVar("Part", int, str)
_Parts = Callable[[ast.AST, ast.Name, Summary], Iterator[tuple[ast.AST, Part]]]
"""The parts that are read where a node, the first argument, holds the name of a tuple."""


class AllRead(Exception):  # noqa: N818  (it is an answer, not a failure)
    """More may be read of a tuple than certain places."""


def reads_of(function: ast.expr, facts: Facts) -> Iterator[tuple[ast.AST, int]]:
    """The places that a function reads of a tuple, its only argument, each with where it reads it.

    Raises:
        AllRead: it does something else with the tuple, or is not known.
    """
    summary, parameter = _only_parameter(function, facts)
    yield from _reads(summary, parameter, frozenset({summary.node}), _by_place)


def attributes_of(function: ast.expr, facts: Facts) -> Iterator[tuple[ast.AST, str]]:
    """The attributes that a function reads of an object, its only argument, each with where it reads it.

    Raises:
        AllRead: it does something else with the object, or is not known.
    """
    summary, parameter = _only_parameter(function, facts)
    yield from _reads(summary, parameter, frozenset({summary.node}), _by_name)


def _only_parameter(function: ast.expr, facts: Facts) -> tuple[Summary, str]:
    called = called_function(function, facts)
    node = called.node if called is not None else function
    names = parameter_names(node) if isinstance(node, ast.Lambda | ast.FunctionDef) else []
    if called is not None and called.bound:
        names = names[1:]
    if len(names) != 1:
        raise AllRead
    return summary_of(node, facts), names[0]


def _reads(
    summary: Summary, parameter: str, open_: frozenset[ast.AST], parts: _Parts[Part]
) -> Iterator[tuple[ast.AST, Part]]:
    """The parts that one function reads; those in `open_` are being looked at."""
    above = summary.facts.above
    for name in summary.of(ast.Name):
        if name.id != parameter:
            continue
        if not isinstance(name.ctx, ast.Load) or summary.facts.home(name) is not summary.node:
            raise AllRead
        parent = above[name]
        if isinstance(parent, ast.Call) and parent.args == [name] and not parent.keywords:
            called = called_function(parent.func, summary.facts)
            names = parameter_names(called.node)[called.bound :] if called is not None else []
            if called is None or len(names) != 1 or called.node in open_:
                raise AllRead
            inner = summary_of(called.node, summary.facts)
            yield from _reads(inner, names[0], open_ | {called.node}, parts)
        else:
            yield from parts(parent, name, summary)


def _by_place(parent: ast.AST, name: ast.Name, summary: Summary) -> Iterator[tuple[ast.AST, int]]:
    if isinstance(parent, ast.Subscript) and parent.value is name:
        yield parent, place_of(parent)
    elif isinstance(parent, ast.Assign) and parent.value is name:
        yield from _unpacked(summary, parent)
    else:
        raise AllRead


def _by_name(parent: ast.AST, name: ast.Name, _: Summary) -> Iterator[tuple[ast.AST, str]]:
    match parent:
        case ast.Compare(ops=[ast.Is() | ast.IsNot()], comparators=[ast.Constant(None)]):
            return
    if not isinstance(parent, ast.Attribute) or not isinstance(parent.ctx, ast.Load):
        raise AllRead
    yield parent, parent.attr


def place_of(node: ast.Subscript) -> int:
    """The place in ``pair[1]``.

    Raises:
        AllRead: it is not written out, or counted from the end, or nothing reads it.
    """
    place = node.slice.value if isinstance(node.slice, ast.Constant) else None
    if not isinstance(node.ctx, ast.Load) or type(place) is not int or place < 0:
        raise AllRead
    return place


def _unpacked(summary: Summary, statement: ast.Assign) -> Iterator[tuple[ast.AST, int]]:
    """The places of ``key, value = pair`` whose variables are read."""
    (target, *others) = statement.targets
    if others or not isinstance(target, ast.Tuple):
        raise AllRead
    for place, variable in enumerate(target.elts):
        if not isinstance(variable, ast.Name):
            raise AllRead
        loaded = (name for name in summary.of(ast.Name) if name.id == variable.id and name is not variable)
        if any(loaded):
            yield statement, place
