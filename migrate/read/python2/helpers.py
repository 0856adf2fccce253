"""The modules that a program imports and Python 3 cannot run: they change with it, or it stays."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from migrate.model import Module
from migrate.read.python2.form import Modernised
from migrate.read.reach import reached


def python2_helpers(files: Iterable[str], modules: Mapping[str, Module]) -> tuple[str, ...]:
    """The paths of such modules that `files` import, also by way of others, without `files`."""
    changed = {path for path, module in modules.items() if isinstance(module.form, Modernised)}
    return tuple(sorted(changed & (reached(files, modules) - set(files)))) if changed else ()
