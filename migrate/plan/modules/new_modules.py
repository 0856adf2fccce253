"""The new code of each module of a graph, put together from the plan of its lines."""

from __future__ import annotations

import ast
from collections.abc import Container, Iterator
from itertools import chain

from migrate.frozen import replace
from migrate.graph.blocked import Blocked
from migrate.graph.program import Program
from migrate.knowledge.connectors import KAFKA_NAMES
from migrate.knowledge.sessions import OF_RDDS
from migrate.model import Module, Tier
from migrate.plan.draft.attempt import Attempt
from migrate.plan.draft.basis import Basis
from migrate.plan.draft.draft import Draft
from migrate.plan.frames.rdd import Rdd
from migrate.plan.modules.hoisted_functions import hoisted
from migrate.plan.modules.idle_globals import idle_globals
from migrate.plan.modules.unread_rdds import unread_rdds
from migrate.plan.modules.unused_in_batches import without_parameters_in_batches
from migrate.plan.modules.unused_parameters import without_parameters
from migrate.plan.names.builder_names import with_builder_names
from migrate.plan.names.function_names import without_rdd
from migrate.plan.names.kept import Kept
from migrate.plan.names.own_functions import with_moved_functions, with_own_functions
from migrate.plan.names.variable_names import with_frame_names
from migrate.plan.new_code.code import Chain, Code, Written
from migrate.plan.new_code.code_of_others import CodeOfOthers
from migrate.plan.new_code.inner import Inner, Put, context_of
from migrate.plan.new_code.our_names import check_names
from migrate.plan.new_code.own_imports import OwnImport
from migrate.plan.new_code.planned_module import PlannedModule
from migrate.plan.new_code.sections import without_sections
from migrate.plan.query.batch_function import batch_function
from migrate.plan.query.ending import statement_of
from migrate.plan.query.handed_batches import handing_lambda
from migrate.plan.query.held_conditions import with_held_conditions
from migrate.plan.query.lifecycle import Lifecycle
from migrate.plan.query.straight import direct_call, taking_batches
from migrate.plan.query.unused_stops import unused_stops
from migrate.plan.query.within_callback import within_callback
from migrate.plan.settings.old_platform import RENAMED_S3, renamed_s3
from migrate.plan.settings.session_statements import with_session
from migrate.syntax.code_names import names_in_code
from migrate.syntax.lost_imports import lost_imports, moved_imports
from migrate.syntax.nodes import of_kinds, walk
from migrate.syntax.quoting import names_in, quoted, quotes
from migrate.syntax.text_names import named_in_texts

_MLLIB = "pyspark.mllib"
_RDDS = frozenset({"rdd", "sparkContext"})
"""Members by which new code comes by RDDs, or by the context that makes them."""
KAFKA_MODULES = ("pyspark.streaming.kafka", "compat.streaming.kafka")


