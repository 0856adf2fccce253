"""Files that git ignores, by the `.gitignore` files of a repository."""

from __future__ import annotations

import os
from pathlib import Path

from pathspec import GitIgnoreSpec

Ignores = tuple[tuple[str, GitIgnoreSpec], ...]
"""Directories, the outermost first, each with the patterns of its ignore file."""


def ignore_file(directory: Path) -> Ignores:
    """The lines of the ignore file in `directory`, if there is one that can be read."""
    try:
        text = (directory / ".gitignore").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ()
    return ((os.path.abspath(directory), GitIgnoreSpec.from_lines(text.splitlines())),)  # noqa: PTH100


def ignores_above(top: Path) -> Ignores:
    """The ignore files from the root of the git repository down to `top`, an absolute path, without its own.

    None, if they ignore `top` itself: whoever names an ignored directory wants it read.
    """
    root = next((parent for parent in (top, *top.parents) if (parent / ".git").exists()), None)
    if root is None or root == top:
        return ()
    ignores: Ignores = ()
    at = root
    for part in top.relative_to(root).parts:
        ignores = (*ignores, *ignore_file(at))
        at /= part
        if ignored(str(at), ignores, directory=True):
            return ()
    return ignores


def ignored(path: str, ignores: Ignores, *, directory: bool = False) -> bool:
    """Whether git ignores `path`: the innermost ignore file with a matching line decides."""
    path = os.path.abspath(path)  # noqa: PTH100
    for where, spec in reversed(ignores):
        name = os.path.relpath(path, where).replace(os.sep, "/") + ("/" if directory else "")
        verdict = spec.check_file(name).include
        if verdict is not None:
            return verdict
    return False
