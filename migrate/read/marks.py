"""The codemod's own comments: those that ask it to leave a line alone, and those it leaves for a person."""

from __future__ import annotations

import re

from migrate.syntax.lexical import pieces

_IGNORE = re.compile(r"#\s*dstream-migrate:\s*ignore(?:\[([^\]]*)\])?")
MARK = "# dstream-migrate: manual: "
"""The beginning of a comment that says why a graph is left for a person."""


def ignored_lines(source: str) -> dict[int, frozenset[str]]:
    """Return the lines that say ``# dstream-migrate: ignore[rule, ...]``, and the rules; none means all."""
    if "dstream-migrate:" not in source:
        return {}
    found: dict[int, frozenset[str]] = {}
    for piece in pieces(source):
        match = _IGNORE.search(piece.text) if piece.is_comment else None
        if match:
            rules = frozenset(rule.strip() for rule in (match[1] or "").split(",") if rule.strip())
            found[piece.line] = rules
    return found
