"""The state in git of files that are to be overwritten."""

from __future__ import annotations

import os
import subprocess
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from migrate.errors import EnvironmentProblemError


class GitError(EnvironmentProblemError):
    """Git is there, the files are in a repository, and it did not answer."""


def unstaged(paths: Iterable[Path]) -> set[Path]:
    """The files of `paths` that git tracks and whose text differs from what is staged.

    Files outside a repository, untracked files, and every file on a machine without git are none of them.

    Raises:
        GitError: git failed, so that nobody knows.
    """
    by_root: dict[Path, list[Path]] = defaultdict(list)
    for path in paths:
        whole = path.resolve()
        root = next((parent for parent in whole.parents if (parent / ".git").exists()), None)
        if root is not None:
            by_root[root].append(path)
    return {path for root, members in by_root.items() for path in _differing(root, members)}


def _differing(root: Path, paths: list[Path]) -> Iterable[Path]:
    named = {os.fsencode(os.path.relpath(path.resolve(), root)): path for path in paths}
    command = ["git", "diff", "--no-ext-diff", "--name-only", "--no-relative", "-z", "--"]
    try:
        done = subprocess.run(
            [*command, *named],
            cwd=root,
            env={**os.environ, "GIT_OPTIONAL_LOCKS": "0", "GIT_LITERAL_PATHSPECS": "1"},
            capture_output=True,
            check=False,
        )
    except FileNotFoundError:
        return []
    if done.returncode:
        raise GitError(f"git cannot compare the files in {root}: {os.fsdecode(done.stderr).strip()}")
    return [named[name] for name in done.stdout.split(b"\0") if name in named]
