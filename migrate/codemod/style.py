"""The habits of one file: indentation, quotes, line length."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

from migrate.syntax.lexical import indents, pieces
from migrate.syntax.text import Text

NARROW, WIDE = 88, 100
"""Line lengths: of a file that keeps to the common limit, and of one that does not.

A chain of several calls may have the latter in both: to break it takes a line for each of them.
"""
LEVEL = "    "
"""The indentation of a level in new code, before it gets that of the file."""
TAB = 4
"""Columns that a tab counts for."""
_COMMON = frozenset({"  ", "    ", "\t"})
_ODD = 1
_FEW = 2
"""Long lines of code that a file which keeps to the common limit may have."""


class Style:
    """The habits of one file, which new code in it keeps to."""

    def __init__(self, source: str) -> None:
        self.indent = _indent(source)
        self.width = WIDE if _long_lines(source) > _FEW else NARROW
        self.columns = len(self.indent.expandtabs(TAB))
        """How many columns a level takes."""
        single, double = _quotes(source)
        self.quote = "'" if single > double else '"'
        self.mixes_quotes = bool(single and double)


def _long_lines(source: str) -> int:
    """How many lines of code pass the common limit; lines that are comments do not count."""
    rows = (line.rstrip() for line in Text(source).lines)
    return sum(len(row) > NARROW and not row.lstrip().startswith("#") for row in rows)


@lru_cache(maxsize=8)
def _indent(source: str) -> str:
    """The white space of one level: what most blocks of the file add to the line that opens them."""
    lines = Text(source).lines
    tabs = sum(line.startswith("\t") for line in lines) > sum(line.startswith(" ") for line in lines)
    # a tab behind spaces is one that an editor put there
    steps = Counter(step for step in indents(source) if tabs or "\t" not in step)
    ((step, times),) = steps.most_common(1) or [("    ", 0)]
    # one odd block is no style
    return step if step in _COMMON or times > _ODD else "    "


@lru_cache(maxsize=8)
def _quotes(source: str) -> tuple[int, int]:
    """How many texts stand in single quotes, and in double ones."""
    single = double = 0
    for piece in pieces(source):
        if piece.is_comment or piece.text.lstrip("rRbBuUfF").startswith(('"""', "'''")):
            continue
        if piece.text.endswith("'"):
            single += 1
        else:
            double += 1
    return single, double
