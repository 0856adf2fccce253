"""The session in the place of the SparkContext or of the StreamingContext, and its settings."""

from __future__ import annotations

import ast
import re
from collections.abc import Container

from migrate.frozen import replace
from migrate.graph.outliving import stops_session
from migrate.graph.program import Program
from migrate.model import Module
from migrate.plan.draft.attempt import Attempt
from migrate.plan.draft.basis import Basis
from migrate.plan.draft.draft import Draft
from migrate.plan.draft.needs import Needs, Sliding
from migrate.plan.frames.frame import Frame
from migrate.plan.names.kept import Kept
from migrate.plan.new_code.code import Call, Chain, Code, Makes, Written
from migrate.plan.new_code.declarations import declaring
from migrate.plan.new_code.inner import Inner, context_of, reading
from migrate.plan.new_code.planned_module import PlannedModule
from migrate.plan.session.ansi import SETTING as ANSI
from migrate.plan.session.ansi import sets_ansi
from migrate.plan.settings.checkpoint_directories import NOTE, idle_directory
from migrate.plan.settings.log_level import SETTING as LOG_LEVEL
from migrate.plan.settings.log_level import log_level
from migrate.plan.settings.sql_contexts import without_sql_contexts
from migrate.syntax.nodes import code_of, of_kinds, position, walk

PARTITIONS = "spark.sql.shuffle.partitions"
ENOUGH = 8
"""A number of partitions that does for small batches on any machine."""
WHY = "# Spark's 200 partitions make small batches slow"
WHY_OF_CORES = "# one for each core; Spark's 200 are slow"
WHY_HELD = "# partitions per batch: a window unites those of all its batches"
WHY_ANSI = "# off on some clusters; bad input must raise"
_LOCAL = re.compile(r"local\[(\d+)\]")


def with_session(draft: Draft, attempt: Attempt, changes: PlannedModule, stored: str = "") -> PlannedModule:
    """The changes of a module, with its session.

    Args:
        draft: the plan.
        attempt: takes what the new code needs.
        changes: the others.
        stored: the statement that keeps the batch interval, in the place of the StreamingContext.
    """
    basis, program, session = draft.basis, draft.basis.program, draft.basis.session
    codes: list[Code] = []
    melted: tuple[ast.stmt, ...] = ()
    settings = _settings(basis, draft.needs)
    logs = log_level(basis)
    if session.builder is not None:
        attempt.need(imports=frozenset({"SparkSession"}))
        set_there = [
            Call("config", f'"{key}", {value}', comment=comment) for key, (value, comment) in settings.items()
        ]
        if logs is not None:
            set_there.insert(0, _log_level(logs))
        calls = (
            Call("builder", comment=session.remark),
            *session.builder,
            *set_there,
            Call("getOrCreate", ""),
        )
        codes.append(Chain("SparkSession", calls, target=session.name))
        melted = session.conf
    else:
        codes += [
            Chain(f"{session.name}.conf", (Call("set", f'"{key}", {value}'),), comment=comment)
            for key, (value, comment) in settings.items()
        ]
    where = session.statement or program.construction
    replaced = dict(changes.replaced)
    removed = {**changes.removed, program.construction: True, where: True}
    if session.later is not None:
        removed[session.later] = True
        melted = (*melted, session.later)
    if logs is not None:
        removed[logs] = True
        melted = (*melted, logs)
    changes = replace(changes, inner=changes.inner | without_sql_contexts(basis, changes, removed))
    left = Kept(basis, replace(changes, removed=removed))
    if (directory := idle_directory(basis, left, changes)) is not None:
        attempt.need(notes=(NOTE.format(code_of(directory.value)),))
        removed[directory] = True
        left = Kept(basis, replace(changes, removed=removed))
    if session.spark_context is not None and left.reads_in_function(session.spark_context):
        left = left.without_unused()
    inner = changes.inner
    sessions: dict[str, str] = {}
    if session.taken_from is not None:
        name = ast.unparse(session.taken_from.targets[0])
        taken = basis.trace.taken.of_module(program.module_of(session.taken_from))
        inlined = _to_set_log_level(left, name, session.taken_from, program)
        inner |= context_of(session.name, *inlined)
        if inlined or (name not in taken and not left.reads(name, session.taken_from)):
            sessions[name] = session.name
            removed[session.taken_from] = False
            removed.update(dict.fromkeys(left.placeholders(name), True))
    context = session.spark_context
    shared = session.statement is not None and context is not None and _is_shared(left, context, program)
    if (
        session.statement is not None
        and context is not None
        and (shared or left.reads(context, session.statement))
    ):
        stops = {} if shared else _stops(left, context, session.statement, program)
        inlined = _inlined(left, context, session.statement, program, stops)
        inner |= context_of(session.name, *inlined)
        again = tuple(stop for stop in stops.values() if _is_stopped_above(stop, program))
        stopped = tuple((node, session.name) for node, stop in stops.items() if stop not in again)
        inner |= reading(*stopped) | Inner(dropped=again)
        if not inlined and not (stops and len(stops) == len(left.loads(context, session.statement))):
            codes.append(Chain(session.name, (Call("sparkContext"),), target=context))
    elif context is not None and "." in context:
        removed.update(dict.fromkeys(left.placeholders(context), True))
    if context is not None and not any(isinstance(code, Chain) and code.target == context for code in codes):
        sessions[context] = session.name
    if codes:
        first, *others = codes
        replaced[where] = (Written(first, melted, makes=Makes.SESSION), *map(Written, others))
        del removed[where]
    if codes and (declared := _declared_below(session.name, where, program)):
        replaced[where] = (Written(f"global {session.name}"), *replaced[where])
        for statement, beside in declared.items():
            if beside:
                replaced[statement] = (*map(Written, declaring("global", beside)),)
            else:
                removed[statement] = True
    if stored:
        replaced[program.construction] = (*replaced.get(program.construction, ()), Written(stored))
        removed.pop(program.construction, None)
    return replace(changes, replaced=replaced, removed=removed, inner=inner, sessions=sessions)


