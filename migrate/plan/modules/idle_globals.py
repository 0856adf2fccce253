"""``global spark`` of functions that have no such name any more: the statement goes with what read it.

    if not rdd.isEmpty():
        global spark
        spark.createDataFrame(rdd).show()

A DataFrame needs no session to be shown.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.plan.modules.unused_parameters import new_names_in
from migrate.plan.names.kept import Kept
from migrate.plan.new_code.planned_module import PlannedModule
from migrate.syntax.nodes import walk


def idle_globals(kept: Kept, changes: PlannedModule) -> Iterator[ast.stmt]:
    """The statements that declare only names which stood in their functions and are gone there.

    Args:
        kept: what stays of the program.
        changes: its new code.
    """
    tree = kept.basis.program.tree
    declaring: list[ast.Global | ast.Nonlocal] = [*tree.of_kinds(ast.Global), *tree.of_kinds(ast.Nonlocal)]
    for statement in declaring:
        function = tree.scope_of(statement)
        if statement not in kept.nodes or not isinstance(function, ast.FunctionDef):
            continue
        beside = (one for one in tree.block_of(statement) if one is not statement)
        uses = [node for node in walk(function) if isinstance(node, ast.Name) and node.id in statement.names]
        gone = bool(uses) and kept.nodes.isdisjoint(uses) and any(one in kept.nodes for one in beside)
        if gone and new_names_in(function, changes).all.isdisjoint(statement.names):
            yield statement
