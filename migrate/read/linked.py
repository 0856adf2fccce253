"""The files of streaming programs, found by their bytes and imports before anything is parsed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from migrate.frozen import dataclass
from migrate.knowledge.streaming import SOURCES
from migrate.read.modules import NOTEBOOK, Imports, run_module

SEEDS = (
    b"StreamingContext",
    b"pyspark.streaming",
    b"compat.streaming",
    b"import streaming",
    *(name.encode() for name in sorted(SOURCES)),
)
"""Names of which every program with streams has one; its other files are joined to that one by imports."""
_COMMON = b"tream"
"""A part of all seeds, which most files lack."""

FAR = 100
"""Files beyond which imports are followed no further than from the files that know of streams."""

STATEMENT = re.compile(
    rb"^[ \t]*(?:from\b[ \t]*(?P<dots>\.*)[ \t]*(?P<base>[\w.]*)[ \t]+)?import\b[ \t]*"
    rb"(?P<names>\([^)]*\)|[^\n#]*)",
    re.MULTILINE,
)
CALL = re.compile(rb"""\b(?:__import__|import_module)\(\s*\\?["'\n](?P<dots>\.*)(?P<name>[^"'\s\\]+)["'\\]""")
"""Imports by a call; in a notebook, whose quotes are escaped and then lines, too."""
RUN = re.compile(rb"^[ \t]*(?:# MAGIC[ \t]+)?%run[ \t]+(?:-\w[ \t]+)*(?P<path>[^\s\\]+)", re.MULTILINE)
COMMENT = re.compile(rb"#[^\n]*")
NAME = re.compile(rb"([\w.]+)(?:\s+as\s+\w+)?")


@dataclass(frozen=True)
class Importer:
    """A file with the dotted names in its import statements, and the number of dots before each."""

    relative: str
    names: frozenset[tuple[int, str]]


def is_seed(data: bytes) -> bool:
    """Whether the bytes of a file speak of streams."""
    return _COMMON in data and any(word in data for word in SEEDS)


def importer(relative: str, data: bytes) -> Importer:
    """The imports of a file, found in its text; a name in a string counts as well, at little cost."""
    if relative.endswith(".ipynb"):
        data = data.replace(b'"', b"\n").replace(b"\\n", b"\n")  # the lines of the cells
    return Importer(relative, frozenset([*_names(data), *_calls(data), *_runs(data)]))


def linked(
    seeds: Mapping[str, bytes], others: Iterable[str], read: Callable[[str], bytes | None]
) -> list[frozenset[str]]:
    """The files that streams may reach, in groups that do not import each other.

    A context can come up from a module to those that import it, and go down with a stream as an argument.
    Where a project is so large that more than `FAR` files are imported from there, only those next to the
    streams are read; a stream that goes on from them goes to code that was not read.

    Args:
        seeds: the files that speak of streams, with their bytes.
        others: all other files of the project.
        read: gives the bytes of one of `others`; None, if it cannot be read.
    """
    links = _Links(seeds, others, read)
    above = links.above(seeds)
    reached = set(above)
    level = set(above)
    while level and (len(reached) <= FAR or level == above):
        level = {found for path in level for found in links.below(path)} - reached
        reached |= level
    return _components(
        {path: links.below(path) & reached for path in reached if links.is_read(path)}, reached
    )


class _Links:
    """The imports between files, read on demand."""

    def __init__(
        self, seeds: Mapping[str, bytes], others: Iterable[str], read: Callable[[str], bytes | None]
    ) -> None:
        self._others = {path: Importer(path, frozenset()) for path in others}
        self._imports = Imports([*(Importer(path, frozenset()) for path in seeds), *self._others.values()])
        self._read = read
        self._below = {path: self._targets(path, data) for path, data in seeds.items()}

    def above(self, seeds: Iterable[str]) -> set[str]:
        """`seeds` and all files that import one of them, also by way of others."""
        reached = set(seeds)
        new = reached
        while new:
            words = {_last_name(path) for path in new}
            above = {path for path, targets in self._below.items() if targets & new}
            above |= {path for path in self._others if path not in reached and self._names(path, words) & new}
            new = above - reached
            reached |= new
        return reached

    def _names(self, path: str, words: set[str]) -> set[str]:
        """The files that `path` imports by one of `words`."""
        data = None if path in self._below else self._read(path)
        if data is None or not any(word.removesuffix(NOTEBOOK).encode() in data for word in words):
            return set()
        names = importer(path, data).names
        some = frozenset(name for name in names if not words.isdisjoint(name[1].split(".")))
        return {found.relative for found in _found(Importer(path, some), self._imports)}

    def below(self, path: str) -> set[str]:
        """The files that `path` imports."""
        if path not in self._below:
            self._below[path] = self._targets(path, self._read(path) or b"")
        return self._below[path]

    def is_read(self, path: str) -> bool:
        """Whether anybody asked for the imports of `path`."""
        return path in self._below

    def _targets(self, path: str, data: bytes) -> set[str]:
        return {found.relative for found in _found(importer(path, data), self._imports)}


def _last_name(path: str) -> str:
    """The word that every import of a file must have."""
    parts = path.split("/")
    name = parts[-2] if parts[-1] == "__init__.py" and len(parts) > 1 else parts[-1]
    stem, _, suffix = name.partition(".")
    return stem + NOTEBOOK if suffix == "ipynb" else stem


def _components(below: Mapping[str, set[str]], files: Iterable[str]) -> list[frozenset[str]]:
    """`files` in groups without imports between them."""
    beside: dict[str, set[str]] = {path: set() for path in files}
    for path, targets in below.items():
        for target in targets:
            beside[path].add(target)
            beside[target].add(path)
    groups: list[frozenset[str]] = []
    waiting = sorted(beside)
    done: set[str] = set()
    for path in waiting:
        if path not in done:
            groups.append(frozenset(_closure([path], beside)))
            done |= groups[-1]
    return groups


def _closure(start: Iterable[str], edges: Mapping[str, set[str]]) -> set[str]:
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


def _calls(data: bytes) -> Iterator[tuple[int, str]]:
    """The modules that calls import: ``__import__("data-stream")``, ``import_module(".count", package)``."""
    for call in CALL.finditer(data) if b"import_" in data else ():
        yield len(call["dots"]), call["name"].decode(errors="replace")


def _runs(data: bytes) -> Iterator[tuple[int, str]]:
    """The files that the lines ``%run`` of a notebook read."""
    for line in RUN.finditer(data) if b"%run" in data else ():
        found = run_module(line["path"].decode(errors="replace"))
        if found is not None:
            yield found


def _found(file: Importer, imports: Imports[Importer]) -> Iterator[Importer]:
    for level, name in file.names:
        parts = name.split(".")
        for length in range(
            1, len(parts) + 1
        ):  # a package's own file runs too, when a module of it is imported
            found = imports.find(".".join(parts[:length]), file, level)
            if found is not None:
                yield found
