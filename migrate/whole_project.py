"""Projects whose files can be switched together, so that no function can be given another context.

A function that is given its context by a call which is not followed, as a test by its fixture, gets one that
the project makes, if nobody else can call it: the project is a program and no library, and all was read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from migrate.model import FileResult, GraphResult, Outcome, Status
from migrate.read.linked import is_seed
from migrate.read.scan import SourceFile, Tree, project_root

_PACKAGES = re.compile(rb"^\s*\[(?:project|build-system|tool\.poetry|metadata|options)\]", re.MULTILINE)
"""Sections of a project's file that say how it is built and installed, for others to import."""
_MAKES = re.compile(rb"\bStreamingContext(?:\.getOrCreate)?\(")
_IS_RUN = re.compile(rb"__main__|^\w+\.start\(\)", re.MULTILINE)
"""What a file has that is run by itself."""


def is_whole(
    paths: Sequence[Path], tree: Tree, graphs: Sequence[GraphResult], files: Sequence[FileResult]
) -> bool:
    """Whether some graphs are kept by nothing but contexts that functions are given, which the project makes.

    Args:
        paths: the PATHs of the run.
        tree: the files below them.
        graphs: all graphs.
        files: the results of all files.
    """
    waiting = [graph for graph in graphs if graph.fixtures is not None]
    others = [graph for graph in graphs if graph.fixtures is None]
    if not waiting or any(graph.outcome is Outcome.MANUAL for graph in others if not _shares(graph, waiting)):
        return False
    if tree.unread or any(file.status is Status.UNPARSED for file in files) or not _is_program(paths):
        return False
    sources = {source.relative: source for source in tree.sources}
    own = {path for graph in graphs for path in graph.files} & sources.keys()
    if not any(_MAKES.search(sources[path].data) and _IS_RUN.search(sources[path].data) for path in own):
        return False
    names = frozenset[str]().union(*(graph.fixtures or () for graph in waiting))
    return all(_is_defined(name, tree.sources) for name in names)


def _shares(graph: GraphResult, waiting: Sequence[GraphResult]) -> bool:
    """Whether a graph is left since it shares a file with one that waits."""
    taken = {path for other in waiting for path in other.files}
    return bool(taken.intersection(graph.files))


def _is_program(paths: Sequence[Path]) -> bool:
    """Whether the only PATH is a project's directory, and nothing there says that others install it."""
    if len(paths) != 1 or not paths[0].is_dir():
        return False
    directory = paths[0].resolve()
    if (project_root(directory) or directory) != directory or (directory / "setup.py").exists():
        return False
    described = [directory / name for name in ("pyproject.toml", "setup.cfg")]
    return not any(_PACKAGES.search(one.read_bytes()) for one in described if one.is_file())


def _is_defined(name: str, sources: Sequence[SourceFile]) -> bool:
    """Whether a file that speaks of streams has a function of that name, as a fixture is one."""
    defined = re.compile(rb"\bdef " + re.escape(name.encode()) + rb"\(")
    return any(defined.search(source.data) for source in sources if is_seed(source.data))
