"""The codemod's own comments: those that ask it to leave a line alone, and those it leaves for a person."""

from __future__ import annotations

import re

from migrate.codemod.edits import Edit, Text
from migrate.codemod.lexical import pieces

_IGNORE = re.compile(r"#\s*dstream-migrate:\s*ignore(?:\[([^\]]*)\])?")
MARK = "# dstream-migrate: manual: "


def ignored_lines(source: str) -> dict[int, frozenset[str]]:
    """The lines with a ``# dstream-migrate.

    Ignore[rule, ...]`` comment and their rules; no rule means all.
    """
    if "dstream-migrate:" not in source:
        return {}
    found: dict[int, frozenset[str]] = {}
    for piece in pieces(source):
        match = _IGNORE.search(piece.text) if piece.is_comment else None
        if match:
            rules = frozenset(rule.strip() for rule in (match[1] or "").split(",") if rule.strip())
            found[piece.line] = rules
    return found


def mark_edit(text: Text, line: int, reason: str) -> Edit:
    """A comment above the statement that begins on `line` with why it was left; it replaces an older one."""
    comment = text.indent(line) + MARK + reason + text.newline
    start = end = text.line_start(line)
    if line > 1 and text.lines[line - 2].lstrip().startswith(MARK):
        start = text.line_start(line - 1)
    return Edit(start, end, comment)
