"""The facts that a graph is planned from: its session, names for new code, and its states."""

from __future__ import annotations

import ast
from collections.abc import Callable, Container, Mapping

from migrate.facts.learnt import Learnt
from migrate.facts.names import names_of_calls
from migrate.graph.blocked import Blocked
from migrate.graph.existing_session import is_session
from migrate.graph.operations import Entry
from migrate.graph.place import Place
from migrate.graph.program import Line, Operation, Program
from migrate.model import Options
from migrate.plan.arranged import Arranged
from migrate.plan.choices import Choices, RatherError
from migrate.plan.draft.basis import Basis, Names, origin_of
from migrate.plan.draft.conditions import (
    check_after_window,
    check_exports,
    check_references,
    states_of,
)
from migrate.plan.draft.every_interval import skips_empty_batches
from migrate.plan.new_code.free_names import free_name
from migrate.plan.query.console_sink import only_prints
from migrate.plan.query.foreach_sink import foreach_function
from migrate.plan.session.ansi import guards_of
from migrate.plan.session.session import Session, later_session, plan_session
from migrate.plan.sources.equal_sources import equal_sources
from migrate.plan.sources.side_by_side import OVER_TIME, are_several, is_beside_queues
from migrate.proofs.analysis.facts import Facts
from migrate.syntax.copies import changed
from migrate.syntax.nodes import of_kinds, position, walk
from migrate.trace import Trace

_NAME = "spark"
_BESIDE_FUNCTION = "session"
"""The name of the session where `spark` is a function of the program."""
"""What a new session is called."""

SEVERAL = (
    "a function returns several streams, of which one is read, and there is no batch function to make it in"
)
NO_BATCHES = "a function of streams is called for each batch, and there is no batch function to call it"


def begin(form: Arranged, trace: Trace, options: Options, choices: Choices) -> tuple[Basis, frozenset[str]]:
    """The basis of a plan, and the names that it has given to new variables and functions.

    Raises:
        Blocked: the program cannot be planned at all.
        RatherError: it is known already that the plan needs another choice.
    """
    if form.start is None:
        form.start = _start(form, trace, options, choices)
    basis, names = form.start
    basis = changed(basis, choices=choices, guards=guards_of(trace, options, choices))
    program, facts, given = form.program, form.facts, set(names)
    if not program.reading.is_unused:
        form.check()
        basis = _with_states(basis)
        function, prints = foreach_function(basis), only_prints(basis)
        if _has_no_batches(basis, form, chosen=function is not None or prints):
            basis = changed(basis, foreach=function, prints=prints)
        if _lacks_intervals(basis, form):
            raise RatherError(Choices(every_interval=True))
        fresh = _giver(facts, given)
        basis = changed(basis, targets=_targets(program, facts, form.place, fresh, own=choices.own_names))
    return basis, frozenset(given)


def _lacks_intervals(basis: Basis, form: Arranged) -> bool:
    """Whether a batch function would find out at its last line that each interval needs a batch."""
    is_chosen = basis.choices.every_interval or skips_empty_batches(basis)
    is_asked = basis.has_batches and basis.event_time is None
    return is_asked and not is_chosen and form.shows_intervals


def _giver(facts: Facts, given: set[str]) -> Callable[..., str]:
    """What gives free names, and adds them to those that are given."""

    def fresh(wanted: str, *, anywhere: bool = False) -> str:
        name = free_name(facts, wanted, given, anywhere=anywhere)
        given.add(name)
        return name

    return fresh


