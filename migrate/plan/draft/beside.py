"""Whether there is room for what is ours in the lines of the program: a comment, or longer code."""

from __future__ import annotations

import ast

from migrate.plan.draft.step import Step
from migrate.syntax.text import Text

_WIDTH = 110
"""How long a line with a comment may be."""
_OF_CODE = 100
"""How long a line of code may get."""


def has_room(statement: ast.stmt, comment: str, step: Step) -> bool:
    """Whether a comment may stand behind a statement, on its line, which has none."""
    end = Text(step.program.module_of(statement).source).lines[(statement.end_lineno or 0) - 1]
    alone = not end.encode()[statement.end_col_offset or 0 :].strip()
    return alone and len(end) + len(comment) <= _WIDTH and statement not in step.program.removed


def has_room_above(statement: ast.stmt, step: Step) -> bool:
    """Whether a comment may stand above a statement, which begins its line and stays."""
    line = Text(step.program.module_of(statement).source).lines[statement.lineno - 1]
    return not line.encode()[: statement.col_offset].strip() and statement not in step.program.removed


def may_get_longer(node: ast.expr, by: int, step: Step) -> bool:
    """Whether the line of an expression may get longer: not beyond what lines of code have."""
    length = len(Text(step.program.module_of(node).source).lines[node.lineno - 1])
    return length + by <= _OF_CODE or length > _OF_CODE
