"""The common part of all notebooks: cells that stay apart, and lines in them that are not Python.

The code of the cells becomes one module. Between two cells, and for each line that is not Python, it has a
stand-in: a name of its own, as a statement. Rewrites leave statements that they do not know where they are,
so the new code can be taken apart at the stand-ins again; if one of them is lost, it cannot.
"""

from __future__ import annotations

import ast
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from migrate.form import ApartError, Form, Place
from migrate.syntax.cells import BORDER
from migrate.syntax.nodes import parsed


class NotebookError(Exception):
    """The file is no notebook that can be migrated; the text says why."""


@dataclass(frozen=True)
class Cell:
    """A cell whose code was read."""

    number: int
    """Its position in the notebook, from 1, all cells counted."""
    code: str
    """The code of the cell, with stand-ins for lines that are not Python."""
    python: bool = True
    """Whether there is any Python in it; if not, nothing but the words of its comments may change."""


@dataclass(frozen=True)
class NewCell:
    """A cell as it will be."""

    code: str
    """Its text, without stand-ins."""
    is_other: bool
    """Whether more than comments and layout changed: what the cell showed was not put out by this code."""


@dataclass(frozen=True)
class Cells(Form):
    """The code of several cells as one text, and back."""

    cells: tuple[Cell, ...]
    stand_ins: dict[str, str] = field(default_factory=dict)
    """The original text of each stand-in."""
    newline: str = "\n"

    @property
    def has_cells(self) -> bool:
        """Whether the code stands in cells: always."""
        return True

    @property
    def code(self) -> str:
        """The code of all cells."""
        parts = [
            part for position, cell in enumerate(self.cells) for part in (self._border(position), cell.code)
        ]
        return self._newlines_after(parts[1:])

    def check(self, tree: ast.Module) -> None:
        """Check that every cell is Python by itself.

        Raises:
            NotebookError: a bracket or a text begins in one cell and ends in another.
        """
        names = {n.value.id for n in tree.body if isinstance(n, ast.Expr) and isinstance(n.value, ast.Name)}
        for position in range(1, len(self.cells)):
            if BORDER.format(position) not in names:
                raise NotebookError(
                    f"cell {self.cells[position - 1].number} ends in the middle of a statement"
                )

    def original_of(self, name: str) -> str:
        """The line that a stand-in is for."""
        found = (text for stand_in, text in self.stand_ins.items() if stand_in.split(",")[0].strip() == name)
        return next(found, "")

    def foreign_lines(self) -> Iterator[tuple[Place, str]]:
        """The lines that have stand-ins."""
        for start, cell in zip(self.starts(), self.cells, strict=True):
            for name, original in self._inside(cell.code):
                line = start + cell.code[: cell.code.index(name)].count("\n")
                yield self.place(line, 1), original

    def place(self, line: int, column: int) -> Place:
        """The cell that a line of the code is in, and its line there."""
        starts = self.starts()
        position = bisect_right(starts, line) - 1
        return Place(self.cells[position].number, line - starts[position] + 1, column)

    def restore(self, code: str, *, adopted: bool) -> str:
        """The text of the notebook; cells that did not change stay byte for byte."""
        return self.put(self.split(code, adopted=adopted))

    def put(self, cells: Sequence[NewCell]) -> str:
        """The text of the notebook with new code in its cells."""
        raise NotImplementedError

    def split(self, code: str, *, adopted: bool) -> list[NewCell]:
        """Each cell with its new code, in their order.

        Args:
            code: what the code of the module became.
            adopted: whether it may have more than new comments.

        Raises:
            ApartError: a stand-in is lost, or a cell without Python got some.
        """
        parts: list[str] = []
        rest = code
        for position in range(1, len(self.cells)):
            border = self._border(position) + self.newline
            before, found, rest = rest.partition(border)
            if not found or (before and not before.endswith(self.newline)):
                raise ApartError("a rewrite would move code from one cell to another")
            parts.append(before)
        parts.append(rest)
        return [
            NewCell(self._cell(cell, part), adopted and not _is_same(cell.code, part))
            for cell, part in zip(self.cells, parts, strict=True)
        ]

    def _cell(self, cell: Cell, code: str) -> str:
        """The text of a cell from its new code."""
        if code in (cell.code, self._newlines_after([cell.code])):
            code = cell.code
        elif not (cell.python or _is_same(cell.code, code)):
            raise ApartError(f"a rewrite would put code into cell {cell.number}, which is not Python")
        else:
            code = _framed(cell.code, code)
        for name, original in self._inside(cell.code):
            if code.count(name) != 1:
                raise ApartError(f"a rewrite would lose or repeat `{original.splitlines()[0]}`")
            code = code.replace(name, original)
        return code

    def _inside(self, code: str) -> list[tuple[str, str]]:
        return [(name, original) for name, original in self.stand_ins.items() if name in code]

    def _border(self, position: int) -> str:
        return BORDER.format(position)

    def _newlines_after(self, parts: Sequence[str]) -> str:
        return "".join(part if part.endswith(self.newline) else part + self.newline for part in parts)

    def starts(self) -> list[int]:
        """The line of the code that each cell begins on."""
        starts = [1]
        for cell in self.cells[:-1]:
            text = self._newlines_after([cell.code])
            starts.append(starts[-1] + text.count(self.newline) + 1)
        return starts


def _is_same(old: str, new: str) -> bool:
    """Whether two codes of a cell are the same but for comments and layout."""
    if old.strip() == new.strip():
        return True
    try:
        return ast.dump(parsed(old)) == ast.dump(parsed(new))
    except SyntaxError:  # the old one is Python 2
        return False


def _framed(old: str, new: str) -> str:
    """The new code of a cell, with the empty lines that the old one begins and ends with."""
    ends = "\r\n"
    start, end = len(old) - len(old.lstrip(ends)), len(old.rstrip(ends))
    return old[:start] + new.strip(ends) + old[end:] if new.strip() else old[end:]