def _declared_below(name: str, where: ast.stmt, program: Program) -> dict[ast.Global, list[str]]:
    """The statements below that of the session which declare its variable, with what else they declare.

    Python wants them above it.
    """
    scope = program.tree.scope_of(where)
    nodes = walk(scope) if isinstance(scope, ast.FunctionDef) else ()
    found = [node for node in nodes if isinstance(node, ast.Global) and name in node.names]
    if any(position(one) < position(where) for one in found):
        return {}
    return {one: [other for other in one.names if other != name] for one in found}


def _log_level(statement: ast.Expr) -> Call:
    """The setting in the place of ``sc.setLogLevel("ERROR")``."""
    assert isinstance(statement.value, ast.Call)
    level = statement.value.args[0]
    assert isinstance(level, ast.Constant) and isinstance(level.value, str)
    return Call("config", f'"{LOG_LEVEL}", "{level.value}"', origin=(statement.value,))


def _is_shared(left: Kept, context: str, program: Program) -> bool:
    """Whether an import of the SparkContext stays in another module of the graph."""
    for module in program.modules:
        imported = [
            alias
            for statement in of_kinds(module.tree, ast.ImportFrom)
            for alias in statement.names
            if alias.name in (context, "*")
        ]
        names = {alias.asname or alias.name for alias in imported} | ({context} if imported else set())
        reads = [node for node in of_kinds(module.tree, ast.Name) if node.id in names]
        if imported and (not reads or any(node in left.nodes for node in reads)):
            return True
        members = (node for node in of_kinds(module.tree, ast.Attribute) if node.attr == context)
        if len(program.modules) > 1 and any(node in left.nodes for node in members):
            return True
    return False


def _inlined(
    left: Kept, context: str, statement: ast.stmt, program: Program, stops: Container[ast.Name]
) -> list[ast.Name]:
    """The names of a SparkContext that is not worth one, to be ``spark.sparkContext``; none where it is.

    It is not where it is read once beside `stops`, or only to set how much is logged.
    """
    reads = [read for read in _reads_near(left, context, statement, program) if read not in stops]
    return reads if len(reads) == 1 else _to_set_log_level(left, context, statement, program)


