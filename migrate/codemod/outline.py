"""What LibCST gets to see of a module: a name stands for each statement in which nothing changes.

Most of a program stays, and a parse by LibCST takes longer than all else that is done to write it. So a
statement that stays, or goes as a whole, is not parsed: its text, comments included, comes back at the end.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import zip_longest

import libcst as cst

from migrate.codemod.changes import Changes
from migrate.codemod.codegen import code_of
from migrate.codemod.moves import Moves
from migrate.codemod.source import Source, deep
from migrate.syntax.text import Edit, Text, apply_edits


class Outline:
    """The statements of a module that LibCST has to know for its changes, between the names of the others."""

    def __init__(self, changes: Changes) -> None:
        """Parse them.

        Raises:
            UnwritableError: LibCST cannot take their text.
        """
        source = _with_comments(changes)
        self._name = "statement_"
        while self._name in source:
            self._name += "_"
        self._texts: list[str] = []
        edits: list[Edit] = []
        for start, end in _Whole(changes, Text(source)).places():
            edits.append(Edit(start, end, f"{self._name}{len(self._texts)}"))
            self._texts.append(source[start:end])
        self._source = Source(apply_edits(source, edits), like=source)

    @property
    def module(self) -> cst.Module:
        """The LibCST tree, with a line for each line of the module's own."""
        return self._source.module

    def text_of(self, new: cst.Module) -> str:
        """The text of a module that was made of this one, with all statements in their places."""
        with deep():
            code = self._source.restored(code_of(new, new))
        return re.sub(rf"\b{self._name}([0-9]+)\b", lambda found: self._texts[int(found[1])], code)


def _with_comments(changes: Changes) -> str:
    """The old text with what comments say now: they end their lines, so that all else stays in its place."""
    text = Text(changes.source)
    edits: list[Edit] = []
    for one in changes.old_comments.all if changes.comments else ():
        start = text.line_start(one.line) + one.column
        edits.append(Edit(start, start + len(one.text), changes.said(one)))
    for line, comment in changes.beside.items():
        end = text.line_start(line) + len(text.lines[line - 1].rstrip())
        edits.append(Edit(end, end, f"  {comment}"))
    return apply_edits(changes.source, edits)


class _Whole:
    """Finds the statements of which LibCST needs nothing but the place."""

    def __init__(self, changes: Changes, text: Text) -> None:
        self._changes = changes
        self._text = text
        self._opened = Moves(changes).opened

    def places(self) -> Iterator[tuple[int, int]]:
        """Where each of them begins and ends in the text, with the comments behind it and in it."""
        blocks = [self._changes.tree.body]
        for block in blocks:  # grows while it is walked
            for statement, below in zip_longest(block, block[1:]):
                if statement in self._opened or self._is_elif(statement):
                    # what is in a branch that goes gets another indentation
                    blocks += _blocks(statement) if statement not in self._changes.unfolded else []
                elif self._has_lines(statement, below):
                    first, last = self._lines(statement)
                    start = self._text.line_start(first) + len(self._text.indent(first))
                    end = self._text.line_start(last) + len(self._text.lines[last - 1].rstrip("\r\n"))
                    yield start, end

    def _is_elif(self, statement: ast.stmt) -> bool:
        return isinstance(statement, ast.If) and self._text.source.startswith(
            "elif", self._text.start(statement)
        )

    def _has_lines(self, statement: ast.stmt, below: ast.stmt | None) -> bool:
        """Whether a statement has lines of its own."""
        _, last = self._lines(statement)
        return (
            self._begins_line(statement)
            and (below is None or below.lineno > last)
            and not self._is_continued(last)
        )

    def _lines(self, statement: ast.stmt) -> tuple[int, int]:
        """Its first and its last line; as LibCST has it, comments below are a block's as deep as that."""
        decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
        first = min([statement.lineno, *(one.lineno for one in decorators)])
        last = end = statement.end_lineno or statement.lineno
        blocks = _blocks(statement)
        if blocks and self._begins_line(blocks[-1][0]):
            indent = self._text.indent(blocks[-1][0].lineno)
            for row, line in enumerate(self._text.lines[end:], end + 1):
                if line.strip() and not line.lstrip().startswith("#"):
                    break
                if line.startswith(indent):
                    last = row
        return first, last

    def _begins_line(self, statement: ast.stmt) -> bool:
        """Whether a line begins with a statement that no backslash joins to the line above."""
        return self._text.begins_line(statement) and not self._is_continued(statement.lineno - 1)

    def _is_continued(self, line: int) -> bool:
        return line > 0 and self._text.lines[line - 1].rstrip("\r\n").endswith("\\")


def _blocks(statement: ast.stmt) -> list[list[ast.stmt]]:
    """The blocks of a statement, in order."""
    parts = (*getattr(statement, "handlers", ()), *getattr(statement, "cases", ()))
    blocks = [getattr(statement, name, []) for name in ("body", "orelse", "finalbody")]
    return [block for block in (blocks[0], *(part.body for part in parts), *blocks[1:]) if block]
