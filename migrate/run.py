"""One run of the codemod, from PATHs to a `Result`; nothing is written."""

from __future__ import annotations

import dataclasses
import sys
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from migrate.journal import Undone, roll_back
from migrate.migration import migrate
from migrate.model import FileResult, Module, Options, Result, Status
from migrate.parse import MAX_DEPTH, UnparsedError, encode, parse, parse_bytes
from migrate.report.diff import unified_diff
from migrate.scan import scan

FRAMES_PER_LEVEL = 12
"""Python frames that walking down one level of a syntax tree may take."""


@dataclass(frozen=True)
class Run:
    """What was read and what the migration makes of it."""

    base: Path
    """The directory that the paths of the result are relative to."""
    modules: dict[str, Module]
    result: Result
    undone: list[Undone] = field(default_factory=list)
    """Interrupted rewrites that were found and rolled back first."""
    crashed: bool = False
    """Whether a file is unparsed because the migration itself failed on it."""

    def diff(self) -> bytes:
        """The changes as one unified diff, to be applied in `base` by ``patch -p1``."""
        return b"".join(
            unified_diff(file.path, encode(file.old, module), encode(file.new, module))
            for file in self.result.files
            if file.changed
            for module in (self.modules[file.path],)
        )

    def text(self) -> bytes:
        """The new text of the one module of a run on standard input; nothing if it could not be parsed."""
        return b"".join(
            encode(file.new, self.modules[file.path]) for file in self.result.files if not file.error
        )


def run(paths: Sequence[Path], options: Options) -> Run:
    """Read the files below `paths` and plan their migration.

    Raises:
        BusyError: another process is rewriting these files.
    """
    tree = scan(paths)
    undone = [roll_back(journal) for journal in dict.fromkeys(tree.journals)]
    if undone:
        tree = scan(paths)
    modules: dict[str, Module] = {}
    others = [*tree.unread, *(FileResult(path, Status.UNTOUCHED) for path in tree.untouched)]
    for source in tree.sources:
        parsed = parse(source)
        if isinstance(parsed, Module):
            modules[parsed.relative] = parsed
        else:
            others.append(parsed)
    result, crashed = _migrate(modules, others, options)
    return Run(tree.base, modules, result, undone, crashed)


def run_text(data: bytes, options: Options) -> Run:
    """Plan the migration of one module that was read from a stream and not from a file."""
    path = Path("-")
    try:
        modules = {"-": parse_bytes(data, path, "-")}
        others = []
    except UnparsedError as error:
        modules, others = {}, [FileResult("-", Status.UNPARSED, error=str(error))]
    result, crashed = _migrate(modules, others, options)
    return Run(Path(), modules, result, crashed=crashed)


def _migrate(
    modules: dict[str, Module], others: Sequence[FileResult], options: Options
) -> tuple[Result, bool]:
    with _room_for_recursion():
        result, crashed = _isolated(list(modules.values()), options)
    known = {file.path for file in (*result.files, *crashed)}
    missing = [FileResult(path, Status.UNTOUCHED) for path in modules.keys() - known]
    files = sorted([*result.files, *crashed, *others, *missing], key=lambda file: file.path)
    return dataclasses.replace(result, files=tuple(files)), bool(crashed)


def _isolated(modules: Sequence[Module], options: Options) -> tuple[Result, list[FileResult]]:
    """The result, and the files on which the migration itself fails: they keep no other from being done."""
    try:
        return migrate(modules, options), []
    except Exception:
        reasons = {module.relative: _crash(module, options) for module in modules}
        if not any(reasons.values()):
            raise  # it takes several files together to fail
    crashed = [FileResult(path, Status.UNPARSED, error=reason) for path, reason in reasons.items() if reason]
    return migrate([module for module in modules if not reasons[module.relative]], options), crashed


def _crash(module: Module, options: Options) -> str | None:
    try:
        migrate([module], options)
    except Exception as error:
        where = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{Path(where.filename).name}:{where.lineno}"
        return f"an error of dstream-migrate itself: {type(error).__name__}: {error} ({place})"
    return None


@contextmanager
def _room_for_recursion() -> Iterator[None]:
    """Let visitors go down to the depth that `parse` lets through."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, FRAMES_PER_LEVEL * MAX_DEPTH))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
