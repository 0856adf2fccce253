"""Made-up input has what a program reads."""

from __future__ import annotations

import ast
import json

from tests.bench.made_samples import keys_read, sample

PROGRAM = """
import json

def parse(m):
    e = json.loads(m)
    total = 0
    for i in e["data"]:
        total += i.get("amount") * 2
    user = e["user"]
    if "seen" in e:
        return user["name"], int(e["n"]), [w for w in e["words"]]
"""


def test_keys_are_nested_as_they_are_read() -> None:
    assert keys_read(ast.parse(PROGRAM)) == {
        "data": {"[]": {"amount": {}}},
        "user": {"name": {}},
        "seen": {},
        "n": {},
        "words": {"[]": {}},
    }


def test_lines_are_objects_that_the_program_can_use() -> None:
    names: dict[str, object] = {}
    exec(PROGRAM, names)
    for line in sample(PROGRAM).splitlines():
        name, number, words = names["parse"](line)  # type: ignore[operator]
        assert isinstance(name, str)
        assert isinstance(number, int)
        assert all(isinstance(word, str) for word in words)
        assert isinstance(json.loads(line)["data"], list)


def test_lines_of_other_programs_are_cut_as_the_program_cuts_them() -> None:
    assert all("," in line for line in sample("lines.map(lambda s: s.split(','))").splitlines())
