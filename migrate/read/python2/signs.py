"""Signs that a text is Python 2, and its indentation by Python 2's rule."""

from __future__ import annotations

import re
from collections.abc import Iterator
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
_BLANKS = re.compile(r"^ +(?=[^ \t\n])", re.MULTILINE)
TAB = 8
"""Columns to which Python 2 fills up a tab, as ``expand`` does."""


def has_signs(text: str) -> bool:
    """Whether a text that Python 3 cannot parse may be Python 2: a look, no proof."""
    return _SIGNS.search(text) is not None or _TAB.search(text) is not None


def indentations(text: str) -> Iterator[str]:
    """`text` with one kind of white space before its lines: the one that most of them have comes first.

    Tabs do where the blanks of all blocks make whole ones. Texts of several lines stay as they are.

    Raises:
        tokenize.TokenError: a bracket or a text is not closed.
        IndentationError: a line is indented like none before it.
    """
    blanks = indented(text)
    if len(_TAB.findall(text)) > len(_BLANKS.findall(text)):
        inside = _lines_in_texts(text)
        rows = enumerate(_rows(blanks), start=1)
        yield "".join(line if row in inside else _tabbed(line) for row, line in rows)
    yield blanks


def indented(text: str) -> str:
    """`text` with spaces for the tabs that its lines begin with; texts of several lines stay as they are.

    Raises:
        tokenize.TokenError: a bracket or a text is not closed.
        IndentationError: a line is indented like none before it.
    """
    inside = _lines_in_texts(text)
    rows = enumerate(_rows(text), start=1)
    return "".join(line if row in inside else _expanded(line) for row, line in rows)


def _rows(text: str) -> list[str]:
    return text.splitlines(keepends=True) if "\r" not in text else re.findall(r"[^\n]*\n|[^\n]+", text)


def _expanded(line: str) -> str:
    body = line.lstrip(" \t")
    return line[: len(line) - len(body)].expandtabs(TAB) + body


def _tabbed(line: str) -> str:
    body = line.lstrip(" ")
    tabs, blanks = divmod(len(line) - len(body), TAB)
    return "\t" * tabs + " " * blanks + body


def _lines_in_texts(text: str) -> set[int]:
    """The lines that begin inside a text of several lines."""
    inside: set[int] = set()
    for kind, _, (first, _), (last, _), _ in tokenize.generate_tokens(StringIO(text).readline):
        if kind == token.STRING:
            inside.update(range(first + 1, last + 1))
    return inside
