"""A copy of the working directory for each program, and a private directory beside it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from pathlib import Path

from migrate.errors import EnvironmentProblemError
from migrate.model import Module
from migrate.read.linked import linked
from migrate.read.parse import OtherLanguageError, UnparsedError, of_one_python, parse_bytes
from migrate.read.python2 import Modernised

_SKIPPED = shutil.ignore_patterns(
    ".git", ".hg", ".svn", ".tox", ".nox", ".venv", "venv", "node_modules", "__pycache__", ".*_cache"
)
_LIMIT = 1 << 30
_HOST, _PORT, _WATCHED = "localhost", "9999", "watched"
_STALE = 3600.0


class Workspace:
    """The directories of one side.

    Args:
        root: an empty directory that is removed after the comparison.
        cwd: the working directory to copy.
    """

    def __init__(self, root: Path, cwd: Path) -> None:
        self.work = root / "work"
        self.private = root / "private"
        self.temporary = self.private / "tmp"
        self.is_python_2 = False
        """Whether its program is in Python 2."""
        self._cwd = cwd.resolve()
        shutil.copytree(self._cwd, self.work, symlinks=True, ignore=_SKIPPED)
        self.temporary.mkdir(parents=True)

    def program(self, path: Path) -> str:
        """The program's copy if it lies in the working directory, else the program itself.

        One in Python 2 is brought to Python 3, with all modules of the copy; outside, it is copied alone.
        """
        found = path.resolve()
        copy = self.work / found.relative_to(self._cwd) if found.is_relative_to(self._cwd) else found
        there = copy if copy.exists() else found
        modern = _together_in_python_3(there, self.work)
        if there not in modern:
            return str(there)
        self.is_python_2 = True
        others = [path for path in self.work.rglob("*.py") if path not in modern]
        modern |= {path: text for path in others if (text := in_python_3(path)) is not None}
        own = self.private / found.name if there is found else there
        own.write_bytes(modern.pop(there))
        for path, text in modern.items():
            path.write_bytes(text)
        return str(own)

    def arguments(self, arguments: Sequence[str], old_lines: Sequence[str]) -> list[str]:
        """`arguments` with {host}, {port}, {work} and {dir} filled in.

        {dir} is a directory where the batches arrive; a file from before the start lies there, which neither
        program may read.
        """
        watched = self.work / _WATCHED
        if any("{dir}" in argument for argument in arguments):
            watched.mkdir(exist_ok=True)
            stale = watched / "before-the-start.txt"
            stale.write_text("".join(line + "\n" for line in old_lines), encoding="utf-8")
            os.utime(stale, (stale.stat().st_mtime - _STALE,) * 2)
        values = {"{host}": _HOST, "{port}": _PORT, "{work}": str(self.work), "{dir}": str(watched)}
        filled = []
        for argument in arguments:
            for name, value in values.items():
                argument = argument.replace(name, value)
            filled.append(argument)
        return filled


def _together_in_python_3(program: Path, top: Path) -> dict[Path, bytes]:
    """What a program and the modules below `top` that it imports become, as far as they run on Python 2."""
    is_inside = program.is_relative_to(top)
    base = top if is_inside else program.parent
    others = [
        path.relative_to(base).as_posix() for path in top.rglob("*.py") if is_inside and path != program
    ]

    def read(relative: str) -> bytes | None:
        try:
            return (base / relative).read_bytes()
        except OSError:
            return None

    name = program.relative_to(base).as_posix()
    groups = linked({name: read(name) or b""}, others, read)
    found = [_module(base / one, one) for group in groups for one in sorted(group)]
    modules = of_one_python([module for module in found if module is not None])
    changed = (one for one in modules if isinstance(one.form, Modernised))
    return {one.path: one.source.encode(one.encoding) for one in changed}


def in_python_3(path: Path) -> bytes | None:
    """What a file in Python 2 becomes in Python 3; None for any other."""
    module = _module(path, path.name)
    return module.source.encode(module.encoding) if module is not None and module.python == 2 else None


def _module(path: Path, relative: str) -> Module | None:
    try:
        return parse_bytes(path.read_bytes(), path, relative)
    except (UnparsedError, OtherLanguageError, OSError):
        return None


def check_size(cwd: Path) -> None:
    """Refuse to copy what is surely no working directory of a program.

    Raises:
        EnvironmentProblemError: it is no directory, or larger than 1 GiB.
    """
    if not cwd.is_dir():
        raise EnvironmentProblemError(f"{cwd} is no directory")
    total = 0
    for directory, names, files in os.walk(cwd):
        skipped = _SKIPPED(directory, names)
        names[:] = [name for name in names if name not in skipped]
        for name in files:
            total += Path(directory, name).lstat().st_size
            if total > _LIMIT:
                raise EnvironmentProblemError(
                    f"{cwd} is larger than 1 GiB, and verify copies it twice; name the directory that the"
                    " programs need with --cwd"
                )
