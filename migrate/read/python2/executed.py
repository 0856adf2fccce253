"""Code in texts, whose assignments are the function's own variables in Python 2 alone."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator

from migrate.syntax.bindings import bound_names
from migrate.syntax.nodes import of_kinds, walk
from migrate.syntax.tree import own_nodes

_UNSET = "`exec` sets no variable of a function in Python 3: put {} into a dict, or give `exec` one"


def unset_by_exec(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """The lines where ``exec("a = %s" % value)`` may set a variable of a function, and what to do."""
    for function in of_kinds(tree, ast.FunctionDef):
        own = [node for statement in function.body for node in own_nodes(statement)]
        for call in own:
            match call:
                case ast.Call(ast.Name("exec"), [code], []) if _may_bind(code):
                    yield call.lineno, _UNSET.format(_read(function, tree))


def _may_bind(code: ast.expr) -> bool:
    """Whether executed code may assign, define or import something."""
    if not (isinstance(code, ast.Constant) and isinstance(code.value, str)):
        return True
    try:
        return bool(bound_names(ast.parse(code.value)))
    except SyntaxError:
        return True


def _read(function: ast.FunctionDef, tree: ast.Module) -> str:
    """The variables that a function reads, and nothing but what it executes may set."""
    nodes = [*walk(function)]
    parameters = {node.arg for node in nodes if isinstance(node, ast.arg)}
    known = bound_names(tree) | parameters | {*dir(builtins)}
    read = [node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)]
    missing = [f"`{name}`" for name in dict.fromkeys(read) if name not in known]
    return ", ".join(missing) or "what the code sets"
