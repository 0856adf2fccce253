"""Databricks' notebooks as Python files: ``# COMMAND ----------`` between cells, ``# MAGIC`` for the rest.

https://docs.databricks.com/aws/en/notebooks/notebook-export-import
"""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from dataclasses import dataclass

from migrate.form import Place
from migrate.read.notebook.cells import Cell, Cells, NewCell
from migrate.read.notebook.magics import StandIns, broken_code, run_code, says_python

HEADER = "# Databricks notebook source"
_COMMAND = re.compile(r"^# COMMAND -+[ \t]*\r?\n", re.MULTILINE)
_MAGIC = re.compile(r"^# MAGIC\b[^\n]*?(?=\r?\n|\Z)|^# DBTITLE[^\n]*?(?=\r?\n|\Z)", re.MULTILINE)


def is_databricks(text: str) -> bool:
    """Whether a Python file is a notebook, by its first line."""
    return text.startswith(HEADER)


@dataclass(frozen=True)
class Databricks(Cells):
    """A notebook whose lines are those of the code."""

    borders: tuple[str, ...] = ()
    """The lines between the cells."""

    def put(self, cells: Sequence[NewCell]) -> str:
        """The file with new code in its cells."""
        borders = ["", *self.borders]
        return "".join(border + cell.code for border, cell in zip(borders, cells, strict=True))

    def place(self, line: int, column: int) -> Place:
        """The cell that a line is in; the line stays that of the file, where an editor finds it."""
        return Place(super().place(line, column).cell, line, column)


def databricks(text: str, broken: Container[int] = ()) -> Databricks:
    """The cells of a notebook; lines that are not Python have stand-ins, line for line.

    Args:
        text: the file.
        broken: the numbers of cells that cannot be parsed.
    """
    sources = _COMMAND.split(text)
    stand_ins = StandIns(sources)

    def stand_in(match: re.Match[str]) -> str:
        return run_code(match[0], stand_ins) or stand_ins.of(match[0])

    borders = tuple(_COMMAND.findall(text))
    cells = []
    for number, source in enumerate(sources, start=1):
        if number in broken:
            cells.append(Cell(number, broken_code(source, stand_ins), python=False))
            continue
        code = _MAGIC.sub(stand_in, source)
        cells.append(Cell(number, code, python=says_python(code) or code == source))
    return Databricks(tuple(cells), stand_ins.originals, "\r\n" if "\r\n" in text else "\n", borders)


__all__ = ["HEADER", "Databricks", "databricks", "is_databricks"]
