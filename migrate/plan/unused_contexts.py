"""Contexts that are made and never used, of which some are only called otherwise where they are used."""

from __future__ import annotations

import ast
import builtins

from migrate.graph.blocked import Blocked
from migrate.graph.program import Program
from migrate.syntax.bindings import bound_names
from migrate.syntax.nodes import of_kinds, once
from migrate.trace.unknown import shows_all_names

UNDEFINED = "the context is never used, and `{}` is never defined: if that is meant, give it this name"


def check_unused(program: Program) -> None:
    """Refuse to leave out a context where the module calls methods of a name that nothing defines.

    Raises:
        Blocked: it does: ``scc = StreamingContext(sc, 10)``, and then ``ssc.start()``.
    """
    module = program.module_of(program.construction)
    parameters = {node.arg for node in of_kinds(module.tree, ast.arg)}
    known = once(module.tree, bound_names) | parameters | vars(builtins).keys()
    owners = (node.value for node in of_kinds(module.tree, ast.Attribute))
    unknown = [owner.id for owner in owners if isinstance(owner, ast.Name) and owner.id not in known]
    if unknown and shows_all_names(module) and not module.form.has_cells:
        raise Blocked(UNDEFINED.format(unknown[0]))
