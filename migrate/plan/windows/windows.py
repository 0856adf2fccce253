"""Sliding windows over processing time: the batch function keeps the batches, or their sums, that are in one.

A batch counts for the interval in which it began, so what a late one brings leaves a window as a whole.
"""

from __future__ import annotations

import ast
from collections.abc import Container

from migrate.frozen import replace
from migrate.graph.program import Operation, upstream
from migrate.knowledge.streaming import RECEIVERS, STATES
from migrate.plan.choices import Choices, RatherError
from migrate.plan.draft.every_interval import wants_every_interval
from migrate.plan.draft.held import Held
from migrate.plan.draft.interval import has_whole_interval
from migrate.plan.draft.needs import Slides, Sliding
from migrate.plan.draft.step import Step
from migrate.plan.elements.unions import union_of
from migrate.plan.frames.frame import Frame
from migrate.plan.frames.rdd import Rdd
from migrate.plan.frames.stages import Stage
from migrate.plan.names.variable_names import frame_name
from migrate.plan.new_code.code import Call
from migrate.plan.windows.by_slide import check_slide, slides_by_interval, trigger_of
from migrate.plan.windows.multiples import are_alike, times
from migrate.proofs.analysis.arguments import as_given
from migrate.proofs.values.durations import seconds
from migrate.proofs.values.loop_invariant import is_loop_invariant
from migrate.syntax.nodes import position, walk
from migrate.syntax.quoting import quoted

NOTE = (
    "a window holds what each batch of its length gave, and lets go of it by batch time: after a batch that "
    "took longer than the interval, what came meanwhile is one batch with the time at which it began, and a "
    "slide that was passed over is put out next; DStream keeps these intervals apart"
)
OF_STATE = "a window over a running state has no native form"
ELSEWHERE = "the length of its window is known only in another function"
NO_CONTEXT = "its function has a DataFrame, and no RDD to ask for the SparkContext"
OTHER_SLIDE = "it slides otherwise than the window that it is over"
APART = "Spark persists equal DataFrames once, and releases them together"
RELEASED = "# the window that it is made of releases its batches earlier"
LONGER = "it is not known to be as long as its slide, and intervals between two windows are not read then"
WHOLE_SLIDES = "it is not known to be a whole number of slides, each of which Kafka gives as one batch"
SAME = "another window holds the same RDDs, and it is not known which of them releases them first"
INCREMENTAL = 5
"""Slides in a window from which on DStream takes the inverse (`ReducedWindowedDStream.compute`)."""
ANEW_UP_TO = 12
"""Batches of a window with an inverse up to which its sums are made anew, for each second of the interval.

That is the shorter code, and takes longer.
"""
UNITED_ALL_UP_TO = 30
"""Batches of any window up to which its sums are made anew, however long the interval is."""
SHARED_UP_TO = 100
"""Intervals of a window with an inverse up to which it may share what it holds, and add all of it up."""
_OPERANDS = (ast.Constant, ast.Name, ast.Attribute, ast.Call, ast.Subscript)
"""Expressions that need no parentheses behind a minus."""
_PRODUCTS = (ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow)
"""Operators of others that need none."""
UNITED_UP_TO = 500
"""Batches whose union Spark can plan in each interval, at some 12 ms for each of them."""
TOO_MANY = "to unite the {} batches of its window in each interval takes a query longer than it may"

HOLDS_MANY = (
    "a window holds what {} batches gave, all of it persisted, and Spark looks through all of that in each "
    "query: batches take longer until the window is full; sums by the minute would be fewer"
)