def _start(form: Arranged, trace: Trace, options: Options, choices: Choices) -> tuple[Basis, frozenset[str]]:
    """What is the same in each plan of a form, whatever is chosen, and the names that are given in it.

    Raises:
        Blocked: the program cannot be planned at all.
    """
    program, facts, found = form.program, form.facts, form.place
    given: set[str] = set()
    fresh = _giver(facts, given)
    session = _session(program, facts.of(program.construction), trace, fresh)
    apart = program.home is not program.scope or len(program.own_modules) > 1
    names = Names(
        session.name,
        fresh("batch"),
        fresh("batch_id"),
        fresh("query", anywhere=apart),
        fresh("writer", anywhere=apart),
        fresh("process_batch"),
        fresh("rdd"),
        fresh("record"),
        fresh("rows"),
    )
    live = form.live
    origins = frozenset(origin_of(source) for source in program.sources if source in live)
    equal = equal_sources(program, live, facts)
    sources = [one for one in program.sources if one in live and one not in equal]
    several, beside_queues = are_several(sources), is_beside_queues(sources)
    learnt = _learnt(program, options)
    basis = Basis(
        *(program, found, facts, trace, options, choices, session, names, live, origins),
        *(several, beside_queues, equal),
        learnt=learnt,
        texts=_texts(program) if learnt else frozenset(),
    )
    check_exports(basis)
    check_references(basis)
    return basis, frozenset(given)


def _has_no_batches(basis: Basis, form: Arranged, *, chosen: bool) -> bool:
    """Whether the query has no batch function.

    Args:
        basis: the graph, with its states.
        form: the form of the program.
        chosen: whether the output needs none.

    Raises:
        Blocked: the query hands on elements, and functions of DataFrames are to be called in each batch.
    """
    by_record = basis.options.trigger.is_by_record
    if not (chosen or by_record):
        return False
    if form.place.per_batch:
        if by_record or form.kept():
            raise Blocked(NO_BATCHES)
        return False
    # elements of one stream are handed on: the others that its function returns are not read, and it goes
    others = {line.scope for line in basis.program.lines} - {basis.program.scope}
    if any(map(_returns_several, others)):
        if by_record:
            raise Blocked(SEVERAL)
        return False
    return True


def _returns_several(scope: ast.AST | None) -> bool:
    """Whether a function returns several streams: ``return words, counts``."""
    if not isinstance(scope, ast.FunctionDef):
        return False
    return any(isinstance(node, ast.Return) and isinstance(node.value, ast.Tuple) for node in walk(scope))


def _learnt(program: Program, options: Options) -> Mapping[ast.expr, Learnt]:
    """The facts on the program's calls."""
    if not options.facts:
        return {}
    files = {file for file, _ in options.facts}
    return {
        node: Learnt(fact.type, fact=name)
        for module in program.modules
        if str(module.path.absolute()) in files
        for call, name in names_of_calls(module.tree).items()
        if (fact := options.facts.get((str(module.path.absolute()), name))) is not None
        for node in (call, call.func)
    }


def _texts(program: Program) -> frozenset[str]:
    """The texts that the program's modules have as literals."""
    nodes = (node for module in program.modules for node in of_kinds(module.tree, ast.Constant))
    return frozenset(node.value for node in nodes if isinstance(node.value, str))


def _session(program: Program, facts: Facts, trace: Trace, fresh: Callable[..., str]) -> Session:
    """The session of the new program: one that it makes already, or a new one."""
    existing = program.session
    later = later_session(program, facts, trace)
    if program.carriers is not None:
        name = program.carriers.name_of(program.target)
        existing = existing if existing == name else None
    elif later is not None:
        name = ast.unparse(later.targets[0])
        if existing == name:
            merged = plan_session(program, facts, name, None, later)
            if merged.later is not None and merged.statement is not None:
                return merged
    elif (other := _name_of_other(program, facts, trace)) is not None:
        name = other
    else:
        # the program means its session, which a shell had made
        is_free = facts.is_unbound(_NAME) or _is_found_below(program, facts, trace)
        wanted = _BESIDE_FUNCTION if any(map(_is_function, facts.bindings.get(_NAME, ()))) else _NAME
        name = _NAME if is_free else fresh(wanted, anywhere=len(program.own_modules) > 1)
    return plan_session(program, facts, name, existing, later)


def _is_function(binding: ast.AST) -> bool:
    """Whether it is a function or class that binds a name."""
    return isinstance(binding, ast.FunctionDef | ast.ClassDef)


