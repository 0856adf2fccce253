"""Commands that start a program, in the other files of its project: scripts, READMEs, settings, notebooks."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterator, Sequence
from pathlib import Path

from migrate.frozen import dataclass
from migrate.read.walk import Met, files_below

_SUFFIXES = (
    *(".bash", ".bat", ".cfg", ".cmd", ".conf", ".env", ".ini", ".ipynb", ".json", ".md", ".ps1", ".py"),
    *(".properties", ".rst", ".service", ".sh", ".toml", ".txt", ".yaml", ".yml"),
)
_NAMES = re.compile(r"(?:Dockerfile|Makefile|README|Jenkinsfile|Procfile)[\w.-]*", re.IGNORECASE)
_CONTINUED = re.compile(r"\\\\?(?:n\",?)?\s*$")
"""The end of a line that the next one goes on, in a string of a notebook's JSON too."""
_BETWEEN = frozenset({tokenize.COMMENT, tokenize.DEDENT, tokenize.INDENT, tokenize.NL})
_STARTING = "spark-submit"
_LARGEST = 1_000_000
"""Bytes of a file that a person may have written."""


@dataclass(frozen=True)
class Command:
    """A command in a file, with its continuation lines."""

    path: Path
    line: int
    """From 1."""
    text: str
    whole: str
    """All of it, where a statement in Python makes it of texts on several lines."""


def commands(root: Path, words: Sequence[str]) -> Iterator[Command]:
    """The lines of the text files below a directory that have one of some words, or are of such a command."""
    for path in files_below(root, _may_have_commands, Met()):
        text = _text(path)
        if there := [word for word in words if word in text]:
            yield from (one for one in _joined(path, text) if any(word in one.whole for word in there))


def _may_have_commands(name: str) -> bool:
    return name.lower().endswith(_SUFFIXES) or _NAMES.fullmatch(name) is not None


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace") if path.stat().st_size <= _LARGEST else ""
    except OSError:
        return ""


def _joined(path: Path, text: str) -> Iterator[Command]:
    """The lines of a text, those that a backslash continues as one."""
    rows = text.splitlines()
    wholes = dict(_made_in_python(text, rows)) if path.suffix == ".py" and _STARTING in text else {}
    first, parts = 1, list[str]()
    for number, line in enumerate(rows, 1):
        if not parts:
            first = number
        parts.append(line.strip())
        if "\\" not in line or not _CONTINUED.search(line) or number == len(rows):
            joined = " ".join(parts)
            yield Command(path, first, joined, wholes.get(first, joined))
            parts = []


def _made_in_python(text: str, rows: Sequence[str]) -> Iterator[tuple[int, str]]:
    """The lines of statements that make one command each, of texts on several lines, with all of it."""
    first, is_one = 0, True
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            (line, _), (last, _) = token.start, token.end
            if token.type == tokenize.NEWLINE:
                whole = " ".join(row.strip() for row in rows[first - 1 : line])
                if is_one and whole.count(_STARTING) == 1:
                    yield from ((number, whole) for number in range(first, line + 1))
                first, is_one = 0, True
            elif token.type not in _BETWEEN:
                first = first or line
                is_one &= line == last  # documentation may have several
    except (tokenize.TokenError, SyntaxError):
        return
