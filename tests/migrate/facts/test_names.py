"""The names of facts are the program's own."""

from __future__ import annotations

import ast

from migrate.facts.names import names_of_calls

PROGRAM = """\
lines = ssc.socketTextStream("localhost", 9999)
events = lines.map(json.loads)
events.filter(lambda e: e["n"]).map(key).pprint()


class Job:
    def run(self):
        self.words = self.lines.flatMap(split)


def main():
    words = lines.flatMap(split)
    again = words.map(str)
    again = words.map(int)
"""


def names(program: str) -> list[str]:
    return sorted(names_of_calls(ast.parse(program)).values())


def test_a_stream_is_called_after_its_variable_or_its_code() -> None:
    assert names(PROGRAM) == [
        "Job.run.self.words",
        "events",
        "events.filter(lambda e: e['n'])",
        "events.filter(lambda e: e['n']).map(key)",
        "events.filter(lambda e: e['n']).map(key).pprint()",
        "lines",
        "main.words",
        "main: words.map(int)",
        "main: words.map(str)",
    ]


def test_names_survive_edits_of_other_lines() -> None:
    edited = PROGRAM.replace("events.filter", "print(1)\n\n# filtered\nevents . filter")
    assert set(names(PROGRAM)) <= set(names(edited))
