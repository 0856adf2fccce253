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
    """`text` with one kind of white space before the lines of its statements: first of those that mix them.

    It is the one that most lines have: tabs only where the blanks of all blocks make whole ones. Texts of
    several lines stay as they are.

    Raises:
        tokenize.TokenError: a bracket or a text is not closed.
        IndentationError: a line is indented like none before it.
    """
    rows = _rows(text)
    inside = _lines_in_texts(text)
    for chosen in filter(None, (_mixed(text, rows), set(range(1, len(rows) + 1)))):
        yield from _indentations(rows, chosen - inside)


def _indentations(rows: list[str], chosen: set[int]) -> Iterator[str]:
    """The text of rows with one kind of white space before those that are chosen."""
    among = "".join(row for number, row in enumerate(rows, start=1) if number in chosen)
    blanks = [_expanded(row) if number in chosen else row for number, row in enumerate(rows, start=1)]
    if len(_TAB.findall(among)) > len(_BLANKS.findall(among)):
        numbered = enumerate(blanks, start=1)
        yield "".join(_tabbed(row) if number in chosen else row for number, row in numbered)
    yield "".join(blanks)


def _mixed(text: str, rows: list[str]) -> set[int]:
    """The lines of the statements of a module that Python 3 refuses for their tabs.

    It wants the same depths whether a tab is as wide as one blank or as eight.
    """
    found, first, mixes, depths = set[int](), 1, False, [(0, 0)]
    for number in [*_logical_lines(text), len(rows) + 1]:
        before = _margin(rows[number - 1]) if number <= len(rows) else ""
        if not before:  # a statement of the module begins
            found.update(range(first, number) if mixes else ())
            first, depths, mixes = number, [(0, 0)], False
            continue
        column, place = len(before.expandtabs(TAB)), len(before)
        while column < depths[-1][0]:
            depths.pop()
        last = depths[-1]
        mixes |= place != last[1] if column == last[0] else place <= last[1]
        if column > last[0]:
            depths.append((column, place))
    return found


def _logical_lines(text: str) -> Iterator[int]:
    """The lines on which statements begin."""
    begins = True
    for kind, _, (row, _), _, _ in tokenize.generate_tokens(StringIO(text).readline):
        if kind == token.NEWLINE:
            begins = True
        elif begins and kind not in (tokenize.COMMENT, tokenize.NL, token.INDENT, token.DEDENT):
            begins = False
            if kind != token.ENDMARKER:
                yield row


def _rows(text: str) -> list[str]:
    return text.splitlines(keepends=True) if "\r" not in text else re.findall(r"[^\n]*\n|[^\n]+", text)


def _margin(line: str) -> str:
    """The white space that a line begins with."""
    return line[: len(line) - len(line.lstrip(" \t"))]


def _expanded(line: str) -> str:
    return _margin(line).expandtabs(TAB) + line.lstrip(" \t")


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
