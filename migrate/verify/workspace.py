"""A copy of the working directory for each program, and a private directory beside it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from pathlib import Path

from migrate.errors import EnvironmentProblemError
from migrate.read.parse import OtherLanguageError, UnparsedError, parse_bytes

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
        text = in_python_3(there)
        if text is None:
            return str(there)
        if there is found:
            there = self.private / found.name
        there.write_bytes(text)
        for other in self.work.rglob("*.py"):
            modern = in_python_3(other)
            if modern is not None:
                other.write_bytes(modern)
        return str(there)

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


def in_python_3(path: Path) -> bytes | None:
    """What a file in Python 2 becomes in Python 3; None for any other."""
    try:
        module = parse_bytes(path.read_bytes(), path, path.name)
    except (UnparsedError, OtherLanguageError, OSError):
        return None
    return module.source.encode(module.encoding) if module.python == 2 else None


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
