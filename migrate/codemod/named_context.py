"""A context that gets a name: ``ssc = StreamingContext(sc, 5)`` above ``return ssc``.

Native code is planned for contexts that are assigned to a variable. One that is returned or handed on at
once, as by ``return StreamingContext(sc, 5)``, gets a variable first.
"""

from __future__ import annotations

import ast
from collections.abc import Container

from migrate.codemod.changes import Changes, New, UnwritableError
from migrate.codemod.writing import written
from migrate.form import Form, WithLine
from migrate.frozen import replace
from migrate.model import Module
from migrate.syntax.nodes import parents_of, parsed, walk
from migrate.syntax.quoting import quoted
from migrate.trace import Graph

_NAMES = ("ssc", "streaming_context")
_PARTS = (ast.Attribute, ast.Call, ast.List, ast.Tuple, ast.keyword)
"""Expressions that evaluate all of their parts, each once."""
_STATEMENTS = (ast.AnnAssign, ast.Assign, ast.Expr, ast.Return)
_READS = (ast.Attribute, ast.Constant, ast.Name, ast.Starred, ast.expr_context, ast.keyword)


def with_named_context(graph: Graph) -> Module | None:
    """The module that makes a graph's only context, with a variable for it; None if it has one, or cannot."""
    made = [use for use in graph.uses if use.constructor]
    if len(made) != 1 or made[0].name != "StreamingContext" or made[0].call is None:
        return None
    call, module = made[0].call, made[0].module
    if type(module.form) is not Form:
        return None
    parents = parents_of(module.tree)
    around = [parents[call]]
    while isinstance(around[-1], _PARTS):
        around.append(parents[around[-1]])
    statement = around[-1]
    if not isinstance(statement, _STATEMENTS) or (
        statement.value is call and not isinstance(statement, ast.Return)
    ):
        return None
    name = _free_name(statement, parents)
    if name is None or _does_more(statement, {*walk(call), *around}):
        return None
    changes = Changes(module.tree, module.source)
    changes.expressions[call] = name
    given = [quoted(argument) for argument in call.args]
    given += [
        f"{one.arg}={quoted(one.value)}" if one.arg else f"**{quoted(one.value)}" for one in call.keywords
    ]
    changes.before[statement] = [New(f"{name} = {quoted(call.func)}({', '.join(given)})")]
    try:
        source = written(changes)
    except UnwritableError:
        return None
    return replace(module, source=source, tree=parsed(source), form=WithLine(statement.lineno))


def _free_name(statement: ast.stmt, parents: dict[ast.AST, ast.AST]) -> str | None:
    """A name for the context that nothing has in the function of a statement, or in the module."""
    around: ast.AST = statement
    while not isinstance(around, ast.AsyncFunctionDef | ast.FunctionDef | ast.Module):
        around = parents[around]
    taken = {node.id for node in walk(around) if isinstance(node, ast.Name)}
    taken |= {node.arg for node in walk(around) if isinstance(node, ast.arg)}
    return next((name for name in _NAMES if name not in taken), None)


def _does_more(statement: ast.stmt, known: Container[ast.AST]) -> bool:
    """Whether a statement does more than to read names beside some nodes, which have to come first then."""
    return any(node not in known and not isinstance(node, _READS) for node in walk(statement))
