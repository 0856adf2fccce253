"""Jupyter's notebooks: which part of the JSON text holds the code, and new code in its place.

Formats 3 and 4, https://nbformat.readthedocs.io/en/latest/format_description.html. Only the ``source`` of
cells that changed is written, in the way of the old one, so that everything else stays byte for byte. A cell
with other code is one that was not run: its outputs go, and its number. One of which nothing is left goes.
"""

from __future__ import annotations

import json
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from migrate.form import Place
from migrate.read.notebook.cells import Cell, Cells, NewCell, NotebookError
from migrate.read.notebook.json_text import DECODER, items_of, members_of, skip_white
from migrate.read.notebook.kernels import PYTHON_2, kernel_of_2, on_python_3, said
from migrate.read.notebook.magics import StandIns, broken_code, plain_code

_NOT_RUN = {"outputs": "[]", "execution_count": "null", "prompt_number": "null"}
"""What the members of a cell hold that was not run; format 3 has a ``prompt_number``."""


@dataclass(frozen=True)
class Span:
    """The part of the JSON text that is the source of a cell: a text, or a list of texts."""

    start: int
    end: int
    source: str
    cell: int
    """Where the object of the cell begins."""
    run: tuple[tuple[int, int, str], ...] = ()
    """The parts of the JSON text that tell how the cell ran, each with what stands there if it did not."""
    has_outputs: bool = False


@dataclass(frozen=True)
class Jupyter(Cells):
    """A notebook whose cells are parts of a JSON text."""

    json: str = ""
    spans: tuple[Span, ...] = ()
    """Of each of `cells`."""
    others: tuple[tuple[int, str], ...] = ()
    """The cells in other languages: their numbers, and what stands in them."""
    kernel: str = ""
    """The name of its kernel, if that is of Python 2."""

    def foreign_lines(self) -> Iterator[tuple[Place, str]]:
        """The lines that have stand-ins, and those of cells in other languages."""
        yield from super().foreign_lines()
        for cell, source in self.others:
            yield from ((Place(cell, line, 1), text) for line, text in enumerate(source.split("\n"), 1))

    @property
    def has_outputs(self) -> bool:
        """Whether any cell shows what it put out."""
        return any(span.has_outputs for span in self.spans)

    @property
    def prose(self) -> tuple[str, ...]:
        """The lines of the cells of text."""
        return tuple(_prose(self.json))

    @property
    def kernel_of_2(self) -> str:
        """The name of its kernel, if that is of Python 2."""
        return self.kernel

    def outputs_left_out(self, code: str) -> int:
        """How many cells lose what they show, since other code stands in them."""
        cells = zip(self.spans, self.split(code, adopted=True), strict=True)
        return sum(span.has_outputs and cell.is_other for span, cell in cells)

    def on_python_3(self, text: str) -> str:
        """The notebook with the kernel of Python 3 in the place of that of Python 2."""
        return on_python_3(text) if self.kernel == PYTHON_2 else text

    def put(self, cells: Sequence[NewCell]) -> str:
        """The JSON text with new code in its cells."""
        changes: list[tuple[int, int, str]] = []
        emptied: set[int] = set()
        for span, cell in zip(self.spans, cells, strict=True):
            if cell.code != span.source:
                changes.append((span.start, span.end, self._written(span, cell.code)))
                if not cell.code.strip() and span.source.strip():
                    emptied.add(span.cell)
            if cell.is_other:
                changes += span.run
        gone = list(_without(self.json, emptied))
        parts: list[str] = []
        done = 0
        for start, end, new in sorted([*changes, *((start, end, "") for start, end in gone)]):
            if start >= done:  # else it is part of a cell that goes
                parts += [self.json[done:start], new]
                done = end
        return "".join([*parts, self.json[done:]])

    def _written(self, span: Span, code: str) -> str:
        old = self.json[span.start : span.end]
        if not old.startswith("["):
            return self._text(code)
        raw = {json.loads(text, strict=False): text for text in _texts(old)}
        opening, between, closing = _layout(old)
        lines = _lines(code)
        if not lines:
            return "[]"
        return opening + between.join(raw.get(line) or self._text(line) for line in lines) + closing

    def _text(self, text: str) -> str:
        return json.dumps(text, ensure_ascii=self.json.isascii() and "\\u" in self.json)


def jupyter(text: str, broken: Container[int] = ()) -> Jupyter | None:
    """The notebook in a JSON text; None for one in another language than Python.

    Args:
        text: the JSON text.
        broken: the numbers of cells that cannot be parsed.

    Raises:
        NotebookError: it is not JSON, or no notebook.
    """
    try:
        whole = DECODER.decode(text)
        if not isinstance(whole, dict):
            raise NotebookError("not a notebook: no object")
        if not _is_python(whole):
            return None
        found = list(_code_cells(text))
    except (ValueError, RecursionError) as error:
        raise NotebookError(f"not a notebook: {error}") from None
    stand_ins = StandIns(span.source for _, span in found)
    cells: list[Cell] = []
    spans: list[Span] = []
    others: list[tuple[int, str]] = []
    for number, span in found:
        if number in broken:
            cells.append(Cell(number, broken_code(span.source, stand_ins), python=False))
            spans.append(span)
            continue
        plain = plain_code(span.source, stand_ins)
        if plain is not None:
            cells.append(Cell(number, plain.code, plain.python))
            spans.append(span)
        else:
            others.append((number, span.source))
    if not cells:
        return None
    kernel = kernel_of_2(whole)
    return Jupyter(tuple(cells), stand_ins.originals, "\n", text, tuple(spans), tuple(others), kernel)


