"""The form of a file: its text is the code as it is, has it in a notebook's cells, or has it in Python 2."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.frozen import dataclass


class ApartError(Exception):
    """New code cannot be put back into the file: it reaches across what is apart there, as cells are."""


@dataclass(frozen=True)
class Place:
    """A place in a file: lines and columns from 1, columns in code points."""

    cell: int | None
    """The position of the cell in a notebook, from 1, all cells counted; the line is one of the cell then."""
    line: int
    column: int

    def __str__(self) -> str:
        return f"line {self.line}" if self.cell is None else f"cell {self.cell}, line {self.line}"


class Form:
    """The form of a plain file: its text is its code."""

    @property
    def has_cells(self) -> bool:
        """Whether the code stands in cells, into which new code must fit."""
        return False

    @property
    def has_outputs(self) -> bool:
        """Whether the file shows what its code put out, as cells do."""
        return False

    @property
    def kernel_of_2(self) -> str:
        """The name of a notebook's kernel, if that is of Python 2; else empty."""
        return ""

    @property
    def prose(self) -> tuple[str, ...]:
        """The lines of a notebook's cells of text."""
        return ()

    def outputs_left_out(self, code: str) -> int:
        """How many cells lose what they show where `code` becomes the code of the file."""
        return 0

    def restore(self, code: str, *, adopted: bool) -> str:
        """The text of the file for new code; for the code as it was read, the text as it is.

        Args:
            code: what the code of the module became.
            adopted: whether a graph of the file is migrated; if not, `code` only has comments more.

        Raises:
            ApartError: the code cannot stand in the file.
        """
        return code

    def on_python_3(self, text: str) -> str:
        """The text of the file, whose code is Python 3 now, with the interpreter of that in its metadata."""
        return text

    def original_of(self, name: str) -> str:
        """The text that a name stands for, as a notebook has lines that are not Python; empty for none."""
        return ""

    def foreign_lines(self) -> Iterator[tuple[Place, str]]:
        """The lines that are not Python, with their places: they stay as they are."""
        return iter(())

    def place(self, line: int, column: int) -> Place:
        """The place in the file of a place in the code, as a report shows it."""
        return Place(None, line, column)


class WithLine(Form):
    """The form of a plain file whose code has a line more than the file: its places are those in the file."""

    def __init__(self, line: int) -> None:
        self._line = line

    def place(self, line: int, column: int) -> Place:
        """The place in the file, without the line that it has not."""
        return Place(None, line - (line > self._line), column)
