"""Write the new files: all files of a graph, or none of them, and never over work that git does not hold."""

from __future__ import annotations

import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from migrate.git import unstaged
from migrate.journal import replace_all
from migrate.model import FileResult, Module, Result
from migrate.parse import encode
from migrate.scan import JOURNAL


@dataclass
class Written:
    """What was written, and what was not."""

    files: list[str] = field(default_factory=list)
    refused: dict[str, str] = field(default_factory=dict)
    """Why a file was left as it was, by its path."""


def write(result: Result, modules: Mapping[str, Module], base: Path, *, force: bool = False) -> Written:
    """Replace the changed files of `result` by their new text.

    Args:
        result: what the migration gave.
        modules: the modules it was made from, by their path in `result`.
        base: the directory that holds the journal while files are replaced.
        force: also over unstaged edits and read-only files.

    Raises:
        GitError: git could not tell whether files have unstaged edits.
        BusyError: another process is rewriting files under `base`.
    """
    written = Written()
    changed = [file for file in result.files if file.changed]
    edited = set() if force else unstaged(modules[file.path].path for file in changed)
    for group in groups(changed):
        refused = {
            file.path: reason
            for file in group
            if (
                reason := _obstacle(modules[file.path], edited=modules[file.path].path in edited, force=force)
            )
        }
        if refused:
            others = {f.path: f"it shares a graph with {next(iter(refused))}" for f in group}
            written.refused |= others | refused
            continue
        contents = {modules[f.path].path.resolve(): encode(f.new, modules[f.path]) for f in group}
        try:
            replace_all(base / JOURNAL, contents)
        except OSError as error:
            written.refused |= {file.path: f"it cannot be written: {error}" for file in group}
        else:
            written.files += [file.path for file in group]
    return written


def groups(files: list[FileResult]) -> Iterator[list[FileResult]]:
    """`files` in groups that share no graph; a file without a graph is a group of its own."""
    waiting = list(files)
    while waiting:
        group, graphs = [waiting.pop(0)], set[str]()
        for member in group:  # grows while it is walked
            graphs |= set(member.graphs)
            group += [file for file in waiting if graphs & set(file.graphs)]
            waiting = [file for file in waiting if not graphs & set(file.graphs)]
        yield group


def _obstacle(module: Module, *, edited: bool, force: bool) -> str | None:
    """Why the file of `module` must not be written, if there is a reason."""
    if edited:
        return "it has unstaged edits: stage or commit them, or use --force"
    path = module.path.resolve()
    if not force and not stat.S_IMODE(path.stat().st_mode) & 0o222:
        return "it is read-only: make it writable, or use --force"
    if path.read_bytes() != encode(module.text, module):
        return "it changed while it was worked on: run again"
    return None
