"""DataFrames that RDD code makes by ``rdd.toDF()``, as ones of the program's own session.

In a batch of a query `toDF` makes them in the batch's, which lacks temp views, functions and settings that
the program's session has got since the query started. What the batch changes there, the program's does not
see.
"""

from __future__ import annotations

import ast
from collections.abc import Container, Iterator

from migrate.plan.basis import Basis
from migrate.plan.code import Inner
from migrate.plan.step import Step
from migrate.proofs.called_functions import called_function
from migrate.proofs.facts import Facts
from migrate.proofs.roles import Callback, FunctionNode, NotTheSame
from migrate.proofs.session_changes import session_changes
from migrate.syntax.quoting import quoted
from migrate.syntax.tree import parameter_names

OTHER_SESSION = (
    "`toDF` makes a DataFrame of the batch's own session, which lacks temp views, functions and settings of"
    " the program's; `createDataFrame` of the program's session would have them"
)
_DEPTH = 5


def in_program_session(step: Step, callback: Callback) -> Inner:
    """Replace ``rdd.toDF()`` by ``spark.createDataFrame(rdd)``, where it matters which session it is in.

    Args:
        step: the operator.
        callback: its function, which has passed `migrate.plan.callbacks.check`.

    Raises:
        NotTheSame: the session matters, and one of the DataFrames cannot be made so.
    """
    found = list(dict.fromkeys(_made(callback, step.facts, _DEPTH)))
    if not found or next(session_changes(step.program.tree), None) is None:
        return Inner()
    done = dict(step.known.inner.replaced)
    replaced = {
        call: _in_session(step.basis, call, function, callback.frames)
        for call, function in found
        if call not in done
    }
    return Inner(tuple(replaced.items()))


def _made(callback: Callback, facts: Facts, depth: int) -> Iterator[tuple[ast.Call, FunctionNode]]:
    """The calls of `toDF` in a callback and in functions that it calls, with the function that each is in."""
    for node in callback.walk():
        if not isinstance(node, ast.Call):
            continue
        if isinstance(node.func, ast.Attribute) and node.func.attr == "toDF":
            yield node, callback.node
            continue
        target = called_function(node.func, facts) if depth else None
        if target is not None:
            yield from _made(Callback(target.node, "", None, bound=target.bound), facts, depth - 1)


def _in_session(
    basis: Basis, call: ast.Call, function: FunctionNode, frames: Container[ast.Attribute]
) -> str:
    """``spark.createDataFrame(rdd, names)`` for ``rdd.toDF(names)``."""
    method = call.func
    assert isinstance(method, ast.Attribute)
    if method not in frames or call.keywords or not _in_reach(basis, function):
        raise NotTheSame(OTHER_SESSION)
    return f"{basis.names.session}.createDataFrame({', '.join(map(quoted, (method.value, *call.args)))})"


def _in_reach(basis: Basis, function: FunctionNode) -> bool:
    """Whether the variable of the session is that in a function."""
    program, session = basis.program, basis.session
    if program.carriers is not None or function not in program.tree.above:
        return False
    statement: ast.stmt = session.statement or program.construction
    facts = basis.facts.of(statement)
    if session.builder is None:
        made = facts.only_binding(session.name)
        if made is None:
            return False
        statement = facts.statement_of(made)
    home = program.tree.scope_of(statement)
    around = [function, *program.tree.path(function)]
    if home not in around:
        return False
    inside = around[: around.index(home)]
    names = [parameter_names(node) for node in inside if isinstance(node, ast.Lambda)]
    if any(session.name in parameters for parameters in names):
        return False
    return not any(program.tree.scope_of(node) in inside for node in facts.bindings.get(session.name, ()))
