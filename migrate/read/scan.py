"""Find the files to read: Python below the PATHs, not ignored by git, able to hold or to touch a stream.

Nothing is parsed here. In a large tree only the files are kept whose bytes speak of streams (the seeds), and
those that are joined to one of them by imports; of the others only the names.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import field
from pathlib import Path

from migrate.frozen import dataclass
from migrate.model import FileResult, Status
from migrate.read.linked import is_seed, linked
from migrate.read.walk import JOURNAL, Met, files_below

WHOLE = 200
"""Trees of at most so many files are parsed whole, so that every file that does not parse is named."""

SUFFIXES = (".py", ".pyw", ".ipynb")


@dataclass(frozen=True)
class SourceFile:
    """The bytes of one file."""

    path: Path
    relative: str
    """POSIX path relative to `Tree.base`."""
    data: bytes
    outside: bool = False
    """Whether it is not below the PATHs and was only read because streams may reach it."""


@dataclass(frozen=True)
class Group:
    """Files that streams may reach, joined by imports."""

    sources: tuple[SourceFile, ...]
    prefix: str = ""
    """The path from the project's root to `Tree.base`, which names begin with if some files are outside."""


@dataclass
class Tree:
    """The files below the PATHs."""

    base: Path
    """The directory that every path of the report, and of the diff, is relative to."""
    sources: list[SourceFile] = field(default_factory=list)
    """Every file that is to be parsed."""
    groups: list[Group] = field(default_factory=list)
    """The files that streams may reach, in groups that do not import each other."""
    untouched: list[str] = field(default_factory=list)
    """Files that cannot hold or touch a stream, by their path relative to `base`."""
    unread: list[FileResult] = field(default_factory=list)
    journals: list[Path] = field(default_factory=list)
    """Traces of interrupted rewrites."""


def scan(paths: Sequence[Path]) -> Tree:
    """Read the Python files and notebooks in `paths`, or below; a file that cannot be read stops no other.

    Symbolic links are followed where they are a PATH themselves, not where they are met on the way: what they
    point to is found in its own place, or was not asked for.
    """
    tree = Tree(base_of(paths))
    files: dict[str, bool] = {}
    for path in paths:
        if path.is_dir():
            for found in _walk(path, tree):
                files.setdefault(_relative(found, tree.base), False)
        else:
            files[_relative(path, tree.base)] = True
    for path in paths:
        name, target = _relative(path, tree.base), _relative(path.resolve(), tree.base)
        if name != target and name in files and target in files:
            del files[name]  # one file under two names is one file
    tree.journals += [found for path in paths for found in _journals_above(path)]
    _read(files, tree, paths)
    return tree


def base_of(paths: Sequence[Path]) -> Path:
    """The directory that names the files of a run.

    One directory as PATH: that directory. Else the current directory, if all PATHs are below it, and if not,
    the closest directory that holds them all.
    """
    if len(paths) == 1 and paths[0].is_dir():
        return paths[0]
    here = Path.cwd()
    whole = [_absolute(path) for path in paths]
    if all(path.is_relative_to(here) for path in whole):
        return here
    return Path(os.path.commonpath([path if path.is_dir() else path.parent for path in whole]))


def _absolute(path: Path) -> Path:
    """`path` from the root and without dots; symbolic links stay, the user chose the name."""
    return Path(os.path.abspath(path))  # noqa: PTH100 - Path.resolve would follow links


def _relative(path: Path, base: Path) -> str:
    return Path(os.path.relpath(_absolute(path), _absolute(base))).as_posix()


def _journals_above(path: Path) -> Iterator[Path]:
    for directory in (_absolute(path), *_absolute(path).parents):
        if (directory / JOURNAL).is_dir():
            yield directory / JOURNAL


