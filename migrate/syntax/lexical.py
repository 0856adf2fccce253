"""Strings and comments of Python code, found by one regular expression.

`tokenize` finds them, too; before Python 3.12 it is written in Python, and takes long.
The expression needs code that can be parsed, in which f-strings hold no quotes of their own.
"""

from __future__ import annotations

import io
import re
import sys
import tokenize
from functools import lru_cache
from typing import NamedTuple

from migrate.syntax.text import Text

_PIECE = re.compile(
    r'''"""[^"\\]*(?:(?:\\.|"(?!""))[^"\\]*)*"""|"[^"\\]*(?:\\.[^"\\]*)*"'''
    r"""|'''[^'\\]*(?:(?:\\.|'(?!''))[^'\\]*)*'''|'[^'\\]*(?:\\.[^'\\]*)*'|#[^\r\n]*""",
    re.DOTALL,
)
"""What is neither a quote nor a backslash is passed as a whole, which most of a string is."""
_PREFIX = frozenset("rRbBuUfF")
"""The letters that may stand before a string, of which it has two at most."""
_BLOCK = re.compile(
    r"^([ \t]*)(?:async[ \t]+)?(?:def|class|if|elif|else|for|while|with|try|except|finally)\b[^\r\n]*:"
    r"(?=[ \t]*(?:#[^\r\n]*)?(?:\r\n?|\n)(?:[ \t]*(?:#[^\r\n]*)?(?:\r\n?|\n))*([ \t]+)[^\s#])",
    re.MULTILINE,
)


class Piece(NamedTuple):
    """A string or a comment."""

    line: int
    """From 1."""
    column: int
    """From 0, in code points."""
    text: str
    """As it stands there; a string with its prefix and quotes."""

    @property
    def is_comment(self) -> bool:
        """Whether it is a comment."""
        return self.text.startswith("#")


@lru_cache(maxsize=8)
def pieces(source: str) -> tuple[Piece, ...]:
    """The strings and comments of a text, in order; from Python 3.12 on without f-strings.

    Raises:
        tokenize.TokenError: a bracket or a text is not closed.
        IndentationError: a line is indented like none before it.
    """
    if sys.version_info >= (3, 12):
        return tuple(
            Piece(*token.start, token.string)
            for token in tokens(source)
            if token.type in (tokenize.STRING, tokenize.COMMENT)
        )
    text = Text(source)
    found, done = [], 0
    for match in _PIECE.finditer(source):
        start, end = match.span()
        if source[start] != "#":
            # the expression leaves prefixes out: it looks for three characters, and fast
            least = max(done, start - 2)
            while start > least and source[start - 1] in _PREFIX:
                start -= 1
        line = text.line_of(start)
        found.append(Piece(line, start - text.line_start(line), source[start:end]))
        done = end
    return tuple(found)


def indents(source: str) -> list[str]:
    """The indentation of each block, relative to the line that opens it."""
    found = [match.groups() for match in _BLOCK.finditer(source)]
    return [inner[len(outer) :] for outer, inner in found if inner.startswith(outer) and inner != outer]


def tokens(source: str) -> list[tokenize.TokenInfo]:
    """All tokens of a text, whose lines end as they do there."""
    return list(tokenize.generate_tokens(io.StringIO(source, newline="").readline))
