"""The form of each stream in the batch function, by the rule of its operator: columns, else an RDD."""

from __future__ import annotations

import ast
from collections.abc import Container, Mapping, Sequence

from migrate.columns import Record, Refusal, singular
from migrate.columns.names import is_telling
from migrate.graph.blocked import Blocked
from migrate.graph.place import Place
from migrate.graph.program import Line, Operation, Program, upstream
from migrate.knowledge.streaming import GROUPED_BY_KEY, ROWWISE
from migrate.model import Tier
from migrate.plan.choices import Choices, RatherError
from migrate.plan.draft.draft import Draft
from migrate.plan.draft.rule import NO_TYPED, Rule
from migrate.plan.elements.caught_errors import WHY as CAUGHT
from migrate.plan.elements.only_rdd import OF_LISTS, makes_lists, only_reader
from migrate.plan.elements.places import check_place
from migrate.plan.frames.averages import is_only_averaged
from migrate.plan.frames.frame import COMPOSED, OF_JSON, Frame, is_part
from migrate.plan.frames.row_elements import has_json
from migrate.plan.frames.stages import Stage, check_not_named, to_elements, to_rows
from migrate.plan.typed.bare_keys import with_text_keys
from migrate.plan.typed.composed import PART
from migrate.proofs.analysis.called_functions import called_function
from migrate.proofs.analysis.facts import Facts
from migrate.proofs.elements.places_read import is_identity
from migrate.syntax.copies import changed
from migrate.syntax.nodes import walk

BELOW = "`{}` in line {}, which reads it, is RDD code: {}"
ONLY_RDD = "only RDD code reads the tuples that it makes"
READ_BY_RDDS = "only RDD code reads what it makes of values that no column holds"


def parameter_name(node: ast.expr | None, facts: Facts) -> str | None:
    """The name of a function's only parameter."""
    called = called_function(node, facts) if isinstance(node, ast.Name) else None
    function = node if called is None else called.node
    if isinstance(function, ast.Lambda | ast.FunctionDef) and len(function.args.args) == 1:
        return function.args.args[0].arg
    return None


def hint_for(operation: Operation, targets: Mapping[Operation, str], facts: Facts) -> str | None:
    """The program's name for a stream, or for an element of it in the function that reads it next.

    That of an element where the stream's says of no more than one what it is: ``word`` for ``flat``, whose
    elements a function calls so, and not for ``words``.
    """
    target = targets.get(operation)
    if target is not None and singular(target) != target:
        return target
    for consumer in operation.consumers:
        name = parameter_name(consumer.call.args[0], facts) if consumer.call.args else None
        if name is not None and (is_telling(name) if target is not None else len(name) > 1):
            return name
    return target


def live_operations(program: Program, place: Place) -> frozenset[Operation]:
    """The outputs, and the streams that some output needs, or that functions of DataFrames still read.

    Where there is no output, all streams, which wait for one to be written.
    """
    if not program.outputs:
        return frozenset(program.operations)
    lines = {*program.removed, *(line.statement for line in program.lines)}
    inside = (line for line in program.lines if line.scope in place.per_batch)
    read = (line.operations[-1] for line in inside if is_read_inside(line, program, lines))
    given = (
        stream
        for function in place.per_batch
        for entry in program.reading.entries[function]
        for stream in entry.given.values()
    )
    return frozenset().union(*map(upstream, (*program.outputs, *read, *given)))


def is_read_inside(line: Line, program: Program, lines: Container[ast.stmt]) -> bool:
    """Whether a function may do something with a stream of its own beside making others of it."""
    function, entry, last = line.scope, line.entry, line.operations[-1]
    if function is None or entry is None or line.argument is not None or entry.result is last:
        return True
    if len(program.reading.entries[function]) > 1:
        return True
    loads = (
        program.tree.statement_of(node)
        for node in walk(function)
        if isinstance(node, ast.Name) and node.id == line.target and isinstance(node.ctx, ast.Load)
    )
    return any(one not in lines and not isinstance(one, ast.Return) for one in loads)


