"""Edits of whole statements, with the comments that belong to them and the blank lines around them."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field

from migrate.codemod.edits import Edit, Text
from migrate.codemod.lexical import pieces
from migrate.codemod.style import Style


@dataclass
class Comments:
    """The comments that belong to a statement."""

    first_line: int
    """The first line of the comments above it, or its own first line."""
    above: list[str] = field(default_factory=list)
    inner: list[str] = field(default_factory=list)
    trailing: str = ""


_GAP = re.compile(r"[ \t\f]*(?=#)")
"""What stands between code and the comment after it."""


class Layout:
    """Statements that go, that change, and that are put in."""

    def __init__(self, source: str) -> None:
        text = self.text = Text(source)
        self.style = Style(text)
        self.comment_tokens = _comment_tokens(text.source)
        self.edits: list[Edit] = []
        self.deleted: set[int] = set()
        self.inserted: dict[int, str] = {}
        """New text before a line."""

    def all_edits(self) -> list[Edit]:
        """All of them; call it once, at the end."""
        self._delete_lines()
        return self.edits

    # --- comments -------------------------------------------------------------------------------------------

    def comments(self, statement: ast.stmt) -> Comments:
        """The comment lines right above a statement, those inside it, and the one after it."""
        found = Comments(statement.lineno)
        own = self.text.indent(statement.lineno)
        line = statement.lineno - 1
        while (
            line >= 1 and self.text.lines[line - 1].strip().startswith("#") and self.text.indent(line) == own
        ):
            found.above.insert(0, self.text.lines[line - 1].strip())
            line -= 1
        if line == 0:
            found.above.clear()  # the head of the file, which is about the file
        found.first_line = statement.lineno - len(found.above)
        end = statement.end_lineno or statement.lineno
        for row, column, comment in self.comment_tokens:
            if statement.lineno <= row <= end:
                after = row == end and self.text.offset(row, 0) + column >= self.text.end(statement)
                if after:
                    found.trailing = comment
                else:
                    found.inner.append(comment)
        return found

    def delete(self, statement: ast.stmt, *, with_comments: bool = True) -> None:
        """Take a statement's lines out, with the comments above it."""
        first = self.comments(statement).first_line if with_comments else statement.lineno
        self.deleted.update(range(first, (statement.end_lineno or statement.lineno) + 1))

    def replace(self, statement: ast.stmt, code: str) -> None:
        """Put new code in a statement's place; the comments around it stay.

        The one after it goes above code of several lines, which has no line that it would be the comment of.
        """
        found, end = self.comments(statement), self.text.end(statement)
        gap = _GAP.match(self.text.source, end) if found.trailing else None
        if gap is not None and "\n" in code:
            found.inner.append(found.trailing)
            end = gap.end() + len(found.trailing)
        elif gap is not None:
            code, end = f"{code}  ", gap.end()
        inner = "".join(f"{comment}\n" for comment in found.inner)
        code = self.lines(inner + code, self.own(statement))
        self.edits.append(Edit(self.text.start(statement), end, code))

    def own(self, statement: ast.stmt) -> str:
        """The indentation of a statement."""
        return self.text.indent(statement.lineno)

    def lines(self, code: str, indent: str) -> str:
        """Code of several lines as it stands at an indentation; the first line's is there already."""
        return self.style.quoted(code).replace("\n", self.text.newline + indent)

    # --- lines that go --------------------------------------------------------------------------------------

    def _delete_lines(self) -> None:
        """Take deleted lines out, with blank lines that would stand double then."""
        lines = self.text.lines
        total = len(lines)
        gone = set(self.deleted)
        number = 1
        while number <= total:
            if number not in gone:
                number += 1
                continue
            end = number
            while end <= total and (
                end in gone or (not lines[end - 1].strip() and self._gap_to_gone(end, gone))
            ):
                gone.add(end)
                end += 1
            inserts = any(number <= place < end for place in self.inserted)
            before_blank = (
                number == 1 or not lines[number - 2].strip() or lines[number - 2].rstrip().endswith(":")
            )
            while (before_blank or inserts) and end <= total and not lines[end - 1].strip():
                gone.add(end)
                end += 1
            if inserts:
                back = number - 1
                while back >= 1 and not lines[back - 1].strip():
                    gone.add(back)
                    back -= 1
            number = end
        for line, code in self.inserted.items():
            self.edits.append(Edit(self.text.line_start(line), self.text.line_start(line), code))
        for line in sorted(gone):
            start = self.text.line_start(line)
            self.edits.append(Edit(start, start + len(lines[line - 1]), ""))

    def _gap_to_gone(self, line: int, gone: set[int]) -> bool:
        """Whether a blank line stands between lines that go."""
        while line <= len(self.text.lines) and not self.text.lines[line - 1].strip():
            line += 1
        return line in gone


def _comment_tokens(source: str) -> list[tuple[int, int, str]]:
    return [(piece.line, piece.column, piece.text.rstrip()) for piece in pieces(source) if piece.is_comment]
