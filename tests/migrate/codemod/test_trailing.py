"""Comments behind statements that get longer or shorter keep their column, or stand behind the code."""

from __future__ import annotations

import pytest

from tests.migrate.codemod.written import native_socket

SHOW = """\
def show(rdd):
    found = rdd.take(1){}# one
    print(found)
lines.foreachRDD(show)
"""


@pytest.mark.parametrize(
    ("blanks", "new"),
    [(2, 2), (1, 1), (6, 2), (40, 12)],
    ids=["two blanks", "one blank", "in the way", "in a column"],
)
def test_a_comment_has_its_column_where_there_is_room(blanks: int, new: int) -> None:
    code = native_socket(SHOW.format(" " * blanks))
    assert f'    found = [row["value"] for row in batch.take(1)]{" " * new}# one\n' in code


def test_many_states_are_declared_on_several_lines() -> None:
    names = ["counts_since_the_first_start", "sizes_since_the_first_start", "last_since_the_first_start"]
    update = "lines.map(lambda w: (w, len(w))).updateStateByKey(lambda new, old: (new or [old])[-1])"
    body = "".join(f"{name} = {update}\n{name}.pprint()\n" for name in names)
    code = native_socket(f'{body}ssc.checkpoint("state")')
    assert f"    global {names[0]}, {names[1]}\n    global {names[2]}\n" in code
