"""The habits of one file: indentation, quotes, line length."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

from migrate.syntax.lexical import indents, pieces
from migrate.syntax.text import Text

NARROW, WIDE = 88, 100
"""Line lengths: of a file that keeps to the common limit, and of one that does not."""
LONGEST = 120
"""The longest line of a chain of several calls, where a file has such: to break it takes a line a call."""
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
        long = _long_lines(source)
        self.width = WIDE if len(long) > _FEW else NARROW
        self.chain = max(WIDE, min(LONGEST, long[-_FEW - 1])) if len(long) > _FEW else WIDE
        """How long a line with a chain of several calls may be."""
        self.columns = len(self.indent.expandtabs(TAB))
        """How many columns a level takes."""
        self.quote = "'" if _prefers_single(source) else '"'

    @property
    def is_plain(self) -> bool:
        """Whether new code can stay as it is: four spaces, double quotes."""
        return self.indent == LEVEL and self.quote == '"'


@lru_cache(maxsize=8)
def _long_lines(source: str) -> list[int]:
    """The lengths of the lines of code that pass the common limit, in order; comments do not count."""
    rows = (line.rstrip() for line in Text(source).lines)
    return sorted(len(row) for row in rows if len(row) > NARROW and not row.lstrip().startswith("#"))


@lru_cache(maxsize=8)
def _indent(source: str) -> str:
    """The white space of one level: what most blocks of the file add to the line that opens them."""
    ((step, times),) = Counter(indents(source)).most_common(1) or [("    ", 0)]
    # one odd block is no style
    return step if step in _COMMON or times > _ODD else "    "


@lru_cache(maxsize=8)
def _prefers_single(source: str) -> bool:
    single = double = 0
    for piece in pieces(source):
        if piece.is_comment or piece.text.lstrip("rRbBuUfF").startswith(('"""', "'''")):
            continue
        if piece.text.endswith("'"):
            single += 1
        else:
            double += 1
    return single > double