def _is_found_below(program: Program, facts: Facts, trace: Trace) -> bool:
    """Whether ``spark`` is bound below the context alone, by what finds the session that is there."""
    tree, construction = program.tree, program.construction
    inside = {*tree.path(construction)}
    bindings = facts.bindings.get(_NAME, ())
    # a parameter of another function is its own variable
    own = (node for node in bindings if not isinstance(node, ast.arg) or tree.scope_of(node) in inside)
    statements = [*map(tree.above.get, own)]
    if not statements or _NAME in facts.starred or len(program.own_modules) > 1:
        return False
    return all(
        isinstance(one, ast.Assign)
        and is_session(one.value, trace)
        and isinstance(one.value, ast.Call)
        and getattr(one.value.func, "attr", "") == "getOrCreate"
        and tree.scope_of(one) is tree.scope_of(construction)
        and position(one) > position(construction)
        for one in statements
    )


def _name_of_other(program: Program, facts: Facts, trace: Trace) -> str | None:
    """The variable that has nothing but sessions in other cells of a notebook, which may have one more."""
    if program.other is None:
        return None
    name = ast.unparse(program.other.session.targets[0])
    bindings = map(program.tree.above.get, facts.bindings.get(name, ()))
    only = all(isinstance(one, ast.Assign) and is_session(one.value, trace) for one in bindings)
    return name if only and name not in facts.starred else None


def _with_states(basis: Basis) -> Basis:
    """The basis with the states of the graph."""
    program, live = basis.program, basis.live
    several = basis.several or basis.beside_queues or bool(basis.equal)
    apart = basis.choices.keeps_states or several
    state, kept = states_of(program, live, basis.place, basis.options.event_time, apart=apart)
    basis = changed(basis, state=state, kept=kept)
    if several and state is not None:
        raise Blocked(OVER_TIME, state.use)
    check_after_window(basis)
    return basis


def _targets(
    program: Program, facts: Facts, found: Place, fresh: Callable[[str], str], *, own: Container[str]
) -> Mapping[Operation, str]:
    """The variable of each stream in the new code.

    A stream that an attribute or another function held gets a variable that is free, and leaves it to the
    next one as it did there: ``counts = counts.filter(f)``. No stream leaves it one of `own`.
    """
    targets = {operation: operation.target for operation in program.operations if operation.target}
    held: dict[tuple[Entry | None, str], str] = {}
    for one in program.reading.in_order():
        last = one.stream
        statements = (one.statement,) if isinstance(one, Line) else one.bound
        bound = [getattr(statement, "targets", [None])[0] for statement in statements]
        foreign = one.scope is not program.scope and one.scope not in found.per_batch
        foreign |= any(isinstance(target, ast.Attribute) for target in bound)
        name = one.target or (_name_of_result(program, one) if isinstance(one, Line) else None)
        if name is None or last.is_source or not (foreign or last in targets):
            continue
        before = held.get((one.entry, name))
        wanted = name.lstrip("_") or "rows"
        if before is not None:
            targets[last] = fresh(wanted) if before in own else before
        elif foreign:
            targets[last] = wanted if _only_goes(wanted, program, facts, found) else fresh(wanted)
        held[one.entry, name] = targets[last]
    return targets


def _name_of_result(program: Program, line: Line) -> str | None:
    """``words``, in ``words = words_of(lines)``: the name for the stream that the function returns."""
    call = program.reading.entered.get(line.scope) if line.scope is not None else None
    if call is None or not isinstance(line.statement, ast.Return):
        return None
    statement = program.tree.statement_of(call)
    target = statement.targets[0] if isinstance(statement, ast.Assign) else None
    own = isinstance(statement, ast.Assign) and statement.value is call and len(statement.targets) == 1
    return target.id if own and isinstance(target, ast.Name) else None


def _only_goes(name: str, program: Program, facts: Facts, found: Place) -> bool:
    """Whether only lines that are removed bind a name."""
    gone = {node for statement in found.deleted for node in walk(statement)}
    gone |= {node for line in program.lines for node in walk(line.statement)}
    gone |= {back.target for back in found.given_back if back.source not in facts.identifiers}
    bindings = [node for node in facts.bindings.get(name, ()) if facts.visible(node)]
    return bool(bindings) and all(node in gone for node in bindings)
