"""The modules in Python 2 that a program imports: they go to Python 3 with it, or it does not go."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from migrate.model import Module
from migrate.read.reach import reached


def python2_helpers(files: Iterable[str], modules: Mapping[str, Module]) -> tuple[str, ...]:
    """The paths of the modules in Python 2 that `files` import, also by way of others, without `files`."""
    if all(module.python == 3 for module in modules.values()):
        return ()
    found = reached(files, modules)
    return tuple(sorted(path for path in found - set(files) if modules[path].python == 2))
