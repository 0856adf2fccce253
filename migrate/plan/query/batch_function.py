"""The batch function: its body, and the statements right above and below it."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from migrate.frozen import replace
from migrate.graph.blocked import Blocked
from migrate.graph.outliving import outlives_query
from migrate.graph.place import NO_OUTPUT
from migrate.graph.program import Operation, upstream
from migrate.knowledge.streaming import QUEUE
from migrate.plan.callbacks.conversion import WHOLE
from migrate.plan.choices import Choices, RatherError
from migrate.plan.draft.attempt import Attempt
from migrate.plan.draft.batch_time import FIRST
from migrate.plan.draft.conditions import THEN_NONE
from migrate.plan.draft.draft import Draft
from migrate.plan.draft.interval import has_whole_interval
from migrate.plan.draft.needs import Needs
from migrate.plan.new_code.code import Chain, Code, When, Written, block, written
from migrate.plan.new_code.declarations import declaring
from migrate.plan.new_code.planned_module import BatchFunction
from migrate.plan.query.exits import HANDLER, needs_handler
from migrate.plan.query.failed_batches import ends_no_query, goes_on, sleep_of
from migrate.plan.query.lifecycle import Lifecycle
from migrate.plan.query.outputs_apart import outputs_apart
from migrate.plan.query.sorted_again import sorted_once
from migrate.plan.query.split_once import with_splits_once
from migrate.plan.query.typed_once import computed_once
from migrate.plan.sources.side_by_side import side_by_side
from migrate.plan.stream_functions.cached_rdds import (
    persist_cached,
    persist_of,
    persist_windows,
    persisted_first,
    persisted_where_made,
    persisting,
    releasing,
)
from migrate.plan.windows.held_windows import released
from migrate.proofs.analysis.arguments import as_given

_WORDS = {"rows": "rows", "rdd": "RDD"}
"""Words for what windows hold of a batch."""
GOES_ON = "# the next batch runs all the same"
NEXT_RUNS = "# the next output runs all the same"
OUTLIVES = "# the query ends, and Spark's session goes on"
HELD = "# pairs of a batch time and its {}, of the last {}"
HELD_BY_NUMBER = "# pairs of an interval and its {}, of the last {}"
IN_INTERVALS = "# in intervals"
EARLY = "# rows at the start are of the first interval"
DUE = "# the batch time at which the next slide ends"
DUE_EACH = "# the batch times at which the next slides end"
COMPUTED = "# a view of it is read when the batch is over"


def batch_function(draft: Draft, attempt: Attempt, life: Lifecycle) -> BatchFunction:
    """The function that the query calls for each batch.

    Raises:
        Blocked: it reads the batch time, which has no form there.
        RatherError: a part of a state would be computed, unless what is printed of it is sorted.
    """
    basis, needs, query = draft.basis, draft.needs, draft.query
    given = attempt.fresh("unsorted") if query.places else basis.names.batch
    above = _assigned_above(draft, life)
    guards = _guards(draft, life, given)
    holding = _holding(draft, attempt)
    body = [*guards, *_prepared(draft, given, holding), *needs.first]
    made = _last_made(draft, holding.shared)
    when = made.when if made is not None else ()
    held = [Written(releasing(holding.shared or given), when=when)] if holding.persists else []
    on_failure = _on_failure(draft, given if holding.persists else "")
    if on_failure is None:  # a batch that fails leaves it persisted, but Spark's session ends then, too
        persist_windows(draft)
    released = persist_cached(draft, holding.shared)
    call = persist_of(holding.shared, draft)
    parts = [*draft.body.statements]
    if made is not None:
        persisted = Written(persisting(holding.shared, call), when=made.when)
        parts.insert(parts.index(made) + 1, persisted)
    released = [*released, *held]
    parts += [one for one in released if one.when]
    last = [one for one in released if not one.when]
    parts = persisted_where_made(with_splits_once(attempt, parts))
    if on_failure is None and not goes_on(draft):
        parts = persisted_first(parts, basis.names.batch)
    does = sorted_once(parts)
    statements = _in_blocks(does)
    writer = life.writer
    if life.stopping and not basis.program.outputs:
        raise Blocked(NO_OUTPUT)  # it would wait for batches that do nothing
    if not (basis.program.outputs or body or statements or last):
        # nothing is put out yet, nor made of the source
        last, writer = ([Written("pass")], writer) if basis.program.start is not None else ([], None)
    elif statements and goes_on(draft):
        attempt.need(imports=frozenset({"traceback"}))
        *apart, last_part = (tuple(_in_blocks(part)) for part in outputs_apart(draft, does))
        others = [Written("try:", body=part, clauses=(_going_on(draft, NEXT_RUNS),)) for part in apart]
        statements = [*others, Written("try:", body=last_part, clauses=(_going_on(draft, GOES_ON),))]
    elif statements and needs_handler(basis):
        statements = [Written("try:", body=tuple(statements), clauses=(HANDLER,))]
    if on_failure is not None:
        statements = [Written("try:", body=tuple(statements), clauses=(on_failure,))]
    return BatchFunction(
        basis.names.function,
        (given, basis.names.batch_id),
        (*map(written, body), *statements, *last),
        basis.place.anchor,
        (*map(written, (*above, *life.interval.assignment)), *_windows(needs, life)),
        writer,
    )


def _assigned_above(draft: Draft, life: Lifecycle) -> list[Code]:
    """What states and flags begin with, and the source of several ones, above the function."""
    does, query = draft.body, draft.query
    above: list[Code] = [*declaring("global", does.global_states)]
    states = {**does.states, **does.states_of_functions}
    above += [f"{name} = {before}" for name, before in states.items() if before]
    if query.inputs:
        above.append(side_by_side(query.streaming, query.inputs))
    if life.stopping:
        above.append(f"{life.stopping} = False")
    return above


def _guards(draft: Draft, life: Lifecycle, given: str) -> list[Code | Written]:
    """What the function begins with: what it assigns outside, the batch time, and when it does nothing more.

    Args:
        draft: what has been planned.
        life: of the query.
        given: the variable of the batch as the query gives it.
    """
    basis, needs, does = draft.basis, draft.needs, draft.body
    body: list[Code | Written] = []
    if does.states or needs.slides:
        word = "global" if isinstance(basis.place.scope, ast.Module) else "nonlocal"
        body += declaring(word, (*does.states, *(slides.due for slides in needs.slides.values())))
    skipped = [life.stopping] if life.stopping else []
    if skipped and life.times:  # to look for rows takes time
        body.append(block(f"if {skipped.pop()}:", "return"))
    body += life.times
    slides = [*_slides(needs, life)] if needs.slides else []
    body += [] if needs.queues else slides
    if needs.empty_guard:
        skipped.append(f"{given}.isEmpty()")
    if skipped:
        said = THEN_NONE if needs.empty_guard else ""
        body.append(block(f"if {' or '.join(skipped)}:", "return", comment=said))
    if needs.first_guard and not needs.empty_guard and (basis.beside_queues or not needs.queues):
        is_first = f"if {basis.names.batch_id} == 0 and {given}.isEmpty():"
        body.append(block(is_first, "return", comment=f"# {FIRST}"))
    return [*body, *(slides if needs.queues else [])]


@dataclass(frozen=True)
class _Holding:
    """How a batch is held while its outputs are made.

    Attributes:
        partial: whether outputs may compute a part of the state's partitions alone.
        persists: whether the batch, or what all outputs are made of, is persisted.
        shared: the variable of the latter; empty where it is the batch.
    """

    partial: bool
    persists: bool
    shared: str


def _holding(draft: Draft, attempt: Attempt) -> _Holding:
    """How the batch is held.

    Raises:
        RatherError: a part of a state would be computed, unless what is printed of it is sorted.
    """
    basis, needs, does, query = draft.basis, draft.needs, draft.body, draft.query
    partial = basis.state is not None and not does.reads_all and not needs.outlives_batch
    if partial and does.sortable and not basis.choices.sorts_state:
        raise RatherError(Choices(sorts_state=True))
    # a sort reads its input twice, which takes Kafka's source seconds
    uses = does.uses - sum(map(_reads_only_queues, does.readers))
    several = uses > 1 and does.keeps_batch and not needs.outlives_batch and not _is_read_by_held(draft)
    persists = partial or bool(query.places) or several
    whole = partial or bool(query.places) or goes_on(draft)
    shared = "" if whole or not persists else shared_frame(draft, attempt)
    return _Holding(partial, persists, shared)


def _is_read_by_held(draft: Draft) -> bool:
    """Whether all outputs and windows are made of one stream that is persisted: cached, or in a window."""
    body = draft.body
    chains = [(one.code, one.when) for one in body.statements if isinstance(one.code, Chain)]
    bound = Counter(code.target for code, when in chains if not when)
    held = {code.persists for code, when in chains if not (when or code.only_persists)} - {""}
    persisted = [stream for stream, name in body.variables.items() if name in held and bound[name] == 1]
    cached = (one for one in body.cached if sum(one in upstream(output) for output in body.outputs) > 1)
    known: dict[Operation, list[Operation]] = {}
    reading = (*body.readers, *draft.basis.kept, *draft.needs.windows)
    paths = [_above(one.parents[0], known) for one in reading]
    return any(all(stream in path for path in paths) for stream in (*persisted, *cached))


def _prepared(draft: Draft, given: str, holding: _Holding) -> Iterator[Code | Written]:
    """The statements that persist, sort or compute the batch before its outputs."""
    batch, places = draft.basis.names.batch, draft.query.places
    if holding.persists and not holding.shared:
        yield f"{given}.persist()"
    if places:
        names = ", ".join(f'"{name}"' for name in places)
        yield f"{batch} = {given}.orderBy({names}).drop({names})"
    if draft.needs.outlives_batch:
        yield Written(f"{batch} = {batch}.localCheckpoint()", comment=COMPUTED)
    if holding.partial:
        # `show` and `take` leave partitions out, whose state would stay as it was
        yield Written(f"{batch}.count()", comment=WHOLE)


def _reads_only_queues(output: Operation) -> bool:
    """Whether all sources of an output are queues."""
    return all(one.operator == QUEUE for one in upstream(output) if one.is_source)


def _going_on(draft: Draft, comment: str) -> Written:
    """The clause behind which what follows runs, whatever a callback raises."""
    caught = "(Exception, SystemExit)" if needs_handler(draft.basis) else "Exception"
    return block(f"except {caught}:", "traceback.print_exc()", comment=comment)


def _last_made(draft: Draft, variable: str) -> Written | None:
    """The last statement of the batch function that binds a variable; None for the batch."""
    for one in reversed(draft.body.statements if variable else []):
        if isinstance(one.code, Chain) and one.code.target == variable:
            return one
    return None


def shared_frame(draft: Draft, attempt: Attempt) -> str:
    """The variable of the last DataFrame that outputs, kept states and windows are made of.

    It is empty if that is the batch.
    """
    body = draft.body
    windows = draft.needs.windows
    if draft.basis.several or (windows and (draft.needs.changing or draft.basis.kept)):
        return ""
    bound = Counter(one.code.target for one in body.statements if isinstance(one.code, Chain))
    known: dict[Operation, list[Operation]] = {}
    paths = [_above(reader.parents[0], known) for reader in (*body.readers, *draft.basis.kept)]
    # what a window holds itself stays persisted
    paths += [_above(window.parents[0], known)[1:] for window in windows]
    for stream in paths[0] if paths else ():
        variable = body.variables.get(stream, "")
        named = [one for one, name in body.variables.items() if name == variable]
        is_last = bool(variable) and len(named) == bound[variable] and named[-1] is stream
        if is_last and all(stream in path for path in paths):
            return variable
    return "" if windows else computed_once(draft, attempt)


def _above(stream: Operation, known: dict[Operation, list[Operation]]) -> list[Operation]:
    """A stream and those above that all of its sources come through, the nearest first.

    Args:
        stream: the stream.
        known: gets what is found for it and those above.
    """
    if stream not in known:
        paths = [_above(parent, known) for parent in stream.parents]
        common = [one for one in paths[0] if all(one in path for path in paths)] if paths else []
        known[stream] = [stream, *common]
    return known[stream]


def _windows(needs: Needs, life: Lifecycle) -> Iterator[Written]:
    """The statements that make sliding windows."""
    in_seconds = has_whole_interval(life.basis)
    for window in needs.windows.values():
        if window.is_shared:
            continue
        held, _ = as_given(window.held, life.interval.program)
        word = window.value.word if window.value is not None else _WORDS[window.holds]
        by_number = not in_seconds and window.length.isdigit() and not isinstance(held, ast.Constant)
        last = f"{window.length} intervals" if by_number else f"{ast.unparse(held)} seconds"
        said = (HELD if in_seconds else HELD_BY_NUMBER).format(word, last)
        yield Written(f"{window.name} = deque()", comment=said)
    if needs.slides:
        due = [slides.due for slides in needs.slides.values()]
        yield Written(f"{' = '.join(due)} = None", comment=DUE if len(due) == 1 else DUE_EACH)
    for variable, seconds in needs.durations.items():
        made = f"{variable} = round({seconds} / {life.interval.seconds().code})"
        yield Written(made, comment=IN_INTERVALS)


def _slides(needs: Needs, life: Lifecycle) -> Iterator[str | Written]:
    """The statements of the batch function that say which slides have ended, counted from the start.

    The batch at the start brings what came before the first interval ended; one of queues is an interval.
    """
    now, each = needs.window_time, life.interval.seconds().code if has_whole_interval(life.basis) else "1"
    (first, *_), ends = needs.slides.values(), []
    for slides in needs.slides.values():
        length = _less(slides.length, each) if needs.queues else slides.length
        ends.append((slides.due, f"{now} + {length}"))
    if not needs.queues:
        ends.append((now, f"{now} + {each}"))
    targets, values = map(", ".join, zip(*ends, strict=True))
    said = "" if needs.queues else EARLY
    yield block(f"if {first.due} is None:", Written(f"{targets} = {values}", comment=said))
    for slides in needs.slides.values():
        yield f"{slides.is_due} = {now} >= {slides.due}"
        yield block(f"while {slides.due} <= {now}:", f"{slides.due} += {slides.length}")


def _less(length: str, each: str) -> str:
    """Code of a slide without its first interval."""
    known = length.isdigit() and each.isdigit()
    return str(int(length) - int(each)) if known else f"{length} - {each}"


def _on_failure(draft: Draft, persists: str) -> Written | None:
    """The clause that releases what windows hold when a batch fails; None if Spark's session ends then, too.

    Args:
        draft: the plan.
        persists: the variable of what the batch function itself has persisted; empty if it has not.
    """
    windows = [one for one in draft.needs.windows.values() if not (one.is_shared or one.value)]
    sleep = sleep_of(draft)
    if not windows or goes_on(draft) or ends_no_query(draft):
        return None
    if not outlives_query(draft.basis.program, sleep):
        return None
    rows: list[str | Written] = [Written(releasing(persists))] if persists else []
    for window in windows:
        rows.append(block(f"while {window.name}:", released(window)))
        if window.negative is not None:  # a query that is started again begins without them
            rows.append(f"{window.keeps} = {draft.body.states[window.keeps]}")
    return block("except Exception:", *rows, "raise", comment=OUTLIVES)


def _in_blocks(statements: Sequence[Written], depth: int = 0) -> list[Written]:
    """Statements, of which those with the same conditions, one after the other, share a block."""
    found: list[Written] = []
    open_ = ""
    """The test of the block above, if it has no ``else:`` yet."""
    begun: set[When] = set()
    for conditions, group in groupby(statements, lambda one: one.when[depth : depth + 1]):
        if not conditions:
            found += group
            open_ = ""
            continue
        (when,), body = conditions, tuple(_in_blocks(list(group), depth + 1))
        if when.holds or open_ != when.test:
            again = when.again if when in begun else ""
            begun.add(when)
            head = f"if {again or (when.test if when.holds else when.opposite)}:"
            said = "" if again else when.comment
            old = (when.branch,) if when.branch is not None else ()
            found.append(Written(head, old, body=body, comment=said, is_branch=True))
        else:
            found[-1] = replace(found[-1], orelse=body)
        open_ = when.test if when.holds else ""
    return found