def file_line(text: str, cell: int, line: int) -> int:
    """The line of a JSON text, from 1, that holds a line of a cell."""
    span = next((span for number, span in _code_cells(text) if number == cell), None)
    if span is None:
        return 1
    at = span.start
    if text[at] == "[":
        lines = 1
        for start, value, _ in items_of(text, at):
            if lines > line:
                break
            at, lines = start, lines + value.count("\n")
    return text.count("\n", 0, at) + 1


def _is_python(notebook: dict[str, Any]) -> bool:
    named = (
        said(notebook, part, key)
        for part, key in (("kernelspec", "language"), ("language_info", "name"), ("kernelspec", "name"))
    )
    language = next(filter(None, named), "python").lower()
    return "python" in language or "pyspark" in language


# --- where things stand in the text -------------------------------------------------------------------------


def _code_cells(text: str) -> Iterator[tuple[int, Span]]:
    """The code cells, with their number among all cells."""
    for number, start in enumerate(_cell_starts(text), start=1):
        members = {key: (at, value, end) for key, at, value, end in members_of(text, start)}
        kind = members.get("cell_type", (0, "", 0))[1]
        language = members.get("language", (0, "python", 0))[1]
        at, value, end = members.get("source", members.get("input", (0, None, 0)))
        if kind == "code" and language == "python" and value is not None:
            lines = value if isinstance(value, list) else [value]
            if not all(isinstance(line, str) for line in lines):
                raise NotebookError(f"not a notebook: the source of cell {number} is no text")
            run = ((*members[key], new) for key, new in _NOT_RUN.items() if key in members)
            others = tuple((at, end, new) for at, old, end, new in run if old != json.loads(new))
            shown = members.get("outputs", (0, None, 0))[1]
            yield number, Span(at, end, "".join(lines), start, others, has_outputs=bool(shown))


def _prose(text: str) -> Iterator[str]:
    """The lines of the cells of text that say something."""
    for start in _cell_starts(text):
        members = {key: value for key, _, value, _ in members_of(text, start)}
        source = members.get("source", "")
        if members.get("cell_type") in ("heading", "markdown"):
            lines = "".join(map(str, source)) if isinstance(source, list) else str(source)
            yield from filter(None, map(str.strip, lines.splitlines()))


def _cell_starts(text: str) -> Iterator[int]:
    """Where the objects of all cells begin."""
    for at in _cell_lists(text):
        yield from (start for start, _, _ in items_of(text, at))


def _cell_lists(text: str) -> Iterator[int]:
    """Where the lists of cells begin."""
    for key, at, value, _ in members_of(text, skip_white(text, 0)):
        if key == "cells" and isinstance(value, list):
            yield at
        elif key == "worksheets" and isinstance(value, list):
            for sheet, _, _ in items_of(text, at):
                for inner, inner_at, cells, _ in members_of(text, sheet):
                    if inner == "cells" and isinstance(cells, list):
                        yield inner_at


def _without(text: str, cells: Container[int]) -> Iterator[tuple[int, int]]:
    """The parts of the text to leave out with some cells, each with the comma on one side of it.

    Args:
        text: the JSON text.
        cells: where they begin.
    """
    for at in _cell_lists(text):
        items = [(start, end) for start, _, end in items_of(text, at)]
        kept = [position for position, (start, _) in enumerate(items) if start not in cells]
        if not kept:
            continue
        for position, (start, _) in enumerate(items[: kept[-1]]):
            if position not in kept:
                yield start, items[position + 1][0]
        if kept[-1] + 1 < len(items):
            yield items[kept[-1]][1], items[-1][1]


# --- how a list of lines is laid out ------------------------------------------------------------------------


def _texts(old: str) -> list[str]:
    return [old[start:end] for start, _, end in items_of(old, 0)]


def _layout(old: str) -> tuple[str, str, str]:
    """The text before, between and after the lines of a list."""
    items = list(items_of(old, 0))
    if not items:
        return "[", ", ", "]"
    opening, closing = old[: items[0][0]], old[items[-1][2] :]
    between = old[items[0][2] : items[1][0]] if len(items) > 1 else "," + opening[1:]
    return opening, between, closing


def _lines(code: str) -> list[str]:
    parts = code.split("\n")
    return [*(part + "\n" for part in parts[:-1]), *([parts[-1]] if parts[-1] else [])]
