"""All that changes in the module of a graph, of what has been planned for its lines."""

from __future__ import annotations

import ast
import re
from dataclasses import replace

from migrate.graph.blocked import Blocked
from migrate.knowledge.connectors import KAFKA_NAMES
from migrate.plan.code import Call, Chain, Code, Inner, ModuleChanges, Written
from migrate.plan.function import batch_function
from migrate.plan.kept import Kept
from migrate.plan.lifecycle import Lifecycle
from migrate.plan.plan import Plan
from migrate.syntax.nodes import of_kinds, walk
from migrate.syntax.quoting import quoted

KAFKA_MODULES = ("pyspark.streaming.kafka", "compat.streaming.kafka")
PARTITIONS = "spark.sql.shuffle.partitions"


def module_changes(plan: Plan) -> ModuleChanges:
    """What is written in the module of the plan's graph.

    Raises:
        Blocked: the query cannot be started or stopped where the context was, or something is still used that
            has no counterpart.
    """
    program = plan.program
    if program.reading.is_unused:
        gone = dict.fromkeys((program.construction, *program.removed), True)
        return _complete(plan, ModuleChanges(removed=gone))
    life = Lifecycle(plan)
    function = batch_function(plan, life)
    replaced: dict[ast.stmt, tuple[Written, ...]] = {
        statement: tuple(written) for statement, written in plan.outside.items()
    }
    for line in plan.place.kept:
        if line.statement not in replaced and line.argument is None:
            assert line.inner is not None
            replaced[line.statement] = (Written(f"return {quoted(line.inner)}"),)
    replaced.update(life.replaced)
    removed = _removed(plan, replaced)
    inner = _inner(plan) | life.inner
    after: dict[ast.stmt, Code] = {} if life.last is None else {life.last: f"return {plan.writer}"}
    changes = ModuleChanges(replaced, removed, after, function, inner)
    return _complete(plan, _with_session(plan, changes))


def _removed(plan: Plan, replaced: dict[ast.stmt, tuple[Written, ...]]) -> dict[ast.stmt, bool]:
    """Statements that go, and whether the comments right above go with them."""
    program, place, session = plan.program, plan.place, plan.session_plan
    assert session is not None
    lines = [line.statement for line in program.lines if line.argument not in plan.arguments]
    gone: list[ast.stmt] = [*program.removed, *lines, *place.deleted]
    removed = {statement: True for statement in gone if statement not in replaced}
    removed.update(dict.fromkeys(place.consumed, True))
    removed.update(dict.fromkeys(session.conf, False))
    return removed


def _inner(plan: Plan) -> Inner:
    """Expressions and names that change in code that stays."""
    program = plan.program
    replaced: list[tuple[ast.AST, str]] = list(plan.arguments.items())
    for use in program.spark_contexts:
        assert isinstance(use.node, ast.Attribute)
        replaced.append((use.node, f"{plan.session_at(use.node.value)}.sparkContext"))
    for call, build in program.recovering.items():
        replaced.append((call, quoted(build) if isinstance(build, ast.Call) else f"{quoted(build)}()"))
    before = [(statement, row) for statement, rows in plan.before.items() for row in rows]
    renamed: tuple[tuple[ast.AST, str], ...] = ()
    if program.carriers is not None:
        renamed = tuple(program.carriers.renamed())
        annotations = list(program.carriers.annotations())
        replaced += [(node, "SparkSession") for node in annotations]
        plan.imports.update(["SparkSession"] if annotations else [])
    return Inner(tuple(replaced), renamed, tuple(before)) | plan.inner