def advance(draft: Draft, operation: Operation, line: Line) -> Stage:
    """The stage of a stream, from those of its parents.

    As columns where that is proven; else as a typed Python function, where the type of its result is proven;
    else as an RDD.

    Raises:
        Blocked: no form is proven to be the same.
        RatherError: only an RDD is left, and typed Python functions made columns before it.
    """
    basis = draft.basis
    rule = draft.rules(operation.operator)
    step = draft.step(operation, line)
    if rule is None:
        raise step.blocked("it has no native form yet")
    if not basis.allowed(rule.id):
        raise step.blocked(f"the rule {rule.id} is switched off")
    first, *others = (draft.stages[parent] for parent in operation.parents)
    parents = [first.after(operation.call), *others]
    refused = untyped = basis.choices.as_rdd.get(operation.call, "")
    if operation.operator not in ROWWISE:
        parents = [_unplaced(stage) for stage in parents]
    frames = [stage for stage in parents if isinstance(stage, Frame)]
    for frame in frames:
        check_not_named(frame)
        if operation.operator not in OF_JSON and has_json(frame.element):
            raise RatherError(Choices(json_in_python=True))
    if len(frames) == len(parents) and not refused:
        made, refused, untyped = _on_columns(draft, rule, operation, line, frames)
        if made is not None:
            return _dealt(made, first, operation.call)
        untyped = READ_BY_RDDS if untyped == PART else untyped
    state = basis.state
    if state is not None and operation in upstream(state):
        if not basis.event_time:
            raise RatherError(Choices(keeps_states=True))
        why = refused or "it is not a DataFrame operation"
        raise step.blocked(f"{why}, and `{state.operator}` after it reads columns only")
    try:
        _check_records(draft, operation)
        rdds = [to_rows(stage) if isinstance(stage, Frame) else stage for stage in parents]
        result = rule.rdd(step, *(rdds if rule.takes_rows else map(to_elements, rdds)))
    except Blocked as blocked:
        if refused:
            why = blocked.why if blocked.operator == operation.operator else blocked.reason
            raise step.blocked(f"no Column form ({refused}), and {why}") from None
        raise
    except RatherError as rather:
        decides = {operation.call: untyped} if rather.more.as_rdd and untyped else {}
        raise RatherError(rather.more | Choices(decides=decides)) from None
    draft.accept(step)
    why = _deciding(operation, basis.choices) or untyped or refused or "it reads an RDD"
    draft.decided(operation.use, Tier.RDD, why)
    return _dealt(result, first, operation.call)


def _deciding(operation: Operation, choices: Choices) -> str:
    """Why an operator is RDD code that could be a typed function: what is below it has no other form."""
    if (own := choices.decides.get(operation.call)) is not None:
        return own
    if choices.as_rdd.get(operation.call) != "":
        return ""
    below, seen = [*operation.consumers], {operation}
    for one in below:
        if one.call in choices.decides:
            return BELOW.format(one.operator, one.use.line, choices.decides[one.call])
        below += [reader for reader in one.consumers if reader not in seen]
        seen.add(one)
    return ""


def _is_only_read(stage: Stage) -> bool:
    """Whether columns are the attributes of objects, which RDD code would have to make."""
    return isinstance(stage, Frame) and isinstance(stage.element, Record) and stage.element.only_read


def _check_records(draft: Draft, operation: Operation) -> None:
    """Leave a map that makes tuples or lists to RDD code if only RDD code reads them.

    Raises:
        RatherError: there are columns of such.
    """
    made = {
        parent.call: OF_LISTS if is_list else ONLY_RDD
        for parent in operation.parents
        if isinstance(stage := draft.stages[parent], Frame)
        if (is_list := makes_lists(parent, stage.element)) or _makes_tuples(draft, parent, stage)
        if only_reader(parent, draft.basis.live) is operation
    }
    if made.keys() - draft.basis.choices.as_rdd.keys():
        raise RatherError(Choices(made))