def sliding(
    step: Step,
    stage: Stage,
    length: ast.expr,
    slide: ast.expr | None,
    keeps: str = "",
    if_long: str | None = None,
    negative: Call | None = None,
    *,
    stays: bool = True,
) -> Stage:
    """The union of a stream's batches in a sliding window.

    Args:
        step: the window.
        stage: what each batch gives to it.
        length: its length in seconds.
        slide: how often it is put out; None for every batch.
        keeps: a variable for the last sums, which keeps their keys. In a long window they are what is
            given: the batch function adds to them, and subtracts what falls out.
        if_long: that it does so only in a window of five slides or more, as a reason where that has no form.
        negative: a method call that turns the sums of a batch into what is subtracted from others.
        stays: whether keys of which nothing is left stay. Else the last sums are kept in a long window alone.

    Raises:
        Blocked: it has no native form there.
        RatherError: the query must run a batch in every interval.
    """
    every = _own_slide(step, length, slide)
    if isinstance(stage, Frame):
        stage = stage.materialised()
    # an RDD stays persisted when those that it is made of are not any more
    above = [
        step.known.windows[one] for one in upstream(step.operation.parents[0]) if one in step.known.windows
    ]
    if isinstance(stage, Frame) and above:
        stage = stage.checkpointed(f"# {APART}" if all(window.value for window in above) else RELEASED)
    lengths = step.choices.longest
    can_subtract = bool(keeps) and negative is not None and if_long is None
    incremental = can_subtract and subtracts(step, length, stays=stays)
    alone = incremental and _intervals(step, length) > SHARED_UP_TO
    window = None if alone else _shared(step, stage, length)
    if window is None:
        held = lengths.get(step.operation.call, length)
        less = negative if incremental and (alone or not lengths) else None
        window = _kept(step, stage, held, slide, every, negative=less)
    else:
        window = _due(step, window, slide, every)
    keeps_if = "" if if_long is None else _if_long(step, window, length, if_long)
    if window.negative is not None and not window.is_shared:
        step.need(windows={step.operation: replace(window, keeps=keeps)})
        return stage.named(keeps) if isinstance(stage, Frame) else _held_rdd(stage, keeps)
    if isinstance(stage, Frame) and _intervals(step, length) > UNITED_UP_TO:
        raise step.blocked(TOO_MANY.format(_intervals(step, length)))
    window = replace(window, keeps=keeps if stays else "", keeps_if=keeps_if)
    own = "" if length is window.held or not lengths else _duration(step, length, "window_length")
    word, since = window.holds, f"{step.window_time()} - {subtracted(own, length)}"
    read = f"then, {word} in {window.name} if then > {since}" if own else f"_, {word} in {window.name}"
    step.need(windows={step.operation: window})
    batches = f"[{word} for {read}]"
    if isinstance(stage, Frame):
        return replace(stage.named(union_of(step, batches)), is_made=True)
    context = _context(step, stage)
    return replace(_held_rdd(stage, f"{context}.union({batches})"), united_by=context, is_made=True)


def of_values(
    step: Step, stage: Stage, length: ast.expr, slide: ast.expr | None, value: Held, *, if_long: bool = False
) -> None:
    """Need a sliding window of which the driver holds a value for each batch.

    Args:
        step: the window.
        stage: what the values are made of.
        length: its length in seconds.
        slide: how often it is put out; None for every batch.
        value: the values, and how they are put together.
        if_long: whether it depends on the length what DStream puts out of it, which only the program knows.

    Raises:
        Blocked: it has no native form there.
        RatherError: the query must run a batch in every interval.
    """
    every = _own_slide(step, length, slide)
    window = _sharing_values(step, length, value)
    if window is None:
        held = step.choices.longest.get(step.operation.call, length)
        window = _kept(step, stage, held, slide, every, value=value)
        if seconds(held, step.facts) != seconds(length, step.facts):
            window = replace(window, own=_duration(step, length, "window_length"))
    else:
        window = _due(step, window, slide, every)
    keeps_if = _if_long(step, window, length, SAME) if if_long else ""
    step.need(windows={step.operation: replace(window, keeps_if=keeps_if)})


