"""Arranges the code of a graph around its batch function."""

from __future__ import annotations

import ast
from collections.abc import Collection

from migrate.graph.leftovers import Leftovers
from migrate.graph.moving import Moving
from migrate.graph.place import Place, last_of
from migrate.graph.program import Program
from migrate.graph.starting import Starting
from migrate.trace import Trace


def arrange(program: Program, trace: Trace, dissolved: Collection[ast.FunctionDef] = ()) -> Place:
    """Decide where the batch function stands, what it takes over, and how its query gets started.

    Args:
        program: one graph.
        trace: of all modules.
        dissolved: functions of streams whose code moves into the batch function if it can; the batch function
            calls the others.

    Raises:
        Blocked: the streams are made in several functions whose code cannot stand there, or the query cannot
            get from there to the call of ``start``.
    """
    reading, tree, scope = program.reading, program.tree, program.scope
    if reading.is_unused:
        return Place(scope, scope.body[0], reading.removed)
    last = last_of(reading)
    branches = {condition.branch for condition in last.all_when}
    way = [s for s in reading.ways[last] if tree.scope_of(s) is scope]
    anchor = next((s for s in way if s in branches), way[-1])
    found = Place(scope, anchor, reading.removed)
    Starting(reading, trace, tree, program.start, found).connect()
    Moving(program, trace, found, dissolved).move()
    Leftovers(reading, trace, tree, found).remove()
    return found