def new_modules(draft: Draft) -> dict[str, PlannedModule]:
    """The new code of each module, by its path.

    Raises:
        Blocked: the query cannot be started or stopped where the context was, or something is still used that
            has no counterpart.
    """
    basis, attempt = draft.basis, draft.attempt()
    program = basis.program
    if program.reading.is_unused:
        ended = [statement_of(use, program) for use in program.lifecycle]
        gone = dict.fromkeys((program.construction, *program.removed, *ended), True)
        changes = PlannedModule(removed=gone, inner=draft.needs.inner)
    else:
        changes = without_parameters(basis, attempt, _changes(draft, attempt))
        changes = without_parameters_in_batches(basis, attempt, changes)
    draft.accept(attempt)
    kept, needs = Kept(basis, changes), draft.needs
    if idle := dict.fromkeys(idle_globals(kept, changes), True):
        changes = replace(changes, removed={**changes.removed, **idle})
        kept = Kept(basis, changes)
    if renamed := dict(_renamed_globals(program, kept)):
        changes = replace(changes, replaced={**changes.replaced, **renamed})
        kept = Kept(basis, changes)
    changes = replace(changes, after={**changes.after, **_lost(program, kept)})
    for module in program.modules:
        _check_connectors(module.tree, kept, _of_other_graphs(basis))
    whole = replace(
        changes,
        helpers=tuple(needs.helpers.values()),
        per_batch=frozenset(basis.place.per_batch),
        settings=tuple(needs.settings.values()),
        imports=needs.imports,
        own_imports=needs.own_imports,
        libraries=needs.libraries,
        contexts=frozenset(
            node.id for node in (program.target, *program.reading.contexts) if isinstance(node, ast.Name)
        ),
        puts_out=bool(program.outputs),
        rdds=_has_rdds(draft, changes, kept),
    )
    taken = basis.trace.taken.of_module
    found = {}
    for module in program.modules:
        if module.relative in program.of_callbacks and not _changes_in(module, whole, program):
            continue
        facts = basis.facts.of(module.tree.body[0])
        part = with_moved_functions(_of_module(whole, module, program), module, kept, taken(module))
        part = with_own_functions(part, module, facts)
        moves = moved_imports(module.tree, taken(module))
        inner = part.inner | Inner(renamed=tuple(moves.renamed.items()))
        part = replace(
            part, imports=_imports(part), own_imports=_own_imports(part), inner=inner, moved=moves.dropped
        )
        check_names(facts, part.imports)
        _check_quotes(part, module)
        unused = kept.unused(module.tree, taken(module))
        begin = program.begin if program.is_of_other_cells(module.tree.body[0]) else 0
        if renamed_s3(module.tree, kept.nodes.difference(*map(walk, unused))):
            draft.must_change(RENAMED_S3)
        found[module.relative] = replace(part, unused=without_sections(unused, module), begin=begin)
    return found


def _changes_in(module: Module, changes: PlannedModule, program: Program) -> bool:
    """Whether anything changes in a module of callbacks."""
    nodes = chain(changes.inner.nodes, program.offsets.statements)
    return any(program.tree.holds(node) and program.tree.root_of(node) is module.tree for node in nodes)


def _lost(program: Program, kept: Kept) -> dict[ast.stmt, tuple[str, ...]]:
    """Below star imports of PySpark the imports of names in code that stays, which they bind no more."""
    stars = (star for module in program.modules for star in lost_imports(module.tree).items())
    found = {star: tuple(code for name, code in lost.items() if name in kept.names) for star, lost in stars}
    return {star: codes for star, codes in found.items() if codes}


def _has_rdds(draft: Draft, changes: PlannedModule, kept: Kept) -> bool:
    """Whether a program has RDDs or a SparkContext in its new code, or in that which stays."""
    tree = kept.basis.program.tree
    if Tier.RDD in draft.tiers.values() or any(isinstance(one, Rdd) for one in draft.stages.values()):
        return True
    if any(tree.above.get(node) in kept.nodes for node in changes.inner.contexts):
        return True
    if any(one.makes_context for written in changes.replaced.values() for one in written):
        return True
    attributes = (node for node in tree.of_kinds(ast.Attribute) if node.attr in OF_RDDS)
    names = (node for node in tree.of_kinds(ast.Name) if node.id in ("RDD", "sc"))
    imports = (
        node for node in tree.of_kinds(ast.ImportFrom) if (node.module or "").startswith("pyspark.mllib")
    )
    return any(node in kept.nodes for node in chain(attributes, names, imports))


