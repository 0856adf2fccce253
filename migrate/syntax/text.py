"""Places in a source text, and replacements of parts of it that leave everything else byte for byte."""

from __future__ import annotations

import ast
import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import accumulate

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, order=True)
class Edit:
    """Replace ``source[start:end]`` by `text`; an insertion where both are equal."""

    start: int
    end: int
    text: str = field(compare=False)


class OverlapError(ValueError):
    """Two edits want the same part of a text."""


def apply_edits(source: str, edits: Iterable[Edit]) -> str:
    """`source` with all `edits` done; their offsets are those of the unchanged text.

    Insertions at one place keep their order.

    Raises:
        OverlapError: two edits replace the same characters.
    """
    parts: list[str] = []
    done = 0
    for edit in sorted(edits):
        if edit.start < done:
            raise OverlapError(f"edit at {edit.start} reaches into the one before it, which ends at {done}")
        parts += [source[done : edit.start], edit.text]
        done = edit.end
    return "".join([*parts, source[done:]])


def words(*texts: str) -> set[str]:
    """The words of some texts, which are no code, or may be a part of some: annotations, SQL."""
    return {word for text in texts for word in _WORD.findall(text)}


class Text:
    """A source text, addressed as `ast` addresses it: lines from 1, columns in bytes of UTF-8."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.lines, self._starts = _lines(source)

    @property
    def newline(self) -> str:
        """The line end of new lines."""
        return "\r\n" if "\r\n" in self.source else "\n"

    def offset(self, line: int, column: int) -> int:
        """The index in `source` of a place given as `ast` gives it."""
        start = self._starts[line - 1]
        text = self.lines[line - 1] if line <= len(self.lines) else ""
        return start + (column if text.isascii() else len(text.encode()[:column].decode(errors="ignore")))

    def start(self, node: ast.AST) -> int:
        """Where a node begins."""
        return self.offset(node.lineno, node.col_offset)  # type: ignore[attr-defined]

    def end(self, node: ast.AST) -> int:
        """Where a node ends."""
        return self.offset(node.end_lineno, node.end_col_offset)  # type: ignore[attr-defined]

    def of(self, node: ast.AST) -> str:
        """The text of a node."""
        return self.source[self.start(node) : self.end(node)]

    def line_start(self, line: int) -> int:
        """The index at which a line begins."""
        return self._starts[line - 1]

    def line_of(self, offset: int) -> int:
        """The line, from 1, that an index is in."""
        return max(1, min(bisect_right(self._starts, offset), len(self.lines)))

    def column(self, line: int, column: int) -> int:
        """A column from 1 in code points, as reports give it."""
        return self.offset(line, column) - self._starts[line - 1] + 1

    def begins_line(self, statement: ast.stmt) -> bool:
        """Whether a statement is the first on its line: comments above it are not a neighbour's."""
        return self.offset(statement.lineno, statement.col_offset) == self.line_start(statement.lineno) + len(
            self.indent(statement.lineno)
        )

    def indent(self, line: int) -> str:
        """The white space that a line begins with."""
        text = self.lines[line - 1]
        return text[: len(text) - len(text.lstrip(" \t\f"))]


@lru_cache(maxsize=64)
def _lines(source: str) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """Lines as Python's tokenizer counts them, and where they begin; the end of the text is the last entry.

    Ended by ``\\n``, ``\\r\\n`` or ``\\r`` and by nothing else.
    """
    lines = tuple(_LINE.findall(source))
    return lines, tuple(accumulate(map(len, lines), initial=0))
