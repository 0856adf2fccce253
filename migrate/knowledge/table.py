"""Tables of names as text in columns: one row for each name, the columns named in the first line."""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping
from typing import Any, TypeVar, get_type_hints

Row = TypeVar("Row")
ABSENT = "-"
"""The word for an empty cell: no flag, no text."""


def read_table(text: str, row: type[Row]) -> dict[str, Row]:
    """Read a table into one frozen object for each of its rows, by the names in its first column.

    Args:
        text: the names of the columns, then the rows; words are apart by blanks, ``#`` begins a comment line.
        row: a dataclass whose fields are the columns, but for the first: enums by their values, strings, and
            truth values, which are ``yes`` or ``-``.

    Raises:
        ValueError: a row has other columns than its table, a word that its column does not know, or a name
            that another row has.
    """
    types = get_type_hints(row)
    lines = [line.split() for line in text.splitlines() if line.strip() and not line.startswith("#")]
    columns = lines[0][1:]
    if columns != [*types]:
        raise ValueError(f"the columns are {columns}, those of {row.__name__} are {[*types]}")
    rows: dict[str, Row] = {}
    for name, *cells in lines[1:]:
        if name in rows:
            raise ValueError(f"{name} has two rows")
        try:
            rows[name] = row(
                **{column: _read(cell, types[column]) for column, cell in zip(columns, cells, strict=True)}
            )
        except ValueError as error:
            raise ValueError(f"{name}: {error}") from None
    return rows


def _read(cell: str, kind: type[Any]) -> object:
    if issubclass(kind, enum.Enum):
        return kind(cell)
    if kind is not bool:
        return "" if cell == ABSENT else cell
    if cell not in ("yes", ABSENT):
        raise ValueError(f"{cell!r} is neither 'yes' nor '{ABSENT}'")
    return cell == "yes"


def names(table: Mapping[str, Row], which: Callable[[Row], bool]) -> frozenset[str]:
    """The names of the rows for which something holds."""
    return frozenset(name for name, row in table.items() if which(row))