def _makes_tuples(draft: Draft, operation: Operation, stage: Frame) -> bool:
    """Whether a function of an element makes a tuple, of columns that are no attributes of objects."""
    return (
        operation.operator == "map"
        and isinstance(stage.element, Record)
        and not is_identity(operation.call.args[0] if operation.call.args else None)
        and not stage.shuffles
        and not any(
            _is_only_read(draft.stages[above]) for above in operation.parents if above in draft.stages
        )
    )


def _unplaced(stage: Stage) -> Stage:
    """The stage without columns for the place of a record, where rows are made of several records."""
    return stage.elements_only() if isinstance(stage, Frame) and stage.beside else stage


def _dealt(made: Stage, before: Stage, call: ast.Call) -> Stage:
    """The stage, of whose new links the last one, or the second one of columns, stands for the call.

    The first one stands for the calls before it that had no link yet: ``select`` for a ``map``, and then
    ``where`` for a ``filter``.
    """
    kept = len(before.calls)
    new = made.calls[kept:]
    if made.calls[:kept] != before.calls or len(new) < 2 or (isinstance(made, Frame) and not before.origin):
        return made
    others = tuple(one for link in new for one in link.origin if one is not call)
    last = 1 if isinstance(made, Frame) else len(new) - 1
    dealt = [changed(link, origin=()) for link in new]
    dealt[0] = changed(dealt[0], origin=others)
    dealt[last] = changed(dealt[last], origin=(call,))
    return changed(made, calls=(*before.calls, *dealt))


def _on_columns(
    draft: Draft, rule: Rule, operation: Operation, line: Line, frames: Sequence[Frame]
) -> tuple[Frame | None, str, str]:
    """The stream as a DataFrame; or None, and why it is no column, and no typed function either."""
    hint = hint_for(operation, draft.basis.targets, draft.basis.facts)
    step = draft.step(operation, line, hint)
    refused = PART
    try:
        if step.in_python:
            raise Refusal(CAUGHT, operation.call)
        if any(frame.within for frame in frames) and operation.operator in COMPOSED:
            raise Refusal(PART, operation.call)
        made = with_text_keys(step, changed(rule.column(step, *frames), hint=step.hint))
        check_place(step, *frames)
    except Refusal as refusal:
        refused = refusal.reason
    else:
        draft.accept(step)
        tier = Tier.PYTHON if step.needs.in_python else Tier.COLUMN
        draft.decided(operation.use, tier, step.needs.reasons.get(operation.use, rule.summary))
        return made, "", ""
    if operation.call in draft.basis.choices.as_rdd or any(frame.kept for frame in frames):
        return None, refused, refused
    step = draft.step(operation, line, hint)
    try:
        made = changed(rule.python(step, *frames), hint=step.hint)
        check_place(step, *frames)
    except Refusal as refusal:
        if step.in_python:
            raise RatherError(Choices({operation.call: CAUGHT})) from None
        return None, refused, refused if refusal.reason == NO_TYPED else refusal.reason
    draft.accept(step)
    draft.typed.add(operation.call)
    draft.decided(operation.use, Tier.PYTHON, step.needs.reasons.get(operation.use, refused))
    return made, "", ""


def deferred(line: Line, stage: Stage) -> bool:
    """Whether a line's stream is written as part of what reads it.

    That is a map into pairs before a ``groupBy``, and a sum and a number of rows before their quotient.
    """
    if isinstance(stage, Frame) and is_part(stage):
        return True
    last = line.operations[-1]
    readers: Sequence[Operation] = last.consumers
    if isinstance(stage, Frame) and stage.groups is not None and is_only_averaged(stage.groups[1], readers):
        return True
    return (
        isinstance(stage, Frame)
        and stage.pending
        and bool(readers)
        and all(reader.operator in GROUPED_BY_KEY for reader in readers)
    )
