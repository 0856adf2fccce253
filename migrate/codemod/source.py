"""Texts as LibCST takes and gives them, byte for byte where nothing changes.

LibCST wants one kind of line end, and leaves out form feeds and some continuations of lines. What it cannot
keep is taken away before, and put back afterwards into the lines that did not change.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from difflib import SequenceMatcher

import libcst as cst

from migrate.codemod.changes import UnwritableError
from migrate.codemod.codegen import code_of

_END = re.compile(r"\r\n|\r|\n")
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_LEFT_OUT = re.compile(r"\f|^[ \t]*\\\r?$|\bexcept\b[^:]*\\\r?$", re.MULTILINE)
"""What LibCST may leave out: form feeds, and continued lines that are blank or the head of an ``except``."""
_FRAMES = 12
"""Python frames that LibCST needs for a level of `ast`'s tree, to visit it and to write it."""
_LEVELS = 500
"""Levels that a module may have: `migrate.read.parse.MAX_DEPTH`."""


class Source:
    """The text of a module, and its LibCST tree."""

    def __init__(self, text: str, like: str | None = None) -> None:
        """Parse a text.

        Args:
            text: the code.
            like: the text whose line ends new lines have, if it is another one.

        Raises:
            UnwritableError: LibCST cannot take it.
        """
        ends = Counter(_END.findall(text if like is None else like))
        self.newline = ends.most_common(1)[0][0] if ends else "\n"
        self.text = text
        plain = _END.sub("\n", text) if self.newline == "\r" or len(ends) > 1 else text
        try:
            self.module = cst.parse_module(plain)
        except cst.ParserSyntaxError as error:
            raise UnwritableError(f"LibCST cannot parse it: {error.message}") from None
        except (cst.CSTValidationError, AttributeError) as error:  # as for `async` at the end of a line
            raise UnwritableError(f"LibCST cannot parse it: {error}") from None
        self._taken = plain
        # all else LibCST gives back as it is
        if ("\\" in plain or "\f" in plain) and _LEFT_OUT.search(plain):
            with deep():
                self._taken = code_of(self.module, self.module)
        if self._taken != text:
            self._lines = list(_aligned(_lines(self._taken), _lines(plain), _lines(text)))

    def restored(self, code: str) -> str:
        """New code with the line ends of the text, and all else that LibCST did not take."""
        if self._taken == self.text:
            return code
        old, new = _lines(self._taken), _lines(code)
        parts: list[str] = []
        for what, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
            if what == "equal":
                parts += self._lines[a:b]
            else:
                parts += [_END.sub(self.newline, line) for line in new[c:d]]
        return "".join(_apart(parts))


def _aligned(taken: list[str], plain: list[str], original: list[str]) -> Iterator[str]:
    """The original text of each line that LibCST took: several lines, where it took them as one.

    Raises:
        UnwritableError: it is not certain which lines they are.
    """
    for _, a, b, c, d in SequenceMatcher(None, taken, plain, autojunk=False).get_opcodes():
        if b - a == d - c:
            yield from original[c:d]
        elif b - a == 1:
            yield "".join(original[c:d])
        else:
            raise UnwritableError("LibCST does not keep its continued lines")


def _apart(lines: list[str]) -> Iterator[str]:
    """The lines, of which none ends with a carriage return that an empty one below would make its own."""
    before = ""
    for line in lines:
        before = "\r\n" if before.endswith("\r") and line == "\n" else line
        yield before


def _lines(text: str) -> list[str]:
    return _LINE.findall(text)


@contextmanager
def deep() -> Iterator[None]:
    """Let LibCST go as deep as a module may be nested."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, _FRAMES * _LEVELS))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
