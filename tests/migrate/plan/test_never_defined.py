"""A note on each name that nothing defines, where the new code reads it still."""

from __future__ import annotations

import pytest

from migrate.model import Outcome
from tests.migrate.programs import run, socket_program


@pytest.mark.parametrize(
    ("head", "told"),
    [
        ("show_time()\nshow_time()\n", ["line 1: `show_time` is never defined"]),
        ("def note():\n    return first, second\n", ["line 2: `first` is", "line 2: `second` is"]),
        ("def show_time():\n    pass\nshow_time()\n", []),
        ("from helpers import *\nshow_time()\n", []),
        ("exec(open('helpers.py').read())\nshow_time()\n", []),
    ],
)
def test_they_are_told_of(head: str, told: list[str]) -> None:
    (graph,) = run(head + socket_program("lines.pprint()")).graphs
    assert graph.outcome is Outcome.NATIVE
    notes = [note for note in graph.notes if "never defined" in note]
    assert len(notes) == len(told) and all(map(str.startswith, notes, told)), notes
