"""The names of a program's calls while it runs."""

from __future__ import annotations

import ast
import sys
from pathlib import Path
from types import CodeType
from typing import Any

from migrate.facts.names import names_of_calls


class Calls:
    """The names of the program's calls, by the places from which they are made.

    Args:
        work: the copy of the working directory.
        program: the program, which may lie elsewhere.
    """

    def __init__(self, work: Path, program: Path) -> None:
        self._work = work.resolve()
        self._program = program.resolve()
        self._trees: dict[str, dict[ast.Call, str]] = {}
        self._known: dict[tuple[CodeType, int], tuple[str, str] | None] = {}

    def name(self, frame: Any, operator: str) -> tuple[str, str] | None:
        """The file and the name of what the call at a frame makes; None if it is not the program's."""
        place = (frame.f_code, frame.f_lasti)
        if place not in self._known:
            self._known[place] = self._name(frame, operator)
        return self._known[place]

    def _name(self, frame: Any, operator: str) -> tuple[str, str] | None:
        path = Path(frame.f_code.co_filename).resolve()
        if path.is_relative_to(self._work):
            file = path.relative_to(self._work).as_posix()
        elif path == self._program:
            file = path.name
        else:
            return None
        if file not in self._trees:
            self._trees[file] = names_of_calls(ast.parse(path.read_bytes()))
        found = [call for call in self._trees[file] if _is_at(call, frame, operator)]
        return (file, self._trees[file][found[0]]) if len(found) == 1 else None


def _is_at(call: ast.Call, frame: Any, operator: str) -> bool:
    """Whether a frame is at a call; before Python 3.11 only lines are known, which may hold several."""
    assert isinstance(call.func, ast.Attribute)
    if call.func.attr != operator:
        return False
    if sys.version_info < (3, 11):
        return bool(call.lineno <= frame.f_lineno <= (call.end_lineno or call.lineno))
    places = list(frame.f_code.co_positions())
    _, end_line, _, end_column = places[frame.f_lasti // 2]
    return bool((call.end_lineno, call.end_col_offset) == (end_line, end_column))
