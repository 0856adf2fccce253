"""Syntax of IPython that is not Python: ``%magic``, ``!shell``, ``name?``, whole ``%%cells``.

https://ipython.readthedocs.io/en/stable/interactive/reference.html
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from migrate.read.modules import run_module
from migrate.syntax.nodes import parses

PYTHON_CELLS = frozenset({"time", "capture", "prun", "pyspark", "python", "python3", "spark", "local"})
"""Cell magics whose cell is Python all the same: they time it, catch what it prints, or say where it runs."""

LANGUAGES = frozenset({"sql", "scala", "r", "md", "sh", "fs", "html"})
"""Magics of Databricks that say in which language a cell is."""

_LINES = re.compile(r"[^\n]*\n|[^\n]+")
_LINE = re.compile(r"[%!].*|\?{1,2}[\w.].*|[\w.%]+\?{1,2}")
_ASSIGNED = re.compile(r"(?P<target>[\w.,* \t\[\]'\"]+?=[ \t]*)(?P<magic>[%!](?!=).*)")
_COMMANDS = "pip|pip3|conda|ls|cd|pwd|cat|mkdir|rmdir|rm|cp|mv|man|less|more|clear|who|whos|history|hist"
_AUTOMAGIC = re.compile(rf"(?:{_COMMANDS})[ \t].*")
_RAN = re.compile(r"from \.+\w[\w.]* import \*  # __magic_\d+__")
_RUN = re.compile(r"(?:# MAGIC[ \t]+)?%run[ \t]+(?:-\w[ \t]+)*(?P<path>\"[^\"]+\"|'[^']+'|\S+).*")
_SQL = re.compile(r"%(?:sql|sparksql)\b(.*)")
_NAME = re.compile(r"[^\W\d]\w*")
_BOUND = re.compile(r"([^\W\d]\w*)[ \t]*(?:,[\w, \t]*)?=(?!=)|\bas[ \t]+([^\W\d]\w*)|\bdef[ \t]+([^\W\d]\w*)")
_TOKEN = re.compile(
    r"#[^\n]*|(?:'''|\"\"\")|'(?:\\.|[^'\\\n])*'|\"(?:\\.|[^\"\\\n])*\"|[([{]|[)\]}]|\\\r?\n|\n", re.DOTALL
)


@dataclass(frozen=True)
class PlainCode:
    """The code of a cell, as Python."""

    code: str
    python: bool
    """Whether there is anything in it but stand-ins."""


class StandIns:
    """Names that stand for lines that are not Python, in one notebook."""

    def __init__(self, sources: Iterable[str]) -> None:
        self.originals: dict[str, str] = {}
        self._bound = {
            name for source in sources for found in _BOUND.findall(source) for name in found if name
        }

    def for_line(self, original: str, indent: str = "") -> str:
        """A statement for a line that is not Python: it reads the variables that the line can read."""
        words = (word for word in dict.fromkeys(_NAME.findall(original)) if not keyword.iskeyword(word))
        return self.of(original, [word for word in words if word in self._bound], indent)

    def of(self, original: str, values: Sequence[str] = (), indent: str = "", before: str = "") -> str:
        """An expression for something that is not Python, which reads `values`, with its indentation.

        With `before` it is what stands there; the stand-in's own name is its comment.
        """
        name = indent + before + ", ".join([f"__magic_{len(self.originals)}__", *values])
        self.originals[name] = original
        return name


@dataclass
class _State:
    """The state of reading the tokens of a cell."""

    depth: int = 0
    quote: str = ""
    """The quotes that end the multi-line string at this point; empty outside of one."""
    joined: bool = field(default=False)
    """Whether a backslash ended the last line."""

    @property
    def at_start(self) -> bool:
        return not self.depth and not self.quote and not self.joined

    def read(self, line: str) -> None:
        """Read on over a line of Python."""
        self.joined = False
        at = 0
        while at < len(line):
            if self.quote:
                end = _end_of_text(line, at, self.quote)
                if end < 0:
                    return
                at, self.quote = end, ""
                continue
            token = _TOKEN.search(line, at)
            if token is None:
                return
            at = token.end()
            text = token[0]
            if text in ("'''", '"""'):
                self.quote = text
            elif text in "([{":
                self.depth += 1
            elif text in ")]}":
                self.depth = max(0, self.depth - 1)
            elif text.startswith("\\"):
                self.joined = True


