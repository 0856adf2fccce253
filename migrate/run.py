"""One run of the codemod, from PATHs to a `Result`; nothing is written."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path

from migrate.callers import with_callers
from migrate.kafka_clients import kafka_clients
from migrate.knowledge.spark_version import SparkVersion
from migrate.model import FileResult, Options, Outcome, Result, Status
from migrate.read.python2 import with_neighbours
from migrate.read.scan import SourceFile, Tree, project_root, scan
from migrate.report.diff import unified_diff
from migrate.whole_project import is_whole
from migrate.work import Done, Shown, Task, do_all
from migrate.write.journal import Undone, roll_back


@dataclass(frozen=True)
class Run:
    """The result of a run, and how to show it."""

    base: Path
    """The directory that the paths of the result are relative to."""
    result: Result
    undone: list[Undone] = field(default_factory=list)
    """Interrupted rewrites that were found and rolled back first."""
    crashed: bool = False
    """Whether a file is unparsed because the migration itself failed on it."""

    def diff(self) -> bytes:
        """The changes as one unified diff, to be applied in `base` by ``patch -p1``."""
        return b"".join(
            unified_diff(file.path, file.old_bytes, file.new_bytes)
            for file in self.result.files
            if file.changed
        )

    def text(self) -> bytes:
        """The new text of the one module of a run on standard input; nothing if it could not be parsed."""
        return b"".join(file.new_bytes for file in self.result.files if not file.error)


def run(paths: Sequence[Path], options: Options, *, write: bool = True, shown: Shown = nullcontext) -> Run:
    """Read the files below `paths` and plan their migration.

    Args:
        paths: files and directories.
        options: what the user asked for.
        write: whether the new texts are wanted; without them a file that would change is `pending`.
        shown: a display for as long as the files are worked on.

    Raises:
        BusyError: another process is rewriting these files.
    """
    tree = scan(paths)
    undone = [roll_back(journal) for journal in dict.fromkeys(tree.journals)]
    if undone:
        tree = scan(paths)
    roots = list(dict.fromkeys(_root(path) for path in paths))
    options = replace(options, clients=kafka_clients(tree, roots))
    others = [*tree.unread, *(FileResult(path, Status.UNTOUCHED) for path in tree.untouched)]
    done = do_all(_tasks(tree, options, write=write), shown)
    graphs = [graph for part in done for graph in part.result.graphs]
    files = [file for part in done for file in part.result.files]
    if is_whole(paths, tree, graphs, files):
        together = do_all(_tasks(tree, replace(options, whole_project=True), write=write), shown)
        if all(graph.outcome is not Outcome.MANUAL for part in together for graph in part.result.graphs):
            done = together
    found = _joined(tree.base, done, others, undone, options.spark)
    result = with_callers(with_neighbours(found.result), tree.base, roots, options.spark)
    return replace(found, result=result)


def _root(path: Path) -> Path:
    """The directory in which callers of the programs of a PATH may be."""
    directory = path.absolute() if path.is_dir() else path.absolute().parent
    return project_root(directory) or directory


def run_text(data: bytes, options: Options) -> Run:
    """Plan the migration of one module that was read from a stream and not from a file."""
    done = do_all([Task((SourceFile(Path("-"), "-", data),), options)])
    return _joined(Path(), done, [], [], options.spark)


def _tasks(tree: Tree, options: Options, *, write: bool) -> list[Task]:
    """The groups of files that streams may reach; in handy portions, those that are only to be parsed."""
    tasks = [Task(group.sources, options, write, group.prefix) for group in tree.groups]
    taken = {source.path for group in tree.groups for source in group.sources}
    rest = [source for source in tree.sources if source.path not in taken]
    return [*tasks, *(Task(tuple(rest[at : at + PORTION])) for at in range(0, len(rest), PORTION))]


PORTION = 20
"""Files that one process parses before it asks for more."""


def _joined(
    base: Path,
    done: Sequence[Done],
    others: Sequence[FileResult],
    undone: list[Undone],
    spark: SparkVersion,
) -> Run:
    """One result of many, in the order of the files."""
    files = sorted([*others, *(file for part in done for file in part.result.files)], key=lambda f: f.path)
    order = {file.path: position for position, file in enumerate(files)}
    parts = sorted(
        (part.result for part in done), key=lambda r: min((order[f.path] for f in r.files), default=0)
    )
    result = Result(
        graphs=tuple(graph for part in parts for graph in part.graphs),
        files=tuple(files),
        sites=tuple(site for part in parts for site in part.sites),
        spark=spark,
    )
    return Run(base, result, undone, any(part.crashed for part in done))
