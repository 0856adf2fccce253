"""``reload(sys)`` and ``sys.setdefaultencoding("utf-8")``: texts need neither in Python 3."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from migrate.syntax.nodes import walk
from migrate.syntax.text import Text

_IS_DEFAULT = re.compile(r"sys\.setdefaultencoding\('utf-?8'\)|(importlib\.)?reload\(sys\)")
_LIBRARY = "importlib"


def without_default_encoding(code: str, lines: tuple[int, ...], old: str) -> tuple[str, tuple[int, ...]]:
    """A module without the lines that set the default encoding, and the old line of each of its lines.

    ``reload(sys)`` alone is left of such a pair, whose other line is commented out.

    Args:
        code: the module in Python 3.
        lines: the old line of each of its lines.
        old: the module in Python 2.
    """
    tree, text = ast.parse(code), Text(code)
    found = [statement for statement in walk(tree) if _is_default(statement)]
    if not found:
        return code, lines
    gone: set[int] = set()
    rows = list(text.lines)
    for statement, block in _in_blocks(tree):
        if statement not in found:
            continue
        assert isinstance(statement, ast.Expr)
        start, end = statement.col_offset, statement.end_col_offset
        row = statement.lineno - 1
        alone = not rows[row][:start].strip() and not rows[row][end:].split("#")[0].strip()
        if alone and any(other not in found for other in block):
            gone.add(row)
        else:
            rows[row] = f"{rows[row][:start]}pass{rows[row][end:]}"
    if _LIBRARY not in old and code.count(_LIBRARY) == 1 + sum(_LIBRARY in ast.unparse(one) for one in found):
        gone |= {row for row, line in enumerate(rows) if line.strip() == f"import {_LIBRARY}"}
    inside = {node for statement in found for node in walk(statement)}
    if not any(isinstance(node, ast.Name) and node.id == "sys" for node in {*walk(tree)} - inside):
        gone |= {
            row for row, line in enumerate(rows) if line.strip() == "import sys" and row + 1 in _tops(tree)
        }
    stay = [row for row in range(len(rows)) if row not in gone]
    return "".join(rows[row] for row in stay), tuple(lines[row] for row in stay if row < len(lines))


def _tops(tree: ast.Module) -> set[int]:
    """The lines on which the statements of a module itself begin."""
    return {statement.lineno for statement in tree.body}


def _is_default(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and _IS_DEFAULT.fullmatch(ast.unparse(node).lower()) is not None


def _in_blocks(tree: ast.Module) -> Iterator[tuple[ast.stmt, list[ast.stmt]]]:
    """All statements, the last ones first, each with the block that it is in."""
    found = [
        (statement, block)
        for node in walk(tree)
        for block in (
            getattr(node, "body", None),
            getattr(node, "orelse", None),
            getattr(node, "finalbody", None),
        )
        if isinstance(block, list)
        for statement in block
    ]
    yield from sorted(found, key=lambda pair: (-pair[0].lineno, -pair[0].col_offset))