def _sharing_values(step: Step, length: ast.expr, value: Held) -> Sliding | None:
    """The window that holds the same counts already for other readers than prints, if there is one.

    Raises:
        RatherError: it must hold them for longer, or be told of others.
    """
    frames, longest = step.choices.as_frames, step.choices.longest
    if step.operation.call not in frames or value.may_be_none:
        return None
    for operation, window in step.known.windows.items():
        if window.value is None or window.is_shared or operation.call not in frames:
            continue
        held, own = (seconds(node, step.facts) for node in (window.held, length))
        same = window.stream is step.operation.parents[0] and window.value.added.text == value.added.text
        if not same or held is None or own is None:
            continue
        if own > held or operation.call not in longest:
            raise RatherError(Choices(longest={operation.call: length if own > held else window.held}))
        own_code = "" if own == held else _duration(step, length, "window_length")
        return replace(window, is_shared=True, value=value, own=own_code)
    return None


def _own_slide(step: Step, length: ast.expr, slide: ast.expr | None) -> str:
    """A text that is the same for windows with the same slide; empty if each batch of the stream is one.

    Raises:
        Blocked: it has no native form there.
        RatherError: the query must run a batch in every interval.
    """
    above = upstream(step.operation) - {step.operation}
    if any(operation.operator in STATES for operation in above):
        raise step.blocked(OF_STATE)
    every = _every(step, slide)
    sliding_parent = step.slides_with
    if sliding_parent is not None:
        if slide is not None and every != sliding_parent.every:
            raise step.blocked(OTHER_SLIDE)
        every = ""
    if every and slide is not None and (by_slide := trigger_of(step, length, slide)) is not None:
        raise RatherError(Choices(slide=by_slide))
    check_slide(step, length, every)
    if every:
        _check_slide(step, length, slide, above)
    wants_every_interval(step)
    return every


def _kept(
    step: Step,
    stage: Stage,
    held: ast.expr,
    slide: ast.expr | None,
    every: str,
    *,
    negative: Call | None = None,
    value: Held | None = None,
) -> Sliding:
    """A window with a variable of its own.

    Raises:
        RatherError: it has another slide than the batch interval, which must be known of the first window.
    """
    step.imports("deque")
    step.note(NOTE)
    step.window_time()
    name, of_stream = step.fresh("window", anywhere=True), ""
    if name != "window":  # another one is called so, or something of the program's
        of_stream = _stream(step) if step.known.windows else ""
        wanted = f"{of_stream}_window" if of_stream else "last_batches"
        name = step.fresh(wanted, anywhere=True)
        of_stream = of_stream if name == wanted else ""
    length = _duration(step, held, "window_length")
    stream, batches = step.operation.parents[0], _intervals(step, held)
    if value is None and batches > UNITED_UP_TO:
        step.note(HOLDS_MANY.format(f"{batches:,}"))
    window = Sliding(name, stream, stage, length, "", "", held, negative=negative, value=value)
    return _due(step, replace(window, of_stream=of_stream), slide, every)


def _stream(step: Step) -> str:
    """The name of the stream that an operator is a window of, or of one that this is made of."""
    above = step.operation.parents[0]
    while above not in step.basis.targets and len(above.parents) == 1:
        above = above.parents[0]
    return frame_name(step.basis.targets.get(above, "other"))


def _due(step: Step, window: Sliding, slide: ast.expr | None, every: str) -> Sliding:
    """A window with the slide of an operator."""
    if not every or slide is None:
        return replace(window, slide="", every="", slides=None)
    if step.known.queues:
        step.need(first_guard=True)  # slides are counted from the first batch on
    same = are_alike(slide, window.held, step)
    code = window.length if same else _duration(step, slide, "window_slide")
    if every not in step.known.slides:
        of_stream = f"{window.of_stream}_" if step.known.slides and window.of_stream else ""
        is_due = step.fresh(f"is_{of_stream}due", anywhere=True)
        due = step.fresh(f"{of_stream}due", anywhere=True)
        step.need(slides={every: Slides(is_due, due, as_operand(code, slide))})
    return replace(window, slide=code, every=every, slides=slide)