def _end_of_text(line: str, at: int, quote: str) -> int:
    while at < len(line):
        if line[at] == "\\":
            at += 2
        elif line.startswith(quote, at):
            return at + 3
        else:
            at += 1
    return -1


def plain_code(source: str, stand_ins: StandIns) -> PlainCode | None:
    """A cell with stand-ins for lines that are not Python; None for a cell in another language."""
    magic = re.match(r"\s*%%(\w*)(.*)", source, re.DOTALL) or _of_another_language(source)
    if magic is not None and magic[1] in ("sql", "sparksql"):
        first, *others = source.split("\n")
        lines = [stand_ins.of(first, [f"spark.sql({magic[2].strip()!r})"]), *map(stand_ins.of, others)]
        return PlainCode("\n".join(lines), python=False)
    if magic is not None and magic[1] not in PYTHON_CELLS:
        return None
    code = "".join(_plain(line, indent, stand_ins) for line, indent in _parts(source))
    return PlainCode(code, says_python(code))


def _of_another_language(source: str) -> re.Match[str] | None:
    """``%sql`` on a line of its own, as Databricks has it: the lines after it are no Python."""
    magic = re.match(r"\s*%(\w+)[ \t]*\r?\n(.*)", source, re.DOTALL)
    return magic if magic is not None and magic[1] in LANGUAGES and not parses(magic[2]) else None


def says_python(code: str) -> bool:
    """Whether there is anything in a cell's code but stand-ins and comments."""
    rows = (row.strip() for row in code.split("\n"))
    return any(row and not row.startswith(("__magic_", "#")) and not _RAN.fullmatch(row) for row in rows)


def broken_code(source: str, stand_ins: StandIns) -> str:
    """A cell that cannot be parsed, with a stand-in for each of its lines that says something."""
    lines = (line if not line.strip() else stand_ins.for_line(line) for line in source.split("\n"))
    return "\n".join(lines)


def _parts(source: str) -> Iterator[tuple[str, str | None]]:
    """The lines of a cell, and for those that are not Python the indentation of the first one.

    They go on after a backslash.
    """
    state = _State()
    indent = ""
    going_on = False
    for line in _LINES.findall(source):
        if not going_on and state.at_start and _is_magic(line.strip()):
            indent = line[: len(line) - len(line.lstrip())]
        elif not going_on:
            state.read(line)
            yield line, None
            continue
        going_on = line.rstrip("\r\n").endswith("\\")
        yield line, indent


def _is_magic(line: str) -> bool:
    if _LINE.fullmatch(line) or _ASSIGNED.fullmatch(line):
        return True
    return _AUTOMAGIC.fullmatch(line) is not None and not parses(line)


def run_code(line: str, stand_ins: StandIns) -> str | None:
    """An import statement for ``%run path``; None for a path that has no name in Python."""
    match = _RUN.fullmatch(line)
    found = run_module(match["path"]) if match is not None else None
    if found is None:
        return None
    level, name = found
    return stand_ins.of(line, before=f"from {'.' * level}{name} import *  # ")


def _plain(line: str, indent: str | None, stand_ins: StandIns) -> str:
    body = line.strip()
    if indent is None or not body:
        return line
    before, _, after = line.partition(body)
    if before != indent:  # a magic that goes on: its indentation means nothing to Python
        return stand_ins.for_line(before + body, indent) + after
    if match := _ASSIGNED.fullmatch(body):
        return before + match["target"] + stand_ins.of(match["magic"]) + after
    ran = run_code(body, stand_ins)
    if ran is not None:
        return before + ran + after
    query = _SQL.fullmatch(body)
    if query is not None:
        return before + stand_ins.of(body, [f"spark.sql({query[1].strip()!r})"]) + after
    return before + stand_ins.for_line(body) + after
