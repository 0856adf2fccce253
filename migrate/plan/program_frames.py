"""DataFrames that RDD code makes by ``rdd.toDF()``, as ones of the program's own session.

In a batch of a query `toDF` makes them in the batch's, which lacks temp views, functions and settings that
the program's session has got since the query started. What the batch changes there, the program's does not
see.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from migrate.codemod.edits import Edit
from migrate.plan.plan import Plan
from migrate.plan.step import Step
from migrate.proofs.facts import Facts
from migrate.proofs.roles import Callback, FunctionNode, NotTheSame
from migrate.proofs.session_changes import changes
from migrate.syntax.tree import parameter_names

OTHER_SESSION = (
    "`toDF` makes a DataFrame of the batch's own session, which lacks temp views, functions and settings of"
    " the program's; `createDataFrame` of the program's session would have them"
)
_CALL = re.compile(r"\s*(?:\\\s*)?\.\s*toDF\s*\(\s*")
_DEPTH = 5


def in_program_session(step: Step, callback: Callback) -> tuple[Edit, ...]:
    """The edits that make them ``spark.createDataFrame(rdd)``; none where the session does not matter.

    Args:
        step: the operator.
        callback: its function, which was found to do the same with a batch's RDD.

    Raises:
        NotTheSame: the session matters, and one of the DataFrames cannot be made so.
    """
    plan = step.plan
    found = list(dict.fromkeys(_made(callback, plan.facts, _DEPTH)))
    if not found or next(changes(plan.program.tree.tree), None) is None:
        return ()
    done = {(edit.start, edit.end) for edit in plan.callback_edits}
    edits = [edit for call, function in found for edit in _edits(plan, call, function, callback.frames)]
    return tuple(edit for edit in dict.fromkeys(edits) if (edit.start, edit.end) not in done)


def _made(callback: Callback, facts: Facts, depth: int) -> Iterator[tuple[ast.Call, FunctionNode]]:
    """The calls of `toDF` in a callback and in functions that it calls, with the function that each is in."""
    for node in callback.walk():
        if not isinstance(node, ast.Call):
            continue
        if isinstance(node.func, ast.Attribute) and node.func.attr == "toDF":
            yield node, callback.node
            continue
        target = facts.function(node.func) if depth else None
        if target is not None:
            yield from _made(Callback(target.node, "", None, bound=target.bound), facts, depth - 1)


def _edits(
    plan: Plan, call: ast.Call, function: FunctionNode, frames: Iterable[ast.Attribute]
) -> Iterator[Edit]:
    method = call.func
    assert isinstance(method, ast.Attribute)
    if method not in frames or call.keywords or not _in_reach(plan, function):
        raise NotTheSame(OTHER_SESSION)
    text = plan.text
    first = text.start(call.args[0]) if call.args else text.end(call) - 1
    start, end = text.start(method.value), text.end(method.value)
    if not _CALL.fullmatch(text.source[end:first]):
        raise NotTheSame(OTHER_SESSION)
    yield Edit(start, start, f"{plan.session}.createDataFrame(")
    yield Edit(end, first, ", " if call.args else "")


def _in_reach(plan: Plan, function: FunctionNode) -> bool:
    """Whether the variable of the session is that in a function."""
    program, session = plan.program, plan.session_plan
    assert session is not None
    if program.carriers is not None or function not in program.tree.above:
        return False
    statement: ast.stmt = session.statement or program.construction
    if session.builder is None:
        made = plan.facts.only_binding(session.name)
        if made is None:
            return False
        statement = plan.facts.statement_of(made)
    home = program.tree.scope_of(statement)
    around = [function, *program.tree.path(function)]
    if home not in around:
        return False
    inside = around[: around.index(home)]
    names = [parameter_names(node) for node in inside if isinstance(node, ast.Lambda)]
    if any(session.name in parameters for parameters in names):
        return False
    return not any(
        program.tree.scope_of(node) in inside for node in plan.facts.bindings.get(session.name, ())
    )
