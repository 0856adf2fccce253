"""Where the parts of a JSON text stand, so that one of them can be changed and all else be kept."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from migrate.read.notebook.cells import NotebookError

DECODER = json.JSONDecoder(strict=False)
_WHITE = " \t\r\n"


def members_of(text: str, start: int) -> Iterator[tuple[str, int, Any, int]]:
    """Of the object that begins at `start`: each key with the place of its value, the value, and its end."""
    if text[start : start + 1] != "{":
        raise NotebookError("not a notebook: a cell is no object")
    at = skip_white(text, start + 1)
    while text[at] != "}":
        key, at = DECODER.raw_decode(text, at)
        at = skip_white(text, skip_white(text, at) + 1)
        value, end = DECODER.raw_decode(text, at)
        yield key, at, value, end
        at = _next(text, end)


def items_of(text: str, start: int) -> Iterator[tuple[int, Any, int]]:
    """Of the list that begins at `start`: the place, the value and the end of each item."""
    at = skip_white(text, start + 1)
    while text[at] != "]":
        value, end = DECODER.raw_decode(text, at)
        yield at, value, end
        at = _next(text, end)


def _next(text: str, at: int) -> int:
    at = skip_white(text, at)
    return skip_white(text, at + 1) if text[at] == "," else at


def skip_white(text: str, at: int) -> int:
    """The first place from `at` on that is not white."""
    while text[at : at + 1] and text[at] in _WHITE:
        at += 1
    return at
