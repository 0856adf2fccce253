"""Finds the file that an import means among the files of a project."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Generic, Protocol, TypeVar


class Located(Protocol):
    """A file with a place in the project: a `Module`, or one that is not parsed yet."""

    @property
    def relative(self) -> str:
        """Its POSIX path from the root of the project."""


File = TypeVar("File", bound=Located)


class Imports(Generic[File]):
    """The files of a project by the dotted names of their modules."""

    def __init__(self, files: Iterable[File]) -> None:
        self._by_parts = {_parts(file): file for file in files if not file.relative.endswith(".ipynb")}

    def find(self, name: str, importer: Located, level: int = 0) -> File | None:
        """The module called `name` in an import of `importer`, or None when it is not in the project.

        As Python does, look beside the importing script first; then along the folders above it, which a
        package's root is one of.
        """
        wanted = tuple(name.split(".")) if name else ()
        folder = tuple(importer.relative.split("/")[:-1])
        if level:
            base = folder[: len(folder) - (level - 1)] if level > 1 else folder
            return self._by_parts.get(base + wanted)
        while True:
            found = self._by_parts.get(folder + wanted)
            if found is not None and found.relative != importer.relative:
                return found
            if not folder:
                return None
            folder = folder[:-1]


def _parts(file: Located) -> tuple[str, ...]:
    stem, _, suffix = file.relative.rpartition(".")
    parts = (stem or suffix).split("/")
    return tuple(parts[:-1] if parts[-1] == "__init__" else parts)