def _with_session(plan: Plan, changes: ModuleChanges) -> ModuleChanges:
    """The same with the session, which takes the place of the SparkContext or of the StreamingContext."""
    program, session = plan.program, plan.session_plan
    assert session is not None
    replaced, removed = dict(changes.replaced), dict(changes.removed)
    codes: list[Code] = []
    if session.builder is not None:
        plan.imports.add("SparkSession")
        calls = (Call("builder"), *session.builder, Call("getOrCreate()"))
        codes.append(Chain("SparkSession", calls, session.name))
    codes += _settings(plan)
    removed[program.construction] = True
    where = session.statement or program.construction
    left = Kept(plan, replace(changes, removed={**removed, where: True}))
    if session.taken_from is not None:
        name = ast.unparse(session.taken_from.targets[0])
        taken = plan.trace.taken.of_module(program.module)
        if name not in taken and not left.reads(name, session.taken_from):
            removed[session.taken_from] = False
    context = session.spark_context
    if session.statement is not None and context is not None and left.reads(context, session.statement):
        codes.append(f"{context} = {session.name}.sparkContext")
    if codes:
        replaced[where] = tuple(map(Written, codes))
        removed.pop(where, None)
    return replace(changes, replaced=replaced, removed=removed)


def _settings(plan: Plan) -> list[Code]:
    """The number of partitions of shuffles, if something shuffles and the program does not say it."""
    if not plan.shuffles or _partitions_are_set(plan):
        return []
    number = f"{plan.session}.sparkContext.defaultParallelism"
    if plan.partitions:
        number = str(max(plan.partitions))
    return [f'{plan.session}.conf.set("{PARTITIONS}", {number})']


def _partitions_are_set(plan: Plan) -> bool:
    """Whether the program sets them anywhere, or another graph's new code where this one is built."""
    module, tree = plan.program.module, plan.program.tree
    if module.origin is None or PARTITIONS in module.origin:
        return PARTITIONS in module.source
    named = [node for node in of_kinds(module.tree, ast.Constant) if node.value == PARTITIONS]
    return any(tree.scope_of(node) in (module.tree, plan.program.scope) for node in named)


def _complete(plan: Plan, changes: ModuleChanges) -> ModuleChanges:
    """The same with functions that nothing uses any more, helpers and imports.

    Raises:
        Blocked: a name of the old connector to Kafka is still used.
    """
    kept = Kept(plan, changes)
    _check_connectors(plan, kept)
    return replace(
        changes,
        unused=kept.unused_functions(plan.trace.taken.of_module(plan.program.module)),
        helpers=tuple(plan.helpers.values()),
        settings=tuple(plan.settings.values()),
        imports=frozenset(plan.imports),
    )


def _check_connectors(plan: Plan, kept: Kept) -> None:
    """Nothing takes anything of the old connector to Kafka any more.

    Raises:
        Blocked: something does.
    """
    tree = plan.program.module.tree
    names = kept.names | _named_in_texts(tree)
    statements: list[ast.Import | ast.ImportFrom] = [
        *of_kinds(tree, ast.ImportFrom),
        *of_kinds(tree, ast.Import),
    ]
    for statement in statements:
        own = statement.module if isinstance(statement, ast.ImportFrom) else None
        for alias in statement.names:
            if not (own or alias.name).startswith(KAFKA_MODULES):
                continue
            bound = KAFKA_NAMES if alias.name == "*" else {alias.asname or alias.name.partition(".")[0]}
            used = sorted(bound & names)
            if used:
                name = used[0] if alias.name == "*" else alias.name
                raise Blocked(f"`{name}` is still used for something else than a stream, and it is gone")


def _named_in_texts(tree: ast.Module) -> set[str]:
    """Words of the texts that are annotations, or that ``__all__`` lists."""
    places: list[ast.expr | None] = [node.annotation for node in of_kinds(tree, ast.arg)]
    places += [node.annotation for node in of_kinds(tree, ast.AnnAssign)]
    places += [node.returns for node in of_kinds(tree, ast.FunctionDef)]
    for node in of_kinds(tree, ast.Assign):
        if any(isinstance(target, ast.Name) and target.id == "__all__" for target in node.targets):
            places.append(node.value)
    parts = [part for place in places if place is not None for part in walk(place)]
    texts = [part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)]
    return {word for text in texts for word in re.findall(r"\w+", text)}
