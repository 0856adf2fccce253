"""The files of a project by the names under which they can be imported."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Generic, Protocol, TypeVar

from migrate.knowledge.libraries import INSTALLED

NOTEBOOK = "__ipynb__"
"""The ending of a notebook's module name: ``%run`` reads it, no import does."""
_INSTALLED = sys.stdlib_module_names | {"pyspark"} | INSTALLED
"""Packages that are taken to be there wherever a program that imports them runs."""


class Located(Protocol):
    """A file with a place in the project: a `Module`, or one that is not parsed yet."""

    @property
    def relative(self) -> str:
        """Its POSIX path from the root of the project."""


File = TypeVar("File", bound=Located)


class Imports(Generic[File]):
    """The files of a project by the dotted names of their modules."""

    def __init__(self, files: Iterable[File]) -> None:
        self._by_parts = {module_parts(file.relative): file for file in files}
        self._names = {parts[-1] for parts in self._by_parts if parts}
        """The last parts of these names: most imports are of none of the files."""

    def find(self, name: str, importer: Located, level: int = 0) -> File | None:
        """The module called `name` in an import of `importer`, or None when it is not in the project.

        As Python does, look beside the importing script first; then along the folders above it, which a
        package's root is one of.
        """
        wanted = tuple(name.split(".")) if name else ()
        if wanted and wanted[-1] not in self._names:
            return None
        folder = tuple(importer.relative.split("/")[:-1])
        if level:
            base = folder[: len(folder) - (level - 1)] if level > 1 else folder
            return self._by_parts.get(base + wanted)
        while True:
            found = self._by_parts.get(folder + wanted)
            if found is not None and found.relative != importer.relative and self._is_found(folder, wanted):
                return found
            if not folder:
                return None
            folder = folder[:-1]

    def _is_found(self, folder: tuple[str, ...], wanted: tuple[str, ...]) -> bool:
        """Whether Python finds a module in a folder, and no installed package of the name before it.

        A folder that is no package, as it has no ``__init__.py``, comes after all that are installed:
        ``kafka/producer.py`` is not imported by ``from kafka.producer import KeyedProducer``.
        """
        return len(wanted) == 1 or not is_installed(wanted[0]) or folder + wanted[:1] in self._by_parts


def is_installed(name: str) -> bool:
    """Whether a top-level module or package is Python's own or one of a known library."""
    return name in _INSTALLED


def module_parts(relative: str) -> tuple[str, ...]:
    """The dotted name of a file's module, part by part; of a notebook one that no import of Python's has."""
    stem, _, suffix = relative.rpartition(".")
    parts = (stem or suffix).split("/")
    if suffix == "ipynb":
        return (*parts[:-1], parts[-1] + NOTEBOOK)
    return tuple(parts[:-1] if parts[-1] == "__init__" else parts)


def run_module(path: str) -> tuple[int, str] | None:
    """The module of ``%run path``, as the dots and the name of a relative import; None if it has no name.

    A path without a suffix is a notebook of Databricks, which is a Python file, or a Python file.
    """
    parts = path.strip("\"'").split("/")
    stem, _, suffix = parts[-1].rpartition(".")
    level = 1
    folders: list[str] = []
    for part in parts[:-1]:
        if part == ".." and not folders:
            level += 1
        elif part != ".":
            folders.append(part)
    last = stem + NOTEBOOK if suffix == "ipynb" and stem else stem if suffix == "py" and stem else parts[-1]
    name = [*folders, last]
    return (level, ".".join(name)) if all(part.isidentifier() for part in name) else None
