"""Names that nothing defines, and that new code reads as the old program did: both fail there."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.model import Module
from migrate.syntax.nodes import of_kinds, once, position
from migrate.syntax.unbound_names import unbound_names
from migrate.trace.unknown import shows_all_names

UNDEFINED = "{}: `{}` is never defined in the files that were read: a NameError where this runs, as before"


def tell_undefined(module: Module, new: ast.Module) -> Iterator[str]:
    """The notes on names that nothing defines, each at its first place in the old code.

    There are none on a notebook, whose platform may define names.

    Args:
        module: the old module.
        new: its new tree.
    """
    unbound = once(module.tree, unbound_names)
    if not unbound or module.form.has_cells or not shows_all_names(module):
        return
    still = {node.id for node in of_kinds(new, ast.Name)}
    told: set[str] = set()
    for name in sorted(of_kinds(module.tree, ast.Name), key=position):
        if name.id in unbound & still - told:
            told.add(name.id)
            yield UNDEFINED.format(module.where(name.lineno), name.id)
