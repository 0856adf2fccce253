"""Finds the module that an import means among the modules that were read."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePosixPath

from migrate.model import Module


class Imports:
    """The modules of a project by their dotted names."""

    def __init__(self, modules: Sequence[Module]) -> None:
        self._by_parts = {_parts(module): module for module in modules}

    def find(self, name: str, importer: Module, level: int = 0) -> Module | None:
        """The module called `name` in an import of `importer`, or None when it was not read.

        As Python does, look beside the importing script first; then along the folders above it, which a package's
        root is one of.
        """
        wanted = tuple(name.split(".")) if name else ()
        folder = tuple(PurePosixPath(importer.relative).parent.parts)
        if level:
            base = folder[: len(folder) - (level - 1)] if level > 1 else folder
            return self._by_parts.get(base + wanted)
        while True:
            found = self._by_parts.get(folder + wanted)
            if found is not None and found is not importer:
                return found
            if not folder:
                return None
            folder = folder[:-1]


def _parts(module: Module) -> tuple[str, ...]:
    parts = PurePosixPath(module.relative).with_suffix("").parts
    return parts[:-1] if parts[-1] == "__init__" else parts
