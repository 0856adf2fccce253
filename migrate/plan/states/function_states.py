"""States that a function of DataFrames keeps: variables around it, which it binds anew in each batch.

``global totals`` stands at its top, and the first value where the batch function is defined.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from migrate.graph.blocked import Blocked
from migrate.graph.operations import Entry, Line
from migrate.plan.draft.draft import Draft
from migrate.plan.frames.stages import makes
from migrate.plan.new_code.declarations import declaring
from migrate.syntax.nodes import walk
from migrate.syntax.tree import is_idle

ELSEWHERE = "a state is kept beside the batch function, which a function of another file cannot reach"


def declare_states(draft: Draft, function: ast.FunctionDef, states: Iterable[str]) -> None:
    """Declare the variables of states in a function that binds them.

    Raises:
        Blocked: it cannot reach them.
    """
    if not states:
        return
    tree, scope = draft.basis.program.tree, draft.basis.place.scope
    if tree.root_of(function) is not tree.root_of(scope):
        raise Blocked(ELSEWHERE, at=function)
    in_function = isinstance(scope, ast.FunctionDef)
    word = "nonlocal" if in_function and scope in tree.path(function) else "global"
    if in_function and word == "global":
        draft.body.global_states += states
    first = next((one for one in function.body if not is_idle(one)), function.body[-1])
    draft.outside.before[first] = (*declaring(word, states),)


def name_state(draft: Draft, entry: Entry, line: Line, target: str) -> None:
    """Let a function read a state by its new variable, where it reads it by its own.

    Args:
        draft: the plan so far.
        entry: the run of the function.
        line: where it makes the stream of the state.
        target: its own variable for that.

    Raises:
        Blocked: its own variable is that of the state, and means the changed keys in it.
    """
    function = entry.function
    assert isinstance(function, ast.FunctionDef)
    tree, stream, final = draft.basis.program.tree, line.operations[-1], function.body[-1]
    stage = draft.stages[stream]
    lines = {*draft.basis.program.removed, *(one.statement for one in draft.basis.program.lines)}
    loads = (
        node
        for node in walk(function)
        if isinstance(node, ast.Name) and node.id == target and isinstance(node.ctx, ast.Load)
    )
    returned = final.value if isinstance(final, ast.Return) and entry.result is stream else None
    others = [node for node in loads if node is not returned and tree.statement_of(node) not in lines]
    if others and target in draft.body.states:
        raise Blocked(f"`{target}` is read in another way than by streams: return it", at=line.statement)
    if others:
        draft.body.write(f"{target} = {stage.variable}", None, makes(stage))