def _stops(left: Kept, context: str, statement: ast.stmt, program: Program) -> dict[ast.Name, ast.stmt]:
    """The names of a SparkContext in statements that stop it, as its session does, with these."""
    found: dict[ast.Name, ast.stmt] = {}
    for read in _reads_near(left, context, statement, program):
        stop = program.tree.statement_of(read)
        match stop:
            case ast.Expr(ast.Call(ast.Attribute(value, "stop"), [], [])) if value is read:
                found[read] = stop
    return found


def _is_stopped_above(stop: ast.stmt, program: Program) -> bool:
    """Whether the statement right above stops the streams and the session with them."""
    block = program.tree.block_of(stop)
    at = block.index(stop)
    above = block[at - 1] if at else None
    stops = filter(stops_session, program.lifecycle)
    return any(program.tree.statement_of(use.node) is above for use in stops)


def _to_set_log_level(left: Kept, context: str, statement: ast.stmt, program: Program) -> list[ast.Name]:
    """The names of a SparkContext that is only read to set how much is logged; none where it is not."""
    reads = _reads_near(left, context, statement, program)
    above = [program.tree.above[node] for node in reads]
    quiet = all(isinstance(node, ast.Attribute) and node.attr == "setLogLevel" for node in above)
    return reads if quiet else []


def _reads_near(left: Kept, context: str, statement: ast.stmt, program: Program) -> list[ast.Name]:
    """The names that read a variable; none where others may read it, out of the scope of its statement.

    Above this they read another SparkContext, which the program has stopped.
    """
    tree, taken = program.tree, left.basis.trace.taken.of_module(program.module_of(statement))
    if "." in context or context in taken:
        return []
    reads = left.loads(context, statement)
    here, end = tree.scope_of(statement), position(statement)
    return reads if all(tree.scope_of(node) is here and position(node) > end for node in reads) else []


def _settings(basis: Basis, needs: Needs) -> dict[str, tuple[str, str]]:
    """The settings that the new code needs and the program does not have, as code, each with its comment."""
    settings = {ANSI: (_ansi_mode(basis, needs), WHY_ANSI), PARTITIONS: _partitions(basis, needs)}
    return {key: (value, comment) for key, (value, comment) in settings.items() if value}


def _ansi_mode(basis: Basis, needs: Needs) -> str:
    """The setting for ANSI mode, if something relies on it: clusters switch it off."""
    return "" if not needs.ansi or sets_ansi(basis.trace) or _is_set(ANSI, basis) else '"true"'


def _partitions(basis: Basis, needs: Needs) -> tuple[str, str]:
    """The number of partitions of shuffles and a comment, if something shuffles into as many as it is told.

    It is the number of cores where the program asks for some with ``local[4]``. Batches of a
    stateless query find it by themselves from Spark 4.1 on, but not what they persist.
    """
    held = any(map(_holds_shuffled, needs.windows.values()))
    told = basis.state is not None or held or not basis.options.spark.aqe_in_stateless_batches
    if not needs.shuffles or not told or _is_set(PARTITIONS, basis):
        return "", ""
    if needs.partitions:
        return str(max(needs.partitions)), ""
    texts = [node.value for node in basis.program.tree.of_kinds(ast.Constant) if isinstance(node.value, str)]
    cores = [int(found[1]) for found in map(_LOCAL.fullmatch, texts) if found is not None]
    why = WHY_OF_CORES if cores else WHY
    return str(max(cores, default=ENOUGH)), WHY_HELD if held else why


def _holds_shuffled(window: Sliding) -> bool:
    """Whether a window persists what was shuffled, and not the rows of batches or numbers of the driver."""
    added = window.added
    rows = isinstance(added, Frame) and not (added.shuffles or added.whole)
    return not (window.value or (rows and not (window.keeps or window.keeps_if)))


def _is_set(key: str, basis: Basis) -> bool:
    """Whether the program has a setting anywhere, or another graph's new code where this one is built."""
    return any(_sets(key, module, basis.program) for module in basis.program.modules)


def _sets(key: str, module: Module, program: Program) -> bool:
    if module.origin is None or key in module.origin:
        return key in module.source
    named = [node for node in of_kinds(module.tree, ast.Constant) if node.value == key]
    return any(program.tree.scope_of(node) in (module.tree, program.scope) for node in named)
