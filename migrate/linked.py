"""Which files belong to streaming programs, by their bytes and their imports, before anything is parsed."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from migrate.imports import Imports

SEEDS = (
    b"StreamingContext",
    b"pyspark.streaming",
    b"compat.streaming",
    b"import streaming",
    b"DStream",
    b"TextStream",
    b"textFileStream",
    b"binaryRecordsStream",
    b"queueStream",
    b"foreachRDD",
    b"updateStateByKey",
    b"AndWindow",
    b"countByWindow",
    b"reduceByWindow",
    b"saveAsTextFiles",
)
"""Names without which a file makes no stream and is not the one that a stream's module is imported by."""

STATEMENT = re.compile(
    rb"^[ \t]*(?:from\b[ \t]*(?P<dots>\.*)[ \t]*(?P<base>[\w.]*)[ \t]+)?import\b[ \t]*"
    rb"(?P<names>\([^)]*\)|[^\n#]*)",
    re.MULTILINE,
)
COMMENT = re.compile(rb"#[^\n]*")
NAME = re.compile(rb"([\w.]+)(?:\s+as\s+\w+)?")


@dataclass(frozen=True)
class Importer:
    """A file, and what its import statements name: dotted names with the number of dots before them."""

    relative: str
    names: frozenset[tuple[int, str]]


def is_seed(data: bytes) -> bool:
    """Whether the bytes of a file speak of streams."""
    return any(word in data for word in SEEDS)


def importer(relative: str, data: bytes) -> Importer:
    """What a file imports, read off its text: a name in a string counts too, and costs but a look."""
    if relative.endswith(".ipynb"):
        data = data.replace(b'"', b"\n").replace(b"\\n", b"\n")  # the lines of the cells
    return Importer(relative, frozenset(_names(data)))


def linked(seeds: Collection[str], files: Iterable[Importer]) -> set[str]:
    """The files that streams may reach: those that import a seed, and all that these and the seeds import.

    A context can come up from a module to those that import it, and go down with a stream as an argument.
    """
    by_path = {file.relative: file for file in files}
    imports = Imports(by_path.values())
    below = {path: {found.relative for found in _found(file, imports)} for path, file in by_path.items()}
    above: dict[str, set[str]] = {}
    for path, targets in below.items():
        for target in targets:
            above.setdefault(target, set()).add(path)
    return _closure(_closure(seeds, above), below)


def _closure(start: Iterable[str], edges: dict[str, set[str]]) -> set[str]:
    reached = set(start)
    waiting = list(reached)
    while waiting:
        new = edges.get(waiting.pop(), set()) - reached
        reached |= new
        waiting += new
    return reached


def _names(data: bytes) -> Iterator[tuple[int, str]]:
    for statement in STATEMENT.finditer(data):
        names = NAME.findall(COMMENT.sub(b"", statement["names"]))
        dots, base = len(statement["dots"] or b""), statement["base"]
        if base is None:
            yield from ((0, name.decode(errors="replace")) for name in names)
            continue
        module = base.decode(errors="replace")
        yield dots, module
        prefix = f"{module}." if module else ""
        yield from ((dots, prefix + name.decode(errors="replace")) for name in names)


def _found(file: Importer, imports: Imports[Importer]) -> Iterator[Importer]:
    for level, name in file.names:
        parts = name.split(".")
        for length in range(
            1, len(parts) + 1
        ):  # a package's own file runs too, when a module of it is imported
            found = imports.find(".".join(parts[:length]), file, level)
            if found is not None:
                yield found
