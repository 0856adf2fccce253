"""Directories on a local file system, where Python is quicker than the JVM."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from compat.directory.retries import insist

BEFORE = ".before"
"""The suffix of a directory that was set aside."""


class LocalDirectory:
    """See `Directory`."""

    def __init__(self, uri: str, root: Path) -> None:
        self._uri = uri
        self.root = root

    def path(self, name: str) -> str:
        """See `Directory`."""
        return f"{self._uri}/{name}"

    def within(self, name: str) -> LocalDirectory:
        """See `Directory`."""
        return LocalDirectory(self.path(name), self.root / name)

    def names(self, name: str = "") -> list[str]:
        """See `Directory`."""
        try:
            return [path.name for path in (self.root / name).iterdir() if not path.name.startswith(".")]
        except FileNotFoundError:
            return []

    def sizes(self, name: str) -> dict[str, int]:
        """See `Directory`."""
        return {entry: (self.root / name / entry).stat().st_size for entry in self.names(name)}

    def has(self, name: str) -> bool:
        """See `Directory`."""
        return (self.root / name).exists()

    def read(self, name: str) -> bytes:
        """See `Directory`."""
        return (self.root / name).read_bytes()

    def write(self, name: str, content: bytes) -> None:
        """See `Directory`."""
        insist(lambda: self._write(name, content), f"write {self.path(name)}")

    def _write(self, name: str, content: bytes) -> None:
        path = self.root / name
        _make(path.parent)
        part = path.parent / ".part"
        part.unlink(missing_ok=True)
        try:
            with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            part.replace(path)
        except OSError as error:
            part.unlink(missing_ok=True)  # a disk that is full needs its room
            raise OSError(error.errno, error.strerror, str(path)) from error
        _sync(path.parent)

    def sync(self, name: str) -> None:
        """See `Directory`."""
        top = self.root / name
        for folder, _, files in os.walk(top):
            for file in files:
                _sync(Path(folder, file))
            _sync(Path(folder))
        for above in top.relative_to(self.root.parent).parents:
            _sync(self.root.parent / above)

    def delete(self, name: str = "") -> None:
        """See `Directory`."""
        insist(lambda: self._delete(name), f"delete {self.path(name)}")

    def _delete(self, name: str) -> None:
        path = self.root / name
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)

    def set_aside(self) -> str:
        """See `Directory`."""
        aside = self.root.with_name(self.root.name + BEFORE)
        shutil.rmtree(aside, ignore_errors=True)
        self.root.rename(aside)
        return self._uri + BEFORE


def _make(folder: Path) -> None:
    """Make a directory and those above it, on the disk."""
    if not folder.is_dir():
        _make(folder.parent)
        folder.mkdir(exist_ok=True)
        _sync(folder.parent)


def _sync(path: Path) -> None:
    """Wait until the content of a file or directory is on the disk, where that can be asked for."""
    if path.is_dir() and os.name == "nt":
        return  # Windows opens no directory
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