def _walk(top: Path, tree: Tree) -> Iterator[Path]:
    """The Python files and notebooks below `top`, in the order of their names."""
    met = Met()
    yield from files_below(top, lambda name: name.endswith(SUFFIXES), met)
    tree.unread += [unread(_relative(directory, tree.base), error) for directory, error in met.unread]
    tree.journals += met.journals


def _read(files: dict[str, bool], tree: Tree, paths: Sequence[Path]) -> None:
    """Read `files` (whether the user named them) and keep those that are to be parsed."""
    whole = len(files) <= WHOLE
    sources: dict[str, SourceFile] = {}
    seeds: dict[str, bytes] = {}
    for relative, named in files.items():
        data = _bytes_of(tree.base / relative, relative, tree)
        if data is not None and (seed := is_seed(data)) | whole | named:
            sources[relative] = SourceFile(tree.base / relative, relative, data)
            if seed:
                seeds[relative] = data
    unread = {file.path for file in tree.unread}
    others = [relative for relative in files if relative not in seeds and relative not in unread]
    if seeds:
        tree.groups = list(_groups(seeds, others, tree, paths))
    for group in tree.groups:
        at = len(group.prefix)
        sources |= {s.relative[at:]: s for s in group.sources if not s.outside}
    tree.sources += [sources[relative] for relative in sorted(sources)]
    tree.untouched += sorted(set(others) - sources.keys())


def _groups(seeds: dict[str, bytes], others: list[str], tree: Tree, paths: Sequence[Path]) -> Iterator[Group]:
    """The groups that `seeds` are in, also with files of the same project that are outside of `paths`."""
    root = project_root(_absolute(tree.base)) or _absolute(tree.base)
    prefix = _relative(tree.base, root) + "/" if root != _absolute(tree.base) else ""
    inside = {prefix + relative for relative in (*seeds, *others, *(file.path for file in tree.unread))}
    known = {prefix + relative: data for relative, data in seeds.items()}
    rest = [prefix + relative for relative in others]
    for relative in _outside(root, paths):
        data = None if relative in inside else _again(root / relative)
        if data is not None and is_seed(data):
            known[relative] = data
        elif data is not None:
            rest.append(relative)
    for group in linked(known, rest, lambda relative: _again(root / relative)):
        if inside.isdisjoint(group):
            continue
        at = 0 if group - inside else len(prefix)
        sources = []
        for name in sorted(group):
            outside = name not in inside
            path = root / name if outside else tree.base / name[len(prefix) :]
            sources.append(SourceFile(path, name[at:], known.get(name) or _again(path) or b"", outside))
        yield Group(tuple(sources), "" if at else prefix)


def _outside(root: Path, paths: Sequence[Path]) -> Iterator[str]:
    """The files of a project, if `paths` are not all of it."""
    if project_root(root) is not None and [_absolute(path) for path in paths] != [root]:
        yield from (_relative(path, root) for path in _walk(root, Tree(root)))


def project_root(directory: Path) -> Path | None:
    """The closest directory, from `directory` up, that looks like the root of a project."""
    marks = (".git", "pyproject.toml", "setup.py", "setup.cfg")
    places = (directory, *directory.parents)
    return next((place for place in places if any((place / mark).exists() for mark in marks)), None)


def _again(path: Path) -> bytes | None:
    """The bytes of a file that nobody keeps unless it is to be parsed."""
    try:
        return path.read_bytes() if path.is_file() else None
    except OSError:  # it was there a moment ago, or is not asked for
        return None


def _bytes_of(path: Path, relative: str, tree: Tree) -> bytes | None:
    try:
        if not path.is_file():  # a pipe would never end, a device is no program
            raise OSError(0, "not a regular file")
        return path.read_bytes()
    except OSError as error:
        tree.unread.append(unread(relative, error))
        return None


def unread(relative: str, error: OSError) -> FileResult:
    """The result for a file or directory that the operating system does not let us read."""
    return FileResult(relative, Status.UNPARSED, error=f"cannot be read: {error.strerror or error}")
