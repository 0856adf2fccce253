"""Signs that a text is Python 2, and its indentation by Python 2's rule."""

from __future__ import annotations

import re
from io import StringIO

from fissix.pgen2 import token, tokenize

_SIGNS = re.compile(
    r"""
      ^[ \t]*(?:[^#\n'"]*[:;][ \t]*)?print[ \t]*(?:$|>>|\[|["'][^\n]|[ \t][ \t]*[^\s=.,)(\]:;]|[ \t]+\()
    | ^[ \t]*except\b[^:#\n]*,[ \t]*\w+[ \t]*:
    | ^[ \t]*raise[ \t]+[\w.]+[ \t]*,
    | ^[ \t]*(?:[^#\n]*[:;][ \t]*)?exec[ \t]+["'\w]
    | <> | `
    | \b0[0-7]+\b | \b(?:0[xX][0-9a-fA-F]+|\d+)[lL]\b
    | \b[uU][rR]["']
    | \blambda\s*[^:\n]*\( | ^[ \t]*def[ \t]+\w+[ \t]*\([^)\n]*\(
    """,
    re.VERBOSE | re.MULTILINE,
)
_TAB = re.compile(r"^[ ]*\t", re.MULTILINE)
TAB = 8
"""Columns to which Python 2 fills up a tab, as ``expand`` does."""


def has_signs(text: str) -> bool:
    """Whether a text that Python 3 cannot parse may be Python 2: a look, no proof."""
    return _SIGNS.search(text) is not None or _TAB.search(text) is not None


def indented(text: str) -> str:
    """`text` with spaces for the tabs that its lines begin with; texts of several lines stay as they are.

    Raises:
        tokenize.TokenError: a bracket or a text is not closed.
        IndentationError: a line is indented like none before it.
    """
    lines = text.splitlines(keepends=True) if "\r" not in text else re.findall(r"[^\n]*\n|[^\n]+", text)
    inside = _lines_in_texts(text)
    return "".join(line if row in inside else _expanded(line) for row, line in enumerate(lines, start=1))


def _expanded(line: str) -> str:
    body = line.lstrip(" \t")
    return line[: len(line) - len(body)].expandtabs(TAB) + body


def _lines_in_texts(text: str) -> set[int]:
    """The lines that begin inside a text of several lines."""
    inside: set[int] = set()
    for kind, _, (first, _), (last, _), _ in tokenize.generate_tokens(StringIO(text).readline):
        if kind == token.STRING:
            inside.update(range(first + 1, last + 1))
    return inside
