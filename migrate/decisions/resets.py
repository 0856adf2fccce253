"""``%reset`` in a notebook, which takes away all names that the cells above it have bound."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from migrate.model import Module
from migrate.syntax.nodes import of_kinds
from migrate.trace import Graph

TAKEN_AWAY = (
    "{}: `{}` takes away the names of the cells above it, and new code below would read imports or a session "
    "from there; make two notebooks of this one"
)
_RESET = re.compile(r"\s*%?reset(?![\w-])")
_MAGICS = frozenset({"magic", "run_line_magic"})
"""Methods of ``get_ipython()`` that do what a line with ``%`` does."""


def names_taken_away(graph: Graph) -> str | None:
    """Why new code of a graph would lack names that it needs, or None."""
    for module in graph.modules.values():
        for line, text in _resets(module):
            above = [one for one in module.tree.body if one.lineno < line]
            if any(map(_binds, above)) and any(
                use.module is module and use.line > line for use in graph.uses
            ):
                return TAKEN_AWAY.format(module.where(line), text)
    return None


def _resets(module: Module) -> Iterator[tuple[int, str]]:
    """The lines that take all names away, with their text."""
    for statement in of_kinds(module.tree, ast.Expr):
        match statement.value:
            case ast.Name(name) | ast.Tuple([ast.Name(name), *_]):
                text = module.form.original_of(name)
            case ast.Call(ast.Attribute(attr=method), [ast.Constant(str(text)), *_]) if method in _MAGICS:
                pass
            case _:
                continue
        if _RESET.match(text):
            yield statement.lineno, text.strip()


def _binds(statement: ast.stmt) -> bool:
    """Whether a statement is more than an expression, as stand-ins for cells and their lines are."""
    return not isinstance(statement, ast.Expr)
