"""The support table of compat/README.md, made from the code and the tests: `python -m tests.compat.support`.

A member is supported by an engine that has registered its operator. Notes are the paragraphs of a member's
docstring that begin with ``Engine `` and the engine's name; one that goes on with "none" says that the engine
has it not. The last column says how tests hold the engines to each other: by example, or also at random."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pyspark.streaming

from compat import graph
from compat._rdd.registry import BUILDERS
from compat._structured.batches.registry import OPERATORS, OUTPUTS
from compat.engine import ENGINES, load
from compat.streaming import DStream, StreamingContext, StreamingListener
from compat.streaming.kafka import KafkaUtils

ROOT = Path(__file__).parents[2]
README = ROOT / "compat" / "README.md"
BEGIN, END = "<!-- table: python -m tests.compat.support -->\n", "<!-- end of table -->\n"
AT_RANDOM = ("operators", "pipelines", "test_differential", "test_pipelines")
"""The test modules that draw their programs or batches."""
SIGNATURES_ONLY = ("support", "test_choice", "test_parity", "test_support")
"""Modules that name members without running them."""
HEAD = "| | rdd | structured | notes | tests |\n|---|---|---|---|---|"
CLASSES = (StreamingContext, DStream, StreamingListener, KafkaUtils)
NOTE = re.compile(r"^Engine ``(\w+)``: ")
for engine in ENGINES:
    load(engine)
REGISTERED = {"rdd": set(BUILDERS), "structured": set(OPERATORS) | set(OUTPUTS)}


class Row(NamedTuple):
    """A member of `compat.streaming`."""

    owner: type
    name: str
    notes: dict[str, str]
    """By engine: what differs there, in Markdown."""
    tests: list[str]
    """The test modules that use it."""

    @property
    def addition(self) -> bool:
        """Whether `pyspark.streaming` does not have it; all of `KafkaUtils` is of PySpark 2.4."""
        theirs = getattr(pyspark.streaming, self.owner.__name__, KafkaUtils)
        return not hasattr(theirs, self.name)

    def has(self, engine: str) -> bool:
        """Whether the engine has it."""
        if self.notes.get(engine, "").startswith("none"):
            return False
        kind = graph.catalogue().get(self.name)
        return kind is None or kind in REGISTERED[engine]


def table() -> list[Row]:
    """All public members, class by class."""
    used = used_members()
    return [
        Row(owner, name, notes(getattr(owner, name)), used.get(name, []))
        for owner in CLASSES
        for name in sorted(dir(owner), key=str.lower)
        if not name.startswith("_") and name != "Java"
    ]


def notes(member: object) -> dict[str, str]:
    """What a member's docstring says of single engines."""
    found = {}
    for paragraph in (inspect.getdoc(member) or "").split("\n\n"):
        match = NOTE.match(paragraph)
        if match:
            assert match[1] in ENGINES, f"{member}: {match[1]} is no engine"
            found[match[1]] = " ".join(paragraph[match.end() :].split()).replace("``", "`")
    return found


def used_members() -> dict[str, list[str]]:
    """The names of members, and the test modules in which they are used."""
    used: dict[str, list[str]] = {}
    for path in [*(ROOT / "tests/compat").glob("*.py"), *(ROOT / "tests/e2e/kafka").glob("*.py")]:
        if path.stem in SIGNATURES_ONLY:
            continue
        for name in set(_attributes(ast.parse(path.read_text(encoding="utf-8")))):
            used.setdefault(name, []).append(path.stem)
    return used


def _attributes(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) not in ("rdd", "sc", "spark", "F"):
            yield node.attr
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value  # where members are listed, or looked up by their names


def markdown() -> str:
    """The table."""
    rows, lines = table(), []
    for owner in CLASSES:
        lines += [f"\n**{owner.__name__}**\n", HEAD]
        lines += [f"| {' | '.join(_cells(row))} |" for row in rows if row.owner is owner]
    return "\n".join(lines) + "\n"


def _cells(row: Row) -> list[str]:
    name = f"`{row.name}`" + (" (not in `pyspark.streaming`)" if row.addition else "")
    marks = ["yes" if row.has(engine) else "no" for engine in ("rdd", "structured")]
    said = [f"*{engine}*: {note}" for engine, note in sorted(row.notes.items())]
    tests = ("by example", "at random")
    how = [tests[kind] for kind in (0, 1) if any((test in AT_RANDOM) == bool(kind) for test in row.tests)]
    return [name, *marks, "<br>".join(said).replace("|", "\\|"), ", ".join(how)]


def with_table(text: str) -> str:
    """The README with the table of now."""
    before, rest = text.split(BEGIN)
    return before + BEGIN + markdown() + END + rest.split(END)[1]


if __name__ == "__main__":
    README.write_text(with_table(README.read_text(encoding="utf-8")), encoding="utf-8")
