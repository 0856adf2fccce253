"""DataFrames that RDD code makes by ``rdd.toDF()``, as ones of the program's own session.

In a batch of a query `toDF` makes them in the batch's, which lacks temp views, functions and settings that
the program's session has got since the query started. What the batch changes there, the program's does not
see.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Container, Iterator

from migrate.graph.session_expressions import Is, SessionExpressions
from migrate.plan.draft.basis import Basis
from migrate.plan.draft.step import Step
from migrate.plan.new_code.inner import Inner
from migrate.proofs.analysis.aliases import arguments_of, spreads
from migrate.proofs.analysis.called_functions import called_function
from migrate.proofs.callbacks.roles import Callback, FunctionNode, NotTheSame
from migrate.proofs.callbacks.session_changes import session_changes
from migrate.proofs.elements.places_read import is_identity
from migrate.syntax.quoting import quoted
from migrate.syntax.tree import parameter_names

OTHER_SESSION = (
    "`toDF` makes a DataFrame of the batch's own session, which lacks temp views, functions and settings of"
    " the program's; `createDataFrame` of the program's session would have them"
)
_DEPTH = 5


def in_program_session(step: Step, callback: Callback, gone: Collection[ast.stmt] = ()) -> Inner:
    """Replace ``rdd.toDF()`` by ``spark.createDataFrame(rdd)``, where it matters which session it is in.

    Args:
        step: the operator.
        callback: its function, which has passed `migrate.plan.checks.callbacks.check`.
        gone: the statements that are removed from it.

    Raises:
        NotTheSame: the session matters, and one of the DataFrames cannot be made so.
    """
    session = step.basis.names.session if _in_reach(step.basis, callback.node, gone) else None
    found = list(dict.fromkeys(_made(callback, step, session, _DEPTH)))
    if not found or next(session_changes(step.program.tree), None) is None:
        return Inner()
    done = dict(step.known.inner.replaced)
    replaced = {
        call: _in_session(call, session, callback.frames) for call, session in found if call not in done
    }
    return Inner(tuple(replaced.items()))


def _made(
    callback: Callback, step: Step, session: str | None, depth: int
) -> Iterator[tuple[ast.Call, str | None]]:
    """The calls of `toDF` in a callback and in functions that it calls.

    Each has the variable of the program's session in the function that it is in, if that is in reach there.
    """
    for node in callback.walk():
        if not isinstance(node, ast.Call):
            continue
        if isinstance(node.func, ast.Attribute) and node.func.attr == "toDF":
            if not _names_columns(node):
                yield node, session
            continue
        target = called_function(node.func, step.facts) if depth else None
        if target is not None:
            called = Callback(target.node, "", None, bound=target.bound)
            own = _handed(node, callback, called, step, session)
            yield from _made(called, step, own, depth - 1)


def _names_columns(call: ast.Call) -> bool:
    """``frame.toDF("city", "number")`` of a DataFrame: that of an RDD takes them as one list."""
    return any(isinstance(argument, ast.Starred) for argument in call.args) or (
        len(call.args) > 1 and all(isinstance(argument, ast.Constant) for argument in call.args)
    )


def _handed(
    call: ast.Call, callback: Callback, called: Callback, step: Step, session: str | None
) -> str | None:
    """The variable of the program's session in a function, also as a parameter that its only call gives."""
    function = called.node
    assert isinstance(function, ast.FunctionDef)
    names = parameter_names(function)[called.bound :]
    only = len(step.facts.loads.get(function.name, ())) == 1 and not spreads(call)
    sessions = SessionExpressions(step.program.tree, step.trace)
    for name, argument in arguments_of(call, names) if only else ():
        if isinstance(argument, ast.Name) and not called.binds(name):
            outside = not callback.binds(argument.id) and argument.id not in parameter_names(callback.node)
            if argument.id == session or (outside and sessions.is_session(argument) is Is.YES):
                return name
    return step.basis.names.session if _in_reach(step.basis, function) else None


def _in_session(call: ast.Call, session: str | None, frames: Container[ast.Attribute]) -> str:
    """``spark.createDataFrame(rdd, names)`` for ``rdd.toDF(names)``."""
    method = call.func
    assert isinstance(method, ast.Attribute)
    if method not in frames or call.keywords or session is None:
        raise NotTheSame(OTHER_SESSION)
    return f"{session}.createDataFrame({', '.join(map(quoted, (_mapped(method.value), *call.args)))})"


def _mapped(rdd: ast.expr) -> ast.expr:
    """The RDD that an RDD is, without ``.map(lambda row: row)``."""
    match rdd:
        case ast.Call(ast.Attribute(source, "map"), [function], []) if is_identity(function):
            return _mapped(source)
    return rdd


def _in_reach(basis: Basis, function: FunctionNode, gone: Collection[ast.stmt] = ()) -> bool:
    """Whether the variable of the session is that in a function, without some statements."""
    program, session = basis.program, basis.session
    if program.carriers is not None or function not in program.tree.above:
        return False
    statement: ast.stmt = session.statement or program.construction
    facts = basis.facts.of(statement)
    if session.builder is None:
        made = [node for node in facts.bindings.get(session.name, ()) if not isinstance(node, ast.arg)]
        shared = facts.is_declared_elsewhere(session.name) or session.name in facts.starred
        if len(made) != 1 or shared:
            return False
        statement = facts.statement_of(made[0])
    home = program.tree.scope_of(statement)
    around = [function, *program.tree.path(function)]
    if home not in around:
        return False
    inside = around[: around.index(home)]
    names = [parameter_names(node) for node in inside if isinstance(node, ast.Lambda)]
    if any(session.name in parameters for parameters in names):
        return False
    bindings = facts.bindings.get(session.name, ())
    left = (node for node in bindings if isinstance(node, ast.arg) or facts.statement_of(node) not in gone)
    return not any(program.tree.scope_of(node) in inside for node in left)
