"""The borders between a notebook's cells in the code of all of them: statements that name each."""

from __future__ import annotations

import ast
import re

BORDER = "__cell_{}__"
_BORDER = re.compile(BORDER.format(r"\d+"))


def borders(module: ast.Module) -> list[int]:
    """The lines of the borders; none in what has no cells."""
    return [one.lineno for one in module.body if _is_border(one)]


def names_border(name: str) -> bool:
    """Whether a name is that of a border, which nothing binds."""
    return _BORDER.fullmatch(name) is not None


def _is_border(statement: ast.stmt) -> bool:
    match statement:
        case ast.Expr(ast.Name(name)):
            return names_border(name)
    return False