def _of_module(changes: PlannedModule, module: Module, program: Program) -> PlannedModule:
    """One module's part: the new code in it, and the helpers and settings that this reads."""
    if len(program.modules) == 1:
        return _with_what_is_read(changes)
    root = program.tree.root_of
    others = CodeOfOthers(module, program, changes.inner)

    def here(node: ast.AST) -> bool:
        return root(node) is module.tree

    def ours(written: Written) -> Written:
        """A statement without the comments of other modules."""
        code = written.code
        if isinstance(code, Chain):
            calls = (replace(link, origin=tuple(filter(here, link.origin))) for link in code.calls)
            code = replace(code, calls=tuple(calls))
        replaces = tuple(filter(here, written.replaces))
        return replace(written.with_each(ours), code=others.code(code), replaces=replaces)

    function = changes.function
    if function is not None:
        own = here(function.place)
        function = replace(function, body=tuple(map(ours, function.body))) if own else None
    part = replace(
        changes,
        function=function,
        replaced={
            node: tuple(map(ours, written)) for node, written in changes.replaced.items() if here(node)
        },
        removed={node: comments for node, comments in changes.removed.items() if here(node)},
        after={node: codes for node, codes in changes.after.items() if here(node)},
        inner=changes.inner.within(here),
    )
    return _with_what_is_read(part)


def _with_what_is_read(part: PlannedModule) -> PlannedModule:
    """The same with the helpers and settings that its code reads: a column that needs one may be left out."""
    if not (part.helpers or part.settings):
        return part
    read = part.names.variables
    helpers = [one for one in part.helpers if one.name in read]
    for one in helpers:  # grows while it is walked
        helpers += [other for other in part.helpers if other.name in one.calls and other not in helpers]
    read |= names_in_code(*(one.source for one in helpers)).variables
    in_order = tuple(one for one in part.helpers if one in helpers)
    return replace(part, helpers=in_order, settings=tuple(s for s in part.settings if s.name in read))


def _imports(part: PlannedModule) -> frozenset[str]:
    """The names that one module's new code needs imported."""
    read = part.all_names.variables
    return frozenset(one for one in {*part.imports, "F"} if one.partition(".")[0] in read)


def _own_imports(part: PlannedModule) -> frozenset[OwnImport]:
    """The imports of names of the project that one module's new code needs: that of the batch function's."""
    if part.function is None or not part.own_imports:
        return frozenset()
    read = part.all_names.variables
    return frozenset(one for one in part.own_imports if one.bound in read)


def _check_quotes(part: PlannedModule, module: Module) -> None:
    """Refuse new code of a module with code of the program that is in another one.

    Raises:
        Blocked: there is some.
    """
    read = {name for text in part.texts() for name in names_in(text)}
    if read and not quotes(module.tree).keys() >= read:
        raise Blocked(f"new code in {module.relative} would need code of another file")


def _changes(draft: Draft, attempt: Attempt) -> PlannedModule:
    basis, program = draft.basis, draft.basis.program
    direct = direct_call(draft)
    life = Lifecycle(draft, attempt, direct.function if direct is not None else basis.names.function)
    function = batch_function(draft, attempt, life)
    if direct is not None:
        life.take_over(function.body)
        function = replace(
            function, name=direct.function, parameters=(direct.name, function.parameters[1]), body=()
        )
    elif (found := within_callback(draft, function)) is not None:
        direct, call, function = found
        life.call(direct.function)
        life.take_over((call,))
        function = replace(function, below=life.writer)
    elif (handing := handing_lambda(draft, function)) is not None:
        life.call(handing)
        life.take_over(function.body)
        function = replace(function, body=(), below=life.writer)
    if draft.query.sinks:
        function = replace(function, body=())
    attempt.need(
        notes=tuple(life.notes), imports=frozenset(life.imports), own_imports=frozenset(life.own_imports)
    )
    replaced: dict[ast.stmt, tuple[Written, ...]] = {
        statement: tuple(written) for statement, written in draft.outside.replaced.items()
    }
    for line, source in basis.place.kept.items():
        if line.statement not in replaced and line.argument is None:
            assert line.inner is not None
            replaced[line.statement] = (Written(Chain(source or quoted(line.inner), returned=True)),)
    replaced.update(life.replaced)
    inner = _inner(draft) | life.inner
    if direct is not None:
        inner |= taking_batches(direct, function.parameters)
    inner |= without_rdd(draft, attempt, direct)
    if program.carriers is not None:
        annotations = list(program.carriers.annotations())
        inner |= Inner(tuple((node, "SparkSession") for node in annotations))
        attempt.need(imports=frozenset({"SparkSession"} if annotations else ()))
    after: dict[ast.stmt, tuple[Code, ...]] = {}
    if life.last is not None:
        after[life.last] = (Chain(basis.names.writer, returned=True),)
    inner |= hoisted(draft, PlannedModule(replaced, function=function, inner=inner))
    changes = PlannedModule(replaced, _removed(draft, replaced), after, function, inner)
    changes = with_held_conditions(attempt, with_session(draft, attempt, changes, life.interval.stored))
    return with_builder_names(draft, attempt, with_frame_names(draft, attempt, changes))


