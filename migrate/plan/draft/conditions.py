"""Conditions on a whole graph that is to become native."""

from __future__ import annotations

import ast
from collections.abc import Container, Mapping

from migrate.graph.blocked import Blocked
from migrate.graph.place import Place
from migrate.graph.program import Operation, Program, upstream
from migrate.knowledge.streaming import AGGREGATES, QUEUE, ROWWISE, WINDOWS
from migrate.plan.choices import Choices, RatherError
from migrate.plan.draft.basis import Basis
from migrate.plan.frames.stages import Stage
from migrate.proofs.callbacks.guards import does_nothing_without_rows
from migrate.proofs.callbacks.roles import NotTheSame, given
from migrate.proofs.values.loop_invariant import is_loop_invariant
from migrate.syntax.tree import target_of
from migrate.trace.taken import EVERYTHING
from migrate.trace.values import Bound, Function

NO_COUNT = (
    "a batch without data has no count on DStreams, and the row 0 on DataFrames, which is left out of prints,"
    " directories and callbacks that return first where `rdd.isEmpty()`, and of nothing that more goes into"
)
THEN_NONE = "# DStreams gave no count then"
"""What is said of a batch without rows where it is left out for its count."""
ELSE_NONE = "# else DStreams gave no count"
"""What is said of the condition that a count is put out under."""


def check_exports(basis: Basis) -> None:
    """Refuse a graph of which other modules import a name that goes.

    Raises:
        Blocked: they do.
    """
    program = basis.program
    own = [module.relative for module in program.modules]
    taken = {module.tree: basis.trace.taken.of_module(module, own) for module in program.modules}
    if any(EVERYTHING in names for names in taken.values()):
        raise Blocked("another module imports everything of this one")
    tree, elsewhere = program.tree, basis.trace.taken.attribute_elsewhere
    targets = [program.target]
    if isinstance(basis.session.statement, ast.Assign | ast.AnnAssign):
        targets.append(target_of(basis.session.statement))
    gone: list[tuple[ast.AST, str]] = [
        (target, target.id)
        for target in targets
        if isinstance(target, ast.Name) and isinstance(tree.scope_of(target), ast.Module)
    ]
    functions: list[tuple[ast.AST, str]] = [(one, one.name) for one in basis.place.consumed]
    gone += [(one, name) for one, name in functions if tree.class_of(one) is None]
    lost = [name for node, name in gone if name in taken[tree.root_of(node)]]
    attributes = [(target, target.attr) for target in targets if isinstance(target, ast.Attribute)]
    lost += [name for _, name in (*attributes, *functions) if elsewhere(name, own)]
    entered = [one for one in program.reading.entered if isinstance(one, ast.FunctionDef)]
    lost += [
        one.name for one in entered if one.name in taken[tree.root_of(one)] and tree.class_of(one) is None
    ]
    lost += [one.name for one in entered if one in program.called_by_others]
    if lost:
        raise Blocked(f"another module reads `{lost[0]}`")


def check_references(basis: Basis) -> None:
    """Refuse a function that goes, or that returns the writer, and is used for more than one call.

    Raises:
        Blocked: there is one.
    """
    place, program = basis.place, basis.program
    functions: list[ast.AST] = [*place.consumed, *program.reading.entered]
    if place.assigned is not None:
        functions.append(place.scope)
    if place.passed is not None and program.home is not None:
        functions.append(program.home)
    for function in dict.fromkeys(functions):
        name = getattr(function, "name", "")
        names: list[ast.Name | ast.Attribute] = [*program.tree.of_kinds(ast.Name)]
        names += program.tree.of_kinds(ast.Attribute)
        spoken = [node for node in names if _may_be(node, function, basis)]
        if len(spoken) > max(1, len(program.reading.calls(function))):
            raise Blocked(f"`{name}` is called, and used in another way too")