def _held_rdd(stage: Rdd, code: str) -> Rdd:
    """What a window holds of RDDs, as code of it: its variable, or the union of what several batches gave."""
    return replace(stage.named(code), exact=False, shuffled=False, rows=None, origin=(), only=None)


def _duration(step: Step, duration: ast.expr, called: str) -> str:
    """Code of a duration in the unit of the batch time that windows go by.

    Args:
        step: the window.
        duration: the duration.
        called: the name of a variable for it.
    """
    written, in_seconds = _is_written_out(duration), has_whole_interval(step.basis)
    if in_seconds and written:
        return ast.unparse(duration)
    if not in_seconds and (number := _intervals(step, duration)):
        return str(number)
    had = _had(step, duration)
    if had:
        return had
    if in_seconds:
        return ast.unparse(duration) if written else step.argument(duration, called)
    code = ast.unparse(duration) if written else _outside(step, duration, called)
    variable = step.fresh(called.removeprefix("window_"))
    step.need(durations={variable: code})
    return variable


def _outside(step: Step, duration: ast.expr, called: str) -> str:
    """Code of a duration for a statement above the batch function.

    Raises:
        Blocked: it is known in another function alone.
    """
    basis = step.basis.around
    if basis is None:
        return step.argument(duration, called)
    given, home = as_given(duration, basis.program)
    if home is not basis.program.scope or not is_loop_invariant(given, basis.facts.of(given)):
        raise step.blocked(ELSEWHERE)
    return quoted(given)


def subtracted(code: str, node: ast.expr) -> str:
    """Code of a duration, to stand behind a minus."""
    binds = isinstance(node, ast.BinOp) and isinstance(node.op, _PRODUCTS)
    return code if binds else as_operand(code, node)


def as_operand(code: str, node: ast.expr) -> str:
    """Code of a duration, to stand beside any operator."""
    is_whole = code in (quoted(node), ast.unparse(node))
    return f"({code})" if is_whole and not isinstance(node, _OPERANDS) else code


def _context(step: Step, stage: Rdd) -> str:
    """Code of the SparkContext that unites RDDs: that of the session, which a function may not see.

    Raises:
        Blocked: the function has no RDD to ask for it.
    """
    if step.basis.around is None:
        return f"{step.basis.names.session}.sparkContext"
    if stage.chain.makes_rdd:
        raise step.blocked(NO_CONTEXT)
    return f"{stage.base}.context"


def _had(step: Step, duration: ast.expr) -> str:
    """The code of the same duration of another window; empty if none has it."""
    for window in step.known.windows.values():
        for node, code in ((window.held, window.length), (window.slides, window.slide)):
            if node is not None and code and are_alike(node, duration, step):
                return code
    return ""


def _is_written_out(node: ast.expr) -> bool:
    """Whether an expression is a number, or made of some: ``5 * 60``."""
    if isinstance(node, ast.BinOp):
        return _is_written_out(node.left) and _is_written_out(node.right)
    return isinstance(node, ast.Constant)


def _intervals(step: Step, length: ast.expr) -> int:
    """The length of a window in batch intervals; 0 where it is not known."""
    interval = step.basis.interval
    return round((interval is not None and times(step, length, interval)) or 0)


def subtracts(step: Step, length: ast.expr, *, stays: bool) -> bool:
    """Whether a window is so long that what falls out of it is better subtracted from its last sums.

    Args:
        step: the window.
        length: its length.
        stays: whether keys of which nothing is left stay.
    """
    return _intervals(step, length) > (_anew_up_to(step) if stays else UNITED_ALL_UP_TO)


def is_made_anew(step: Step, length: ast.expr) -> bool:
    """Whether the sums of a window with an inverse are made of all its batches in each interval."""
    return 0 < _intervals(step, length) <= _anew_up_to(step)


def _anew_up_to(step: Step) -> float:
    """The batches up to which the sums of a window with an inverse are made anew."""
    interval = step.basis.interval
    each = None if interval is None else seconds(interval, step.facts)
    return min(ANEW_UP_TO * max(each or 1, 1), UNITED_ALL_UP_TO)


