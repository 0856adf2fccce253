"""An SQLContext of the program, ``sqlContext = SQLContext(sc)``, is the new session by another name."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.frozen import replace
from migrate.graph.existing_session import is_external
from migrate.knowledge.sessions import OF_SESSIONS, OF_SQL_CONTEXTS
from migrate.plan.draft.basis import Basis
from migrate.plan.names.kept import Kept
from migrate.plan.new_code.inner import Inner, reading
from migrate.plan.new_code.planned_module import PlannedModule
from migrate.syntax.nodes import walk

_CLASSES = ("pyspark.sql.SQLContext", "pyspark.sql.HiveContext")
_CONTEXT = "pyspark.SparkContext"
_SHELL = "sqlContext"
"""The name that PySpark's shell and notebooks have one under."""
_HAS = OF_SESSIONS | {"readStream", "streams"} | OF_SQL_CONTEXTS.keys()
"""Members that a session has, some of them under another name."""


def without_sql_contexts(basis: Basis, changes: PlannedModule, removed: dict[ast.stmt, bool]) -> Inner:
    """The names of SQLContexts become that of the session; the statements that make them are removed.

    Args:
        basis: what the graph is planned from.
        changes: all other changes.
        removed: the statements that go, which get those.
    """
    left = Kept(basis, replace(changes, removed=removed))
    replaced: list[tuple[ast.AST, str]] = []
    for statement, name in _made(basis):
        loads = [load for load in left.loads(name.id, statement) if not _is_hidden(basis, load, name)]
        if statement not in left.nodes or not all(_is_same(basis, load, statement) for load in loads):
            continue
        declared = [one for one in _globals(basis, name) if one.names == [name.id]]
        removed |= dict.fromkeys([statement, *declared], True)
        replaced += [_of_session(load, basis) for load in loads]
    replaced += [_of_session(load, basis) for load in _of_the_shell(basis, left)]
    return reading(*replaced)


def _of_session(load: ast.Name, basis: Basis) -> tuple[ast.AST, str]:
    """The session in the place of a name, with the member that is there under another name."""
    session, member = basis.names.session, basis.program.tree.above[load]
    if isinstance(member, ast.Attribute) and member.attr in OF_SQL_CONTEXTS:
        return member, f"{session}.{OF_SQL_CONTEXTS[member.attr]}"
    return load, session


def _of_the_shell(basis: Basis, left: Kept) -> list[ast.Name]:
    """The reads of the shell's `sqlContext`, in a program that makes the session itself now."""
    program, facts = basis.program, basis.facts.of(basis.program.construction)
    if basis.session.builder is None or not facts.is_unbound(_SHELL):
        return []
    made: ast.stmt = basis.session.statement or program.construction
    scope = program.tree.scope_of(program.construction)
    loads = [load for load in facts.loads[_SHELL] if load in left.nodes]
    in_reach = all(scope in program.tree.path(load) for load in loads)
    return loads if in_reach and all(_is_same(basis, load, made) for load in loads) else []


def _made(basis: Basis) -> Iterator[tuple[ast.Assign, ast.Name]]:
    """The statements that make one where the session has been made, and their variables."""
    program = basis.program
    taken = basis.trace.taken.of_module(program.module_of(program.construction))
    made: ast.stmt = basis.session.statement or program.construction
    for statement in program.tree.block_of(program.construction):
        if not isinstance(statement, ast.Assign) or statement is made:
            continue
        name, call = statement.targets[0], statement.value
        one = isinstance(name, ast.Name) and _is_bound_once(basis, name) and name.id not in taken
        is_one = isinstance(call, ast.Call) and any(
            is_external(call.func, one, basis.trace) for one in _CLASSES
        )
        own = one and is_one and basis.has_session(statement) and not _makes_another(basis, statement)
        if own and isinstance(name, ast.Name):
            yield statement, name


def _is_bound_once(basis: Basis, name: ast.Name) -> bool:
    """Whether nothing else binds a variable, but for what functions have of their own by its name."""
    tree, facts = basis.program.tree, basis.facts.of(basis.program.construction)
    if facts.only_binding(name.id) is name:
        return True
    if _is_global(basis, name):
        return facts.bindings.get(name.id) == [name] and name.id not in facts.starred
    home = tree.scope_of(name)
    others = [one for one in facts.bindings.get(name.id, ()) if one is not name]
    is_free = name.id not in facts.starred and not facts.is_declared_elsewhere(name.id)
    scopes = [tree.scope_of(one) if isinstance(one, ast.Name | ast.arg) else None for one in others]
    local = all(isinstance(one, ast.FunctionDef) and one is not home for one in scopes)
    return is_free and local and isinstance(home, ast.Module | ast.FunctionDef)


def _is_global(basis: Basis, name: ast.Name) -> bool:
    """Whether the function that makes it declares it ``global``, and the session, too."""
    declared = {shared for one in _globals(basis, name) for shared in one.names}
    return {name.id, basis.names.session} <= declared


def _globals(basis: Basis, name: ast.Name) -> list[ast.Global]:
    """The statements that declare global variables in the function that binds a name, if one does."""
    scope = basis.program.tree.scope_of(name)
    nodes = walk(scope) if isinstance(scope, ast.FunctionDef) else ()
    return [node for node in nodes if isinstance(node, ast.Global)]


def _is_hidden(basis: Basis, load: ast.Name, name: ast.Name) -> bool:
    """Whether another variable of that name, a function's own, is read."""
    tree, bindings = basis.program.tree, basis.facts.of(load).bindings.get(load.id, ())
    scopes = {tree.scope_of(one) for one in bindings if one is not name}
    return any(isinstance(one, ast.FunctionDef) and one in scopes for one in tree.path(load))


def _makes_another(basis: Basis, statement: ast.stmt) -> bool:
    """Whether a second SparkContext is made between the graph's own and a statement, as notebooks do."""
    program = basis.program
    block = program.tree.block_of(program.construction)
    start, end = sorted((block.index(program.construction), block.index(statement)))
    calls = (one.value for one in block[start + 1 : end] if isinstance(one, ast.Assign))
    return any(isinstance(call, ast.Call) and is_external(call.func, _CONTEXT, basis.trace) for call in calls)


def _is_same(basis: Basis, load: ast.Name, made: ast.stmt) -> bool:
    """Whether the session can take a name's place: it has the member, and its own name is in reach."""
    tree, session = basis.program.tree, basis.names.session
    above = tree.above[load]
    around = {*tree.path(load)} - {*tree.path(made)}
    hidden = any(
        tree.scope_of(binding) in around for binding in basis.facts.of(load).bindings.get(session, ())
    )
    arguments = {a.arg for step in around if isinstance(step, ast.Lambda) for a in step.args.args}
    known = isinstance(above, ast.Attribute) and above.attr in _HAS
    return known and not hidden and session not in arguments
