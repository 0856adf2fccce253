"""Replace several files as one: all of them, or none, also when the process is killed half way.

The journal is a directory beside the files. While it holds ``entries.json``, the files named there may be old
or new, and the old text of each is at hand: whoever finds it puts them back. Without ``entries.json`` nothing
was touched yet, or all is done, and the directory is only swept away.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from migrate.errors import EnvironmentProblemError

try:
    import fcntl
except ImportError:  # Windows: two rewrites at once are not kept apart there
    fcntl = None  # type: ignore[assignment]

ENTRIES = "entries.json"


class BusyError(EnvironmentProblemError):
    """Another process is replacing files under the same journal."""


@dataclass(frozen=True)
class Undone:
    """The result of rolling back an interrupted rewrite."""

    restored: tuple[Path, ...]
    edited: tuple[Path, ...]
    """Changed by someone since: left as they are, with the text from before the rewrite in ``NAME.orig``."""


def replace_all(journal: Path, contents: Mapping[Path, bytes]) -> None:
    """Give each of the files its new bytes, keeping mode and owner; on any error, none of them.

    Args:
        journal: a directory of its own on the same file system as the files.
        contents: the new bytes of existing regular files.

    Raises:
        BusyError: another process works with this journal.
        OSError: a file could not be written; all are as they were.
    """
    with _locked(journal):
        if (journal / ENTRIES).exists():
            _put_back(journal)
        try:
            _prepare(journal, contents)
            for number, path in enumerate(contents):
                _new(journal, number).replace(path)
            _remove(journal / ENTRIES)  # from here on the new files stand
        except BaseException:  # Ctrl-C too: the files are never left half old, half new
            _put_back(journal)
            _sweep(journal)
            raise
        _sweep(journal)


def roll_back(journal: Path) -> Undone:
    """Undo the rewrite that left `journal` behind.

    Raises:
        BusyError: the rewrite is not interrupted but still at work.
    """
    with _locked(journal):
        undone = _put_back(journal)
        _sweep(journal)
        return undone


def _prepare(journal: Path, contents: Mapping[Path, bytes]) -> None:
    entries = []
    for number, (path, data) in enumerate(contents.items()):
        _keep(path, _old(journal, number))
        _new(journal, number).write_bytes(data)
        entries.append([os.path.relpath(path, journal.parent), _digest(data)])
    for number, path in enumerate(contents):  # the disk writes many files at once about as fast as one
        _sync(_new(journal, number))
        _copy_mode(path, _new(journal, number))
    draft = journal / "draft.json"
    _write(draft, json.dumps(entries).encode())
    draft.replace(journal / ENTRIES)
    _sync_directory(journal)


def _keep(path: Path, old: Path) -> None:
    """Keep the file of today under a second name; it stays the same file, with all that hangs on it."""
    old.unlink(missing_ok=True)
    try:
        os.link(path, old)
    except OSError:  # a file system without hard links
        shutil.copy2(path, old)


def _copy_mode(path: Path, new: Path) -> None:
    shutil.copymode(path, new)
    status = path.stat()
    with contextlib.suppress(OSError, AttributeError):  # only root may give files away; Windows has no owners
        os.chown(new, status.st_uid, status.st_gid)


def _put_back(journal: Path) -> Undone:
    entries = journal / ENTRIES
    restored, edited = [], []
    for number, (name, written) in enumerate(json.loads(entries.read_bytes()) if entries.exists() else []):
        path, old = Path(os.path.normpath(journal.parent / name)), _old(journal, number)
        if not old.exists():
            continue  # put back already, by a run that was interrupted in turn
        now = path.read_bytes() if path.exists() else None
        if now is not None and _digest(now) == written:
            old.replace(path)
            restored.append(path)
        elif now != old.read_bytes():
            old.replace(path.with_name(path.name + ".orig"))
            edited.append(path)
    if entries.exists():
        _remove(entries)
    return Undone(tuple(restored), tuple(edited))


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _sweep(journal: Path) -> None:
    shutil.rmtree(journal, ignore_errors=True)


def _remove(entries: Path) -> None:
    entries.unlink()
    _sync_directory(entries.parent)


def _old(journal: Path, number: int) -> Path:
    return journal / f"{number}.old"


def _new(journal: Path, number: int) -> Path:
    return journal / f"{number}.new"


def _write(path: Path, data: bytes) -> None:
    path.write_bytes(data)
    _sync(path)


def _sync(path: Path) -> None:
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def _sync_directory(directory: Path) -> None:
    if os.name != "posix":  # Windows cannot open a directory
        return
    handle = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextlib.contextmanager
def _locked(journal: Path) -> Iterator[None]:
    """Hold `journal`, made if need be, for this process alone."""
    journal.mkdir(exist_ok=True)
    with (journal / "lock").open("w") as lock:
        if fcntl is not None:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise BusyError(f"another dstream-migrate is rewriting these files ({journal})") from None
        yield
