"""The files below a directory that are a project's own: not ignored by git, of no virtual environment."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from migrate.read.gitignore import Ignores, ignore_file, ignored, ignores_above

JOURNAL = ".dstream-migrate.journal"
"""The directory in which an interrupted rewrite leaves what undoes it; see `migrate.write.files`."""

SKIPPED = frozenset(
    {".git", ".hg", ".svn", ".tox", ".nox", ".venv", "__pycache__", "node_modules", ".ipynb_checkpoints"}
)


@dataclass
class Met:
    """What a walk met beside files."""

    journals: list[Path] = field(default_factory=list)
    """Traces of interrupted rewrites."""
    unread: list[tuple[Path, OSError]] = field(default_factory=list)
    """Directories that cannot be read, and why."""


def files_below(top: Path, wanted: Callable[[str], bool], met: Met) -> Iterator[Path]:
    """The files below a directory whose names are wanted, in the order of their names."""
    above = ignores_above(Path(os.path.abspath(top)))  # noqa: PTH100 - Path.resolve would follow links
    yield from _below(top, above, wanted, met)


def _below(directory: Path, ignores: Ignores, wanted: Callable[[str], bool], met: Met) -> Iterator[Path]:
    try:
        with os.scandir(directory) as listing:
            entries = sorted(listing, key=lambda entry: entry.name)
    except OSError as error:
        met.unread.append((directory, error))
        return
    names = {entry.name for entry in entries}
    if ".gitignore" in names:
        ignores = (*ignores, *ignore_file(directory))
    for entry in entries:
        is_directory = entry.is_dir(follow_symlinks=False)
        if is_directory and entry.name == JOURNAL:
            met.journals.append(Path(entry.path))
        elif is_directory and entry.name not in SKIPPED:
            if _is_environment(entry) or ignored(entry.path, ignores, directory=True):
                continue
            below = Path(entry.path, "examples") if _is_pyspark(entry) else Path(entry.path)
            if below.is_dir():
                yield from _below(below, ignores, wanted, met)
        elif wanted(entry.name) and entry.is_file(follow_symlinks=False) and not ignored(entry.path, ignores):
            yield Path(entry.path)


def _is_environment(entry: os.DirEntry[str]) -> bool:
    """Whether a directory is a virtual environment, or its packages where only those were kept."""
    return entry.name == "site-packages" or os.path.exists(f"{entry.path}/pyvenv.cfg")  # noqa: PTH110 - asked of every directory


def _is_pyspark(entry: os.DirEntry[str]) -> bool:
    """Whether a directory is PySpark itself, or our part of it: no program that is to be moved."""
    if entry.name == "pyspark":
        return os.path.exists(f"{entry.path}/streaming/dstream.py")  # noqa: PTH110
    return entry.name == "compat" and os.path.exists(f"{entry.path}/_structured")  # noqa: PTH110
