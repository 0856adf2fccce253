"""Names of builtins that a program gives to something else, and where it matters."""

from __future__ import annotations

import pytest

from tests.migrate.programs import SOCKET, run

HEAD = "def show(rows):\n{}\n"
USES = {
    "a loop's variable": ("    for len in rows:\n        print('%s' % len[0], len.count, len == 1)", True),
    "a parameter": ("    pass\ndef other(len):\n    return len[0]", True),
    "one that is called": ("    for len in rows:\n        print(len(rows))", False),
    "one that is handed on": ("    for len in rows:\n        print(sorted(rows, key=len))", False),
    "one that is returned": ("    for len in rows:\n        return len", False),
    "one that a function inside may read": (
        "    for len in rows:\n        print(len[0])\n    return [lambda row: row[0] for row in rows]",
        False,
    ),
    "one of the module": ("    global len\n    for len in rows:\n        print(len[0])", False),
}


@pytest.mark.parametrize(("body", "stays_inside"), USES.values(), ids=USES)
def test_a_variable_of_one_function_is_none_of_the_others(body: str, stays_inside: bool) -> None:
    stream = "lines.filter(lambda line: len(line) > 3).pprint()"
    (file,) = run(HEAD.format(body) + SOCKET.format(body=stream)).files
    assert ('F.length("value") > 3' in file.new) is stays_inside
