"""The codemod's own comments: those that ask it to leave a line alone, and those it leaves for a person."""

from __future__ import annotations

import io
import re
import tokenize
from functools import lru_cache

from migrate.edits import Edit, Text

_IGNORE = re.compile(r"#\s*dstream-migrate:\s*ignore(?:\[([^\]]*)\])?")
MARK = "# dstream-migrate: manual: "


@lru_cache(maxsize=8)
def tokens_of(source: str) -> tuple[tokenize.TokenInfo, ...]:
    """The tokens of a text, which several parts of a rewrite look at.

    Raises:
        tokenize.TokenError: a bracket or a text is not closed.
        IndentationError: a line is indented like none before it.
    """
    return tuple(tokenize.generate_tokens(io.StringIO(source, newline="").readline))


def ignored_lines(source: str) -> dict[int, frozenset[str]]:
    """The lines with a ``# dstream-migrate.

    Ignore[rule, ...]`` comment and their rules; no rule means all.
    """
    if "dstream-migrate:" not in source:
        return {}
    found: dict[int, frozenset[str]] = {}
    for token in tokens_of(source):
        match = _IGNORE.search(token.string) if token.type == tokenize.COMMENT else None
        if match:
            rules = frozenset(rule.strip() for rule in (match[1] or "").split(",") if rule.strip())
            found[token.start[0]] = rules
    return found


def mark_edit(text: Text, line: int, reason: str) -> Edit:
    """A comment above the statement that begins on `line` with why it was left; it replaces an older one."""
    comment = text.indent(line) + MARK + reason + text.newline
    start = end = text.line_start(line)
    if line > 1 and text.lines[line - 2].lstrip().startswith(MARK):
        start = text.line_start(line - 1)
    return Edit(start, end, comment)
