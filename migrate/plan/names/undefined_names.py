"""Names that nothing defines, in programs that leave a context unused or put nothing out for them."""

from __future__ import annotations

import ast
import builtins

from migrate.graph.blocked import Blocked
from migrate.graph.program import Program
from migrate.syntax.bindings import bound_names
from migrate.syntax.nodes import of_kinds, once
from migrate.trace.unknown import shows_all_names

NO_STREAMS = "the context is never used, and `{}` is never defined: if that is meant, give it this name"
NO_OUTPUTS = "nothing is put out, and `{}` is never defined: the program fails there as it is"


def check_defined(program: Program, reason: str) -> None:
    """Refuse a graph where the module calls methods of a name that nothing defines.

    ``scc = StreamingContext(sc, 10)``, and then ``ssc.start()``; ``pairs.reduceByKey(add).pprint()`` below
    ``words = lines.map(f)``.

    Args:
        program: the graph.
        reason: why, `NO_STREAMS` or `NO_OUTPUTS`.

    Raises:
        Blocked: it does.
    """
    module = program.module_of(program.construction)
    parameters = {node.arg for node in of_kinds(module.tree, ast.arg)}
    known = once(module.tree, bound_names) | parameters | vars(builtins).keys()
    owners = (node.value for node in of_kinds(module.tree, ast.Attribute))
    unknown = [owner.id for owner in owners if isinstance(owner, ast.Name) and owner.id not in known]
    if unknown and shows_all_names(module) and not module.form.has_cells:
        raise Blocked(reason.format(unknown[0]))