def _may_be(node: ast.Name | ast.Attribute, function: ast.AST, basis: Basis) -> bool:
    """Whether a name or an attribute can be a function: by what it is known to be, or by its name alone."""
    name = getattr(function, "name", "")
    own = basis.program.tree.class_of(function) is not None
    called = node.attr if isinstance(node, ast.Attribute) else node.id
    if called != name or own is not isinstance(node, ast.Attribute) or not isinstance(node.ctx, ast.Load):
        return False
    values = {*basis.trace.called(node)}
    functions = {value.function if isinstance(value, Bound) else value for value in values}
    return not values or any(isinstance(value, Function) and value.node is function for value in functions)


def check_sources(program: Program, live: Container[Operation]) -> None:
    """Refuse a graph with queues and several other sources.

    Raises:
        Blocked: it is one.
    """
    sources = [operation for operation in program.sources if operation in live]
    others = [source for source in sources if source.operator != QUEUE]
    if len(others) > 1 and others != sources:
        raise Blocked(
            "the graph has queues and several other sources, which no query reads together", others[-1].use
        )


def states_of(
    program: Program, live: Container[Operation], place: Place, event_time: str | None, *, apart: bool
) -> tuple[Operation | None, frozenset[Operation]]:
    """The aggregate that runs over batches in the query, and the running folds that cannot.

    The query has one aggregate, of all that its source gives: a running fold or, where windows are over event
    time, the aggregate of a window. States of other folds are kept by the batch function.

    Args:
        program: the graph.
        live: what some output needs.
        place: where the batch function stands.
        event_time: the column of the source that windows are over.
        apart: whether the query is to have no running fold.

    Raises:
        Blocked: a window's aggregate is not the only one, has other readers, or is made in several functions.
    """
    operations = [op for op in program.operations if op in live]
    folds = [op for op in operations if op.operator == "updateStateByKey"]
    windows = (
        [_aggregate(op) for op in operations if op.operator in WINDOWS] if event_time is not None else []
    )
    if apart and not windows:
        return None, frozenset(folds)
    try:
        state = _state_of_query(program, live, place, [*folds, *windows], windowed=bool(windows))
    except Blocked:
        if windows:
            raise
        return None, frozenset(folds)
    return state, frozenset()


def _state_of_query(
    program: Program, live: Container[Operation], place: Place, found: list[Operation], *, windowed: bool
) -> Operation | None:
    if len(found) > 1:
        raise Blocked("the graph has several states", found[-1].use)
    if not found:
        return None
    state = found[0]
    above = upstream(state)
    needed = [operation for operation in program.operations if operation in above and operation is not state]
    for operation in needed:
        for consumer in operation.consumers:
            if consumer in live and consumer not in above:
                raise Blocked("a running state is native only as the only reader of its source", consumer.use)
    rowwise = {*ROWWISE, *(("window",) if windowed else ())}
    for operation in needed:
        if not (operation.is_source or operation.operator in rowwise or sums_for(operation, state)):
            why = "it works on one batch at a time, and a running state reads the stream as a whole"
            raise Blocked(why, operation.use, operator=operation.operator)
    for line in program.lines:
        sources = [operation for operation in line.operations if operation.is_source]
        moves = line.scope in place.consumed and not sources
        stays = line.scope is program.scope or len(sources) == len(line.operations)
        if set(line.operations) & above and not (stays or moves):
            raise Blocked("a running state is native only where it is made in one function", state.use)
    return state


def sums_for(operation: Operation, state: Operation) -> bool:
    """Whether an operation is a ``reduceByKey`` that only a running fold reads: the fold may do its sums."""
    folds = state.operator == "updateStateByKey"
    return folds and operation.operator == "reduceByKey" and operation.consumers == [state]


def _aggregate(window: Operation) -> Operation:
    """The operator that aggregates a window: itself, or the next one.

    Raises:
        Blocked: there is none, or more than one.
    """
    if window.operator != "window":
        return window
    (step, *others) = window.consumers or [window]
    while not others and step.operator in ROWWISE and step.consumers:
        step, *others = step.consumers
    if others or step.operator not in AGGREGATES:
        raise Blocked("a window over event time needs one aggregate of its elements", window.use)
    return step


