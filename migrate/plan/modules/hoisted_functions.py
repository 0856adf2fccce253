"""Functions inside of others of which nothing else is left: they stand in the places of these."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Sequence

from migrate.graph.blocked import Blocked
from migrate.plan.draft.draft import Draft
from migrate.plan.new_code.code import Function
from migrate.plan.new_code.inner import NOTHING, Inner, Put
from migrate.plan.new_code.planned_module import PlannedModule
from migrate.syntax.nodes import walk
from migrate.syntax.quoting import names_in, quotes

_STAYS = "`{}` is read where each batch is made, and stands in `{}`, of which more is left: move it out"


def hoisted(draft: Draft, part: PlannedModule) -> Inner:
    """Put the functions that new code still reads before those that were around them.

    Args:
        draft: the plan.
        part: all new code that may read them.

    Raises:
        Blocked: something else is left of the function around one.
    """
    place, program = draft.basis.place, draft.basis.program
    if not place.hoisted:
        return NOTHING
    read = {*part.names.variables}
    quoted = {name: node for module in program.modules for name, node in quotes(module.tree).items()}
    for name in {name for text in part.texts() for name in names_in(text)}:
        read |= {node.id for node in walk(quoted[name]) if isinstance(node, ast.Name)}
    before: list[tuple[ast.stmt, Put]] = []
    for function, around in place.hoisted.items():
        if around not in place.consumed and _is_read_still(function, around, [*place.moved()]):
            raise Blocked(_STAYS.format(function.name, around.name), at=function)
        if function.name in read:
            text = ast.get_source_segment(program.module_of(function).source, function, padded=True)
            assert text is not None
            before.append((around, Put(Function(textwrap.dedent(text)), moved=function)))
    return Inner(before=tuple(before))


def _is_read_still(function: ast.FunctionDef, around: ast.FunctionDef, moved: Sequence[ast.AST]) -> bool:
    """Whether code that stays in a function reads the one inside of it, beside what moves."""
    gone = {node for part in (function, *moved) for node in walk(part)}
    return any(
        isinstance(node, ast.Name) and node.id == function.name and node not in gone for node in walk(around)
    )
