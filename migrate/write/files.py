"""Write the new files: all files of a graph, or none of them, and never over work that git does not hold."""

from __future__ import annotations

import stat
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from migrate.model import FileResult, Result
from migrate.read.walk import JOURNAL
from migrate.write.git import unstaged
from migrate.write.journal import replace_all


@dataclass
class Written:
    """The result of a write: the files, and those that were refused."""

    files: list[str] = field(default_factory=list)
    refused: dict[str, str] = field(default_factory=dict)
    """Why a file was left as it was, by its path."""


def write(result: Result, base: Path, *, force: bool = False) -> Written:
    """Replace the changed files of `result` by their new text.

    Args:
        result: what the migration gave.
        base: the directory that the paths of `result` are relative to; it holds the journal meanwhile.
        force: also over unstaged edits and read-only files.

    Raises:
        GitError: git could not tell whether files have unstaged edits.
        BusyError: another process is rewriting files under `base`.
    """
    written = Written()
    changed = [file for file in result.files if file.changed]
    edited = set() if force else unstaged(base / file.path for file in changed)
    ready: list[list[FileResult]] = []
    for group in groups(changed):
        obstacles = {
            file.path: _obstacle(file, base / file.path, edited=base / file.path in edited, force=force)
            for file in group
        }
        refused = {path: reason for path, reason in obstacles.items() if reason}
        if refused:
            others = {f.path: f"it shares a graph with {next(iter(refused))}" for f in group}
            written.refused |= others | refused
        else:
            ready.append(group)
    _replace(ready, base, written)
    return written


def _replace(ready: list[list[FileResult]], base: Path, written: Written) -> None:
    """Replace all files at once, which the disk does fastest; where that fails, group by group."""
    files = [file for group in ready for file in group]
    try:
        if files:
            replace_all(base / JOURNAL, {(base / file.path).resolve(): file.new_bytes for file in files})
    except OSError as error:
        if len(ready) > 1:
            for group in ready:
                _replace([group], base, written)
        else:
            written.refused |= {file.path: f"it cannot be written: {error}" for file in files}
    else:
        written.files += [file.path for file in files]


def groups(files: list[FileResult]) -> Iterator[list[FileResult]]:
    """`files` in groups that share no graph; a file without a graph is a group of its own."""
    sharing: defaultdict[str, list[FileResult]] = defaultdict(list)
    for file in files:
        for graph in file.graphs:
            sharing[graph].append(file)
    done: set[str] = set()
    for file in files:
        if file.path in done:
            continue
        group = [file]
        done.add(file.path)
        for member in group:  # grows while it is walked
            for other in (other for graph in member.graphs for other in sharing.pop(graph, ())):
                if other.path not in done:
                    group.append(other)
                    done.add(other.path)
        yield group


def _obstacle(file: FileResult, named: Path, *, edited: bool, force: bool) -> str | None:
    """Why a file must not be written, if there is a reason."""
    if edited:
        return "it has unstaged edits: stage or commit them, or use --force"
    path = named.resolve()
    if not force and not stat.S_IMODE(path.stat().st_mode) & 0o222:
        return "it is read-only: make it writable, or use --force"
    if path.read_bytes() != file.old_bytes:
        return "it changed while it was worked on: run again"
    return None