def check_after_window(basis: Basis) -> None:
    """Refuse an aggregate over the windows of a micro-batch, beside that of the query.

    Raises:
        Blocked: one does.
    """
    state = basis.state
    if state is None or not basis.event_time:
        return
    for operation in basis.program.operations:
        follows = operation is not state and not operation.is_output and state in upstream(operation)
        if follows and operation.operator not in {*ROWWISE, "transform"}:
            raise Blocked("a micro-batch has rows of several windows, which this would mix", operation.use)


def check_dead(basis: Basis, operation: Operation) -> None:
    """Refuse to remove a stream that nothing reads, if its arguments may have a side effect.

    Raises:
        Blocked: they may.
    """
    call = operation.call
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    if not all(node in operation.others or _does_nothing(node, basis) for node in given):
        raise Blocked("nothing reads this stream, but its arguments may do something", operation.use)


_PARTIAL = frozenset({"functools.partial", "_functools.partial"})
_GIVEN = frozenset({"sys.argv", "os.environ"})
"""What a program is given at its start."""


def _does_nothing(node: ast.expr | None, basis: Basis) -> bool:
    """Whether evaluating an argument does nothing but give a value, or fail: ``int(sys.argv[1])``."""
    match node:
        case ast.Dict():
            return all(_does_nothing(part, basis) for part in (*node.keys, *node.values))
        case ast.List() | ast.Tuple():
            return all(_does_nothing(part, basis) for part in node.elts)
        case ast.BinOp(left, _, right):
            return _does_nothing(left, basis) and _does_nothing(right, basis)
        case ast.Call(ast.Name("int" | "float" as called), [given], []):
            return called not in basis.facts.shadowed and _does_nothing(given, basis)
        case ast.Call(called, args, keywords) if basis.facts.qualified(called) in _PARTIAL:
            return all(_does_nothing(part, basis) for part in (*args, *(one.value for one in keywords)))
        case ast.Subscript(value, ast.Constant()) if basis.facts.qualified(value) in _GIVEN:
            return True
        case ast.Attribute(ast.Name(name), "value"):
            made = basis.facts.value_of(basis.facts.only_binding(name))
            if isinstance(made, ast.Call) and getattr(made.func, "attr", "") == "broadcast":
                return True
    return node is not None and is_loop_invariant(node, basis.facts)


def _only_asks(output: Operation, basis: Basis) -> bool:
    """Whether an output calls a function that does nothing but ask for elements, where there are none."""
    arguments = output.call.args
    if output.operator != "foreachRDD" or len(arguments) != 1:
        return False
    called = given(arguments[0], basis.facts.of(arguments[0]))
    try:
        return called is not None and does_nothing_without_rows(called.callback())
    except NotTheSame:
        return False


def check_guard(basis: Basis, stages: Mapping[Operation, Stage]) -> None:
    """Refuse an early return for a batch without rows, if other outputs must still run.

    Raises:
        Blocked: there are such outputs, of other sources or of a state.
        RatherError: there are others, and counts may be left out by conditions of their own.
    """
    if basis.beside_queues and not basis.choices.counts_some:
        raise RatherError(Choices(counts_some=True))
    if basis.several or basis.beside_queues:
        raise Blocked("a count of one source is none for an interval in which another one has input")
    for output in basis.program.outputs:
        stage = stages[output.parents[0]]
        counts = any(operation.operator == "count" for operation in upstream(output))
        if not may_be_left_out(output, basis) or basis.kept or (stage.sure and counts):
            raise rather_ask(basis.choices)
        if basis.state is not None:
            raise Blocked("a count is 0 for an empty batch here, and none elsewhere", output.use)


def rather_ask(choices: Choices) -> RatherError:
    """The next choice for counts that are none for batches for which other outputs must run."""
    return RatherError(Choices(counts_ask=True) if choices.counts_some else Choices(counts_some=True))


def may_be_left_out(output: Operation, basis: Basis) -> bool:
    """Whether an output puts out nothing but a header, or an empty directory, where there are no elements."""
    return output.operator in ("pprint", "saveAsTextFiles") or _only_asks(output, basis)
