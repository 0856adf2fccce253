"""``dstream-migrate.facts.toml``: a table for each stream, a line for each part of its elements."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from migrate.errors import EnvironmentProblemError
from migrate.facts.types import ROOT, Part, Type, join

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

NAME = "dstream-migrate.facts.toml"
RECORDS = "records"
_LINE = re.compile(r'("(?:[^"\\]|\\.)*"|[\w-]+) = "(?:[^"\\]|\\.)*" +# (.+)')
_UNSEEN = "not seen in the last run"
_HEADER = """\
# The types of elements, as `dstream-migrate learn` saw them in runs of the old programs.
#
# Each table is a stream, or what a `json.loads` gives, by its file and its name or code there; `records`
# counts its elements in all runs.
# Each line is a part of an element and the kinds of values that it may have; a `?` follows the path of a key
# that not every dict has. Paths: `.key`, `[0]` of a tuple, `[]` of a list, `{}` and `{key}` of a dict whose
# keys are data. Ints: `int53` fits into a double, `int64` into 64 bits, `int` is any.
# Types and paths may be edited: later runs widen them, and never narrow them. Comments are of the last run
# of the program.
"""


class FactsError(EnvironmentProblemError):
    """The file is no TOML, or has something that is no fact."""


@dataclass(frozen=True)
class Fact:
    """The type of a stream's elements.

    Attributes:
        type: the parts of an element.
        records: the number of elements that it was seen of.
        remarks: on single parts, as comments.
    """

    type: Type
    records: int
    remarks: Mapping[str, str] = field(default_factory=dict, compare=False)

    def widened(self, seen: Fact) -> Fact:
        """This fact, with what else was seen."""
        return Fact(join(self.type, seen.type), self.records + seen.records, seen.remarks)


Facts = Mapping[tuple[str, str], Fact]
"""Facts by the path of the program's file and the name in it."""


def nearest(start: Path) -> Path:
    """Where the file is, or belongs: beside the nearest ``pyproject.toml``, or in `start` without one."""
    start = start.absolute()
    for directory in (start, *start.parents):
        if (directory / "pyproject.toml").is_file():
            return directory / NAME
    return start / NAME


def found(start: Path) -> Path | None:
    """The file that is in `start` or above it, up to a ``pyproject.toml``; None if there is none."""
    start = start.absolute()
    for directory in (start, *start.parents):
        if (directory / NAME).is_file():
            return directory / NAME
        if (directory / "pyproject.toml").is_file():
            return None
    return None


def by_place(path: Path) -> dict[tuple[str, str], Fact]:
    """The facts of a file by the absolute paths of the programs; see `read`."""
    parent = path.absolute().parent
    return {(os.path.normpath(parent / file), name): fact for (file, name), fact in read(path).items()}


def read(path: Path) -> dict[tuple[str, str], Fact]:
    """The facts of a file; none where there is no file.

    Raises:
        FactsError: it cannot be read, or has something that is no fact.
    """
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise FactsError(f"{path}: {error}") from None
    remarks = _remarks(path.read_text(encoding="utf-8"))
    named = [
        (file, name, table)
        for file, streams in tables.items()
        for name, table in (streams.items() if isinstance(streams, dict) else [("", None)])
    ]
    return {
        (file, name): _named(path, file, name, table, remarks.get(_head(file, name), {}))
        for file, name, table in named
    }


def _remarks(text: str) -> dict[str, dict[str, str]]:
    """The comments behind lines, by the heads of their tables and their paths."""
    found: dict[str, dict[str, str]] = {}
    table: dict[str, str] = {}
    for line in text.splitlines():
        if line.startswith("["):
            table = found.setdefault(line, {})
        elif match := _LINE.fullmatch(line):
            path = json.loads(match[1]) if match[1].startswith('"') else match[1]
            table[path.removesuffix("?")] = match[2]
    return found


def _named(path: Path, file: str, name: str, table: Any, remarks: Mapping[str, str]) -> Fact:
    try:
        return _fact(table, remarks)
    except ValueError as error:
        raise FactsError(f"{path}: {file}: {name}: {error}") from None


def _fact(table: Any, remarks: Mapping[str, str]) -> Fact:
    if not isinstance(table, dict):
        raise ValueError("this is no table of a stream")
    records, parts = table.get(RECORDS, 0), dict[str, Part]()
    if type(records) is not int:
        raise ValueError(f"{RECORDS} is not a number")
    for path, text in table.items():
        if path == RECORDS:
            continue
        if not re.match(rf"{ROOT}(\W|$)", path) or not isinstance(text, str):
            raise ValueError(f"{path!r} is not a part of an {ROOT} with its type")
        parts[path.removesuffix("?")] = Part.parse(text, optional=path.endswith("?"))
    if ROOT not in parts:
        raise ValueError(f"there is no line for the whole `{ROOT}`")
    return Fact(parts, records, remarks)


def text_of(facts: Facts) -> str:
    """The text of the file."""
    return "\n".join([_HEADER, *("\n".join(_table(*key, fact)) for key, fact in sorted(facts.items()))])


def _table(file: str, name: str, fact: Fact) -> Iterator[str]:
    yield _head(file, name)
    yield f"{RECORDS} = {fact.records}"
    lines = []
    for path, part in sorted(fact.type.items()):
        given = path + "?" * part.optional
        remark = fact.remarks.get(path, _UNSEEN if fact.remarks else "")
        lines.append((f"{_key(given)} = {_quoted(str(part))}", remark))
    yield from _aligned(lines)
    yield ""


def _head(file: str, name: str) -> str:
    return f"[{_quoted(file)}.{_key(name)}]"


def _aligned(lines: Iterable[tuple[str, str]]) -> Iterator[str]:
    lines = list(lines)
    width = max(min(len(line), 60) for line, _ in lines)
    for line, remark in lines:
        yield f"{line:{width}}  # {remark}" if remark else line


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else _quoted(name)


def _quoted(text: str) -> str:
    text = text.encode("utf-8", "replace").decode()  # a path may have bytes that no TOML can hold
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
