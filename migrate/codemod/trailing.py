"""The column of a comment behind a statement that gets longer or shorter."""

from __future__ import annotations

import libcst as cst

_GAP = 2
"""The blanks between code and its comment."""


def aligned(old: cst.SimpleStatementLine, new: cst.SimpleStatementLine) -> cst.SimpleStatementLine:
    """The new line with its comment in the column of the old one, as those around it, or behind its code."""
    space = new.trailing_whitespace.whitespace.value
    if new.trailing_whitespace.comment is None or len(space) <= _GAP or "\t" in space:
        return new
    room = max(_GAP, len(space) + _width(old) - _width(new))
    return new.with_deep_changes(new.trailing_whitespace.whitespace, value=" " * room)


def _width(line: cst.SimpleStatementLine) -> int:
    """How many columns the last line of a statement has."""
    bare = line.with_changes(leading_lines=(), trailing_whitespace=cst.TrailingWhitespace())
    return len(cst.Module([]).code_for_node(bare).rstrip("\n").rpartition("\n")[2])
