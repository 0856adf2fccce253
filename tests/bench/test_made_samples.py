"""Made-up input and arguments have what a program reads."""

from __future__ import annotations

import ast
import json

from tests.bench.made_samples import keys_read, sample
from tests.bench.program_runs import arguments_of

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


def test_a_program_gets_the_arguments_that_it_reads() -> None:
    source = "lines = ssc.socketTextStream({}, {}, sys.argv[3])"
    assert arguments_of(source.format("sys.argv[1]", "int(sys.argv[2])")) == [
        "{host}",
        "{port}",
        "{work}/out",
    ]
    assert arguments_of("ssc.socketTextStream('localhost', int(sys.argv[1]))") == ["{port}"]
    assert arguments_of("ssc.textFileStream(sys.argv[1]).window(int(sys.argv[2]))") == ["{dir}", "10"]


def test_options_that_must_be_given_are_given_by_their_short_names() -> None:
    source = "parser.add_argument('-iz', '--input_zookeeper', type=str, required=True)\n"
    source += "parser.add_argument('-n', type=int)\nparser.add_argument('port', type=int)\n"
    assert arguments_of(source) == ["-iz", "localhost:9092", "{port}"]