def _removed(draft: Draft, replaced: Container[ast.stmt]) -> dict[ast.stmt, bool]:
    """The statements to remove, and whether the comments right above are removed, too."""
    basis, outside = draft.basis, draft.outside
    lines = [line.statement for line in basis.program.lines if line.argument not in outside.arguments]
    gone: list[ast.stmt] = [*basis.program.removed, *lines, *outside.deleted]
    removed = {statement: True for statement in gone if statement not in replaced}
    removed.update(dict.fromkeys(_idle_globals(draft), True))
    removed.update(dict.fromkeys(unread_rdds(basis.program, basis.facts), True))
    removed.update(dict.fromkeys(basis.place.consumed, True))
    stores = (one for one in basis.program.offsets.statements if basis.program.tree.holds(one))
    removed.update(dict.fromkeys(stores, True))
    inner = basis.place.hoisted.items()
    removed.update({one: False for one, around in inner if around not in basis.place.consumed})
    removed.update(dict.fromkeys(basis.session.conf, False))
    removed.update(dict.fromkeys(basis.session.dropped, True))
    return removed


def _idle_globals(draft: Draft) -> Iterator[ast.stmt]:
    """``global session`` of modules that have no such variable: a function wrote it by its name."""
    for module in draft.basis.program.modules:
        names = draft.basis.facts.of(module.tree).identifiers
        for statement in module.tree.body:
            if isinstance(statement, ast.Global) and names.isdisjoint(statement.names):
                yield statement


def _renamed_globals(program: Program, kept: Kept) -> Iterator[tuple[ast.stmt, tuple[Written, ...]]]:
    """``global spark`` in the place of ``global ssc``."""
    if program.carriers is not None:
        for statement, code in program.carriers.declarations():
            if statement in kept.nodes:
                yield statement, (Written(code),)


def _inner(draft: Draft) -> Inner:
    """The replacements of expressions and names in code that stays."""
    program, outside = draft.basis.program, draft.outside
    replaced: list[tuple[ast.AST, str]] = list(outside.arguments.items())
    contexts = Inner()
    for use in program.spark_contexts:
        assert isinstance(use.node, ast.Attribute)
        contexts |= context_of(draft.basis.session_at(use.node.value), use.node)
    for call, build in program.recovering.items():
        replaced.append((call, quoted(build) if isinstance(build, ast.Call) else f"{quoted(build)}()"))
    before = tuple((statement, Put(row)) for statement, rows in outside.before.items() for row in rows)
    renamed = tuple(program.carriers.renamed()) if program.carriers is not None else ()
    return (
        contexts
        | Inner(tuple(replaced), renamed=renamed, before=before)
        | unused_stops(draft)
        | draft.needs.inner
    )


def _of_other_graphs(basis: Basis) -> set[ast.AST]:
    """The code of the streams of other programs in the same files, which is switched or rewritten as well."""
    graphs = (graph for graph in basis.trace.graphs if graph is not basis.program.graph)
    return {node for graph in graphs for use in graph.uses for node in walk(use.node)}


def _check_connectors(tree: ast.Module, kept: Kept, others: set[ast.AST]) -> None:
    """Refuse a module that still uses the old connector to Kafka.

    Args:
        tree: the module.
        kept: the code that stays.
        others: the code of other graphs.

    Raises:
        Blocked: it does.
    """
    names = {node.id for node in kept.uses if node not in others} | named_in_texts(tree)
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