def is_one_batch(step: Step, length: ast.expr, slide: ast.expr | None) -> bool:
    """Whether a window is as long as the batch interval, and slides by it: it holds what the batch does."""
    return not (_every(step, length) or _every(step, slide) or step.slides_with)


def _if_long(step: Step, window: Sliding, length: ast.expr, why: str) -> str:
    """The condition under which DStream keeps keys of which nothing is left in a window.

    Raises:
        Blocked: the window's own length is not that for which it holds batches.
    """
    if window.held is not length and ast.dump(window.held) != ast.dump(length):
        raise step.blocked(why)
    sliding_window = window if window.every else step.slides_with
    if sliding_window is not None:
        slide = step.known.slides[sliding_window.every].length
        return f"{window.length} >= {INCREMENTAL} * {slide}"
    each = None if step.basis.interval is None else seconds(step.basis.interval, step.facts)
    return f"{window.length} >= {INCREMENTAL * each if isinstance(each, int) else INCREMENTAL}"


def _shared(step: Step, stage: Stage, length: ast.expr) -> Sliding | None:
    """The window that holds the same batches already, if there is one; it may slide otherwise.

    Raises:
        Blocked: there is one that may release the same RDD before this one does.
        RatherError: it must hold them for longer.
    """
    for operation, window in step.known.windows.items():
        # what batches add is the same if its code is: it is compared, and nothing is looked for in it
        if window.is_shared or window.value or window.added.chain.text != stage.chain.text:
            continue
        if window.negative is not None and _intervals(step, window.held) > SHARED_UP_TO:
            continue  # what falls out of it is subtracted once
        same = window.stream is step.operation.parents[0]
        held, own = (seconds(node, step.facts) for node in (window.held, length))
        alike = are_alike(window.held, length, step)
        if same and (alike or (held is not None and held == own)):
            return replace(window, is_shared=True, negative=None)
        if not same or held is None or own is None:
            if isinstance(stage, Frame) or stage.calls:
                continue  # it holds a DataFrame, or an RDD, of its own
            raise step.blocked(SAME)
        if own > held or not step.choices.longest:
            longest = length if own > held else window.held
            raise RatherError(Choices(longest={operation.call: longest}))
        return replace(window, is_shared=True)
    return None


def _check_slide(step: Step, length: ast.expr, slide: ast.expr | None, above: Container[Operation]) -> None:
    """Refuse a window whose slide shows when DStream computes what is in it.

    It does so at each slide. A source that is asked for its input, other than a receiver, which cuts it by
    itself, is not asked for intervals that no window reads; and Kafka gives all of a slide for its first one.

    Raises:
        Blocked: the slide does.
    """
    sources = [source for source in step.program.sources if source in above]
    slides = None if slide is None else times(step, length, slide)
    for source in sources:
        if source.operator in RECEIVERS or source.operator == "createStream":
            continue
        direct = source.operator == "createDirectStream"
        if slides is None or slides < 1 or (direct and slides % 1):
            raise step.blocked(WHOLE_SLIDES if direct else LONGER)


def _every(step: Step, slide: ast.expr | None) -> str:
    """A text that is the same for the same duration; empty if that is the batch interval for certain."""
    interval = step.basis.interval
    if slide is None:
        if slides_by_interval(step):
            step.basis.need_batch_interval()
        return ""
    number = seconds(slide, step.facts)
    shown = _shown(slide, step) if number is None else str(float(number))
    if interval is None:
        return shown
    each = seconds(interval, step.facts)
    same = are_alike(slide, interval, step) if number is None else number == each
    return "" if same else shown


def _shown(slide: ast.expr, step: Step) -> str:
    """The code of a slide, with its place where one of its names has another value elsewhere."""
    names = (node for node in walk(slide) if isinstance(node, ast.Name))
    place = "" if all(is_loop_invariant(name, step.facts) for name in names) else str(position(slide))
    return ast.dump(slide) + place
