"""Windows: over processing time, which the batch function keeps, or with ``--event-time`` over event time."""

from __future__ import annotations

import ast
from typing import ClassVar, TypeGuard

from migrate.columns import Element, Scalar, compile_reduce, leaves
from migrate.columns.shapes import Shape
from migrate.frozen import dataclass, replace
from migrate.plan.draft.held import Held
from migrate.plan.draft.step import Step
from migrate.plan.elements.pairs import pair
from migrate.plan.frames.frame import EventWindow, Frame
from migrate.plan.frames.rdd import Rdd
from migrate.plan.frames.stages import Stage
from migrate.plan.names.state_names import kept_name
from migrate.plan.new_code.code import Call
from migrate.plan.new_code.duration import duration
from migrate.plan.new_code.inner import Inner
from migrate.plan.windows.multiples import times
from migrate.plan.windows.windows import INCREMENTAL, is_one_batch, of_values, sliding, subtracts
from migrate.proofs.callbacks.roles import given
from migrate.proofs.values.constants import literal
from migrate.proofs.values.durations import seconds
from migrate.proofs.values.loop_invariant import is_loop_invariant
from migrate.rules._aggregates import PLUS
from migrate.rules._register import Rule
from migrate.syntax.quoting import quoted
from migrate.syntax.tree import is_idle, is_none

UNSAFE = (
    "windows are over the event time `{column}` and aligned to the epoch, those of DStream over the time of "
    "arrival and aligned to the start: --event-time"
)
OUTPUT = {
    True: "output mode append: a window is put out once, when the watermark has passed its end; rows that "
    "come later are dropped",
    False: "output mode update: a window is put out whenever it changes, and is kept for ever; --watermark "
    "closes it",
}


ONE_BATCH = "a window as long as the batch interval is the batch"
ONE_SLIDE = "a window as long as its slide is the batch, as that triggers the query"
MISPLACED = (
    "`{given}` stands where `{operator}` takes the inverse of its function, so that its window is `{length}` "
    "seconds long, here as on DStreams: for a window of `{given}` write None in front of it"
)
NO_FUNCTION = "its inverse `{}` is no function, and the program fails where it is called"
NEGATIVE = Call("mapValues", "lambda value: -value")
"""What subtracts the sums of a batch, as a method of its RDD."""
KEPT = "# keys whose values have gone stay, with 0"
KEPT_TOTAL = "# 0 once all values have gone"
INVERSE = (
    "in a window of five slides or more DStream uses the inverse, and it is followed only for sums of whole "
    "numbers, from which it subtracts"
)
KEYS = (
    "in a window of five slides or more DStream uses the inverse, and keeps each key for ever, with a sum of "
    "0 where nothing of it is left; so does the new code"
)
KEPT_NUMBER = (
    "in a window of five slides or more DStream uses the inverse, and gives 0 once all elements are gone; so "
    "does the new code"
)
IF_LONG_NUMBER = (
    "in a window of five slides or more DStream uses the inverse, and gives 0 once all elements are gone; "
    "whether it is that long is decided when the program runs, as in DStream"
)
UNKNOWN = (
    "with an inverse it depends on the window and the slide what DStream keeps, and they are not known here"
)
IF_LONG = (
    "in a window of five slides or more DStream uses the inverse, and keeps each key for ever, with a sum of "
    "0 where nothing of it is left; whether it is that long is decided when the program runs, as in DStream"
)
FILTERED = (
    "in a window of five slides or more a key that its filter leaves out begins anew when it comes again; it "
    "is followed there only where it leaves out sums of 0 of numbers that are never negative"
)
SLIDE = "now = int(time.time()) // 2 * 2  # end of the interval\n"
"""The line of a batch function that a slide of two intervals of a second triggers, for examples."""
Durations = tuple[ast.expr, ast.expr | None]
"""The length and the slide of a window; None for the batch interval."""


@dataclass(frozen=True)
class Left:
    """What a key has of whose values nothing is left in a window that uses an inverse."""

    code: str
    """A function of the key's last value that returns it, as RDD code."""
    is_sum: bool = False
    """Whether it is a sum, of 0, from which the sums of batches are subtracted."""


ZERO = Left("lambda value: 0", is_sum=True)


class Windowed(Rule):
    """A window with the aggregate of its elements: what each batch gives, and their union put together."""

    parameters: ClassVar[tuple[str, ...]]
    """The operator's parameters, in order."""
    inverse: ClassVar[str] = ""
    """The parameter that is its inverse."""
    by_key: ClassVar[bool] = False
    """Whether it reduces the values of a key, and not elements."""
    kept: ClassVar[str] = "totals"
    """A name for what was in the last window, by key."""
    has_inverse: ClassVar[bool] = False
    """Whether DStream takes an inverse of its own, whose traces show in the result."""

    def column(self, step: Step, *frames: Frame) -> Frame:
        found = step.arguments(*self.parameters)
        if step.options.event_time is not None:
            return self.aggregate(step, over_event_time(step, frames[0], found), found)
        length, slide = self._durations(step, found)
        self._leave_unsaid(step, found)
        added = self.added(step, frames[0], found)
        if is_one_batch(step, length, slide):
            why = ONE_BATCH if step.basis.slide is None else ONE_SLIDE
            step.need(reasons={step.operation.use: why})
            return added
        value = value_of(step, frames[0]) if self.by_key else None
        keeps_keys = self.keeps_keys(step, found, (length, slide), value)
        amount = leaves(added.materialised().element)[-1].name
        negative = Call("withColumn", f'"{amount}", -F.col("{amount}")')
        if keeps_keys is False:
            long = subtracts(step, length, stays=False) and self.leaves_no_zeros(step, found, value)
            keeps = self._totals(step) if long else ""
            union = sliding(step, added, length, slide, keeps, negative=negative, stays=False)
            assert isinstance(union, Frame)
            total = self.total(step, union, found)
            if not step.known.windows[step.operation].negative:
                return total
            total = total.materialised()
            return total.where(f'F.col("{amount}") > 0', filtered=True).materialised().checkpointed()
        reduced = pair(frames[0].element, step)[1] if self.by_key else frames[0].element
        self.check_inverse(step, found, reduced)
        step.note(KEYS if keeps_keys else IF_LONG)
        keeps = self._totals(step) if keeps_keys else kept_name(step, self.kept)
        if_long = None if keeps_keys else UNKNOWN
        union = sliding(step, added, length, slide, keeps, if_long, negative)
        assert isinstance(union, Frame)
        if step.known.windows[step.operation].negative:
            return self.total(step, union, found).checkpointed()
        said = KEPT if self.by_key else KEPT_TOTAL
        zeros = Call("union", f'{keeps}.withColumn("{amount}", F.lit(0))', comment=said)
        with_keys = union.call(zeros)
        return self.total(step, with_keys, found).checkpointed()

    def leaves_no_zeros(self, step: Step, found: dict[str, ast.expr], value: Shape | None) -> bool:
        """Whether it sums whole numbers, and a key is in the result if its sum is above 0, and only then.

        Args:
            step: the operator.
            found: its arguments.
            value: the shape of the values of a key, if it is known.
        """
        return False

    def held(self, step: Step, stage: Stage) -> Held | None:
        if step.options.event_time is not None:
            return None
        found = step.arguments(*self.parameters)
        length, slide = self._durations(step, found)
        keeps = self.keeps_keys(step, found, (length, slide), None)
        held = (
            None if is_one_batch(step, length, slide) else self.value(step, stage, found, keeps is not False)
        )
        if held is None or (keeps is None and held.may_be_none):
            return None
        of_values(step, stage, length, slide, held, if_long=keeps is None)
        step.note(*([IF_LONG_NUMBER] if keeps is None else [KEPT_NUMBER] if keeps else []))
        return replace(held, gaps=not (slide is None or _spans(step, length, slide)))

    def value(self, step: Step, stage: Stage, found: dict[str, ast.expr], keeps: bool) -> Held | None:
        """What the driver holds of each batch where the elements are put together to one number, else None.

        Args:
            step: the operator.
            stage: its stream.
            found: its arguments.
            keeps: whether there is a number, of 0, once all elements have gone, or may be.

        Raises:
            Refusal: it cannot hold that.
        """
        return None

    def added(self, step: Step, frame: Frame, found: dict[str, ast.expr]) -> Frame:
        """What a batch adds to a window: its own aggregate.

        Raises:
            Refusal: it is not proven to be an aggregate of columns.
        """
        return self.aggregate(step, frame, found)

    def aggregate(self, step: Step, frame: Frame, found: dict[str, ast.expr]) -> Frame:
        """The aggregate of the elements of a batch, or of a window over event time.

        Raises:
            Refusal: it is not proven to be an aggregate of columns.
        """
        return frame

    def total(self, step: Step, frame: Frame, found: dict[str, ast.expr]) -> Frame:
        """The aggregate of what the batches of a window added.

        Raises:
            Refusal: it is not proven to be an aggregate of columns.
        """
        return self.aggregate(step, frame, found)

    def rdd(self, step: Step, *rdds: Rdd) -> Rdd:
        if step.options.event_time is not None:
            raise step.blocked("it needs columns")
        found = step.arguments(*self.parameters)
        length, slide = self._durations(step, found)
        self._leave_unsaid(step, found)
        if is_one_batch(step, length, slide):
            return self.added_rdd(step, rdds[0], found)
        keeps_keys = self.keeps_keys(step, found, (length, slide), rdds[0].value)
        if keeps_keys is None:
            raise step.blocked(UNKNOWN)
        left = self.left(step, rdds[0], found) if keeps_keys else None
        keeps = self._totals(step) if left is not None else ""
        negative = NEGATIVE if left is not None and left.is_sum else None
        union = sliding(step, self.added_rdd(step, rdds[0], found), length, slide, keeps, negative=negative)
        assert isinstance(union, Rdd)
        if left is None:
            return self.total_rdd(step, union, found)
        step.note(KEYS)
        if not step.known.windows[step.operation].negative:
            union = union.call(Call("union", f"{keeps}.mapValues({left.code})"))
        return self.total_rdd(step, union, found, f"{keeps}.context.defaultParallelism")

    def _totals(self, step: Step) -> str:
        """The variable of what was in the last window: that of the stream, if nothing else is bound to it."""
        bound = step.basis.targets.get(step.operation)
        is_free = bound and step.facts.only_binding(bound) and step.line.scope is step.program.scope
        return (is_free and bound) or kept_name(step, self.kept)

    def left(self, step: Step, rdd: Rdd, found: dict[str, ast.expr]) -> Left:
        """What a key has of whose values nothing is left.

        Raises:
            Blocked: it is not known.
        """
        raise step.blocked(INVERSE)

    def added_rdd(self, step: Step, rdd: Rdd, found: dict[str, ast.expr]) -> Rdd:
        """What a batch adds to a window, as RDD code.

        Raises:
            Blocked: it is not the same in any order of the elements.
        """
        raise step.blocked("it needs columns")

    def total_rdd(self, step: Step, rdd: Rdd, found: dict[str, ast.expr], partitions: str = "") -> Rdd:
        """What the batches of a window added, put together, as RDD code.

        Args:
            step: the operator.
            rdd: their union.
            found: the operator's arguments.
            partitions: the number of partitions, unless the program says one; empty if it is that of `rdd`.
        """
        return rdd

    def _leave_unsaid(self, step: Step, found: dict[str, ast.expr]) -> None:
        """Leave out what is said beside durations, and beside a function and its inverse.

        The new code says itself how long its ``deque`` is. It puts the batches of a window together, and has
        no inverse: no batches come in and go out.
        """
        gone = {"windowDuration", "slideDuration", self.inverse}
        if not isinstance(found.get(self.inverse), ast.Constant | None):
            gone.add(self.parameters[0])
        about = (value for name, value in found.items() if name in gone)
        step.need(inner=Inner(unsaid=((step.operation.call, tuple(about)),)))

    def _durations(self, step: Step, found: dict[str, ast.expr]) -> Durations:
        """The length and the slide of a window.

        Raises:
            Blocked: the length is missing.
        """
        length, slide = found.get("windowDuration"), found.get("slideDuration")
        if length is None:
            raise step.blocked("its length is missing")
        slide = None if is_none(slide) else slide
        inverse = found.get(self.inverse)
        if inverse is not None and isinstance(literal(inverse, step.facts), int | float):
            given, operator = step.shown(inverse), step.operation.operator
            step.note(MISPLACED.format(given=given, operator=operator, length=step.shown(length)))
        return length, slide

    def keeps_keys(
        self, step: Step, found: dict[str, ast.expr], durations: Durations, value: Shape | None
    ) -> bool | None:
        """Whether DStream uses an inverse, so that keys of which nothing is left stay; None if it may.

        Args:
            step: the operator.
            found: its arguments.
            durations: the length and the slide of its window.
            value: the shape of the values of a key, if it is known.
        """
        length, slide = durations
        if not self.has_inverse and is_none(found.get(self.inverse)):
            return False
        above = step.slides_with
        every = slide or (step.basis.interval if above is None else above.slides)
        slides = None if every is None else times(step, length, every)
        return None if slides is None else slides >= INCREMENTAL

    def check_inverse(self, step: Step, found: dict[str, ast.expr], value: Element) -> None:
        """Refuse what is no sum of a value whose inverse subtracts.

        Raises:
            Blocked: the inverse does something else.
            Refusal: the function does.
        """
        inverse = found.get(self.inverse)
        if isinstance(inverse, ast.Constant):
            raise step.blocked(NO_FUNCTION.format(step.shown(inverse)))
        if inverse is not None and not _subtracts(inverse, step):
            raise step.blocked(INVERSE)
        if self.inverse and not self.adds(step, value):
            raise step.blocked(INVERSE)

    def adds(self, step: Step, value: Element) -> bool:
        """Whether its function gives the sum of two values.

        Raises:
            Refusal: it has no form on columns.
        """
        function = step.function(*self.parameters)
        own, sums = (compile_reduce(one, value, step.scope).element for one in (function, PLUS))
        return [leaf.code for leaf in leaves(own)] == [leaf.code for leaf in leaves(sums)]


def value_of(step: Step, frame: Frame) -> Shape | None:
    """The shape of the values of pairs."""
    value = pair(frame.element, step)[1]
    return value.shape if isinstance(value, Scalar) else None


def _spans(step: Step, length: ast.expr, slide: ast.expr) -> bool:
    """Whether a window is known to be as long as its slide, so that each batch is in one."""
    return (times(step, length, slide) or 0) >= 1


def _subtracts(node: ast.expr, step: Step) -> bool:
    """Whether a function of whole numbers is ``lambda a, b: a - b``, or a name of it, or ``operator.sub``."""
    called = given(node, step.facts)
    if called is None:
        return step.facts.qualified(node) == "operator.sub"
    names = [argument.arg for argument in called.node.args.args]
    *before, last = called.node.body if isinstance(called.node, ast.FunctionDef) else [called.node.body]
    if isinstance(last, ast.Return) and all(map(is_idle, before)):
        last = last.value or last
    if not isinstance(last, ast.BinOp) or not isinstance(last.op, ast.Sub) or len(names) != 2:
        return False
    sides = [side.args[0] if _is_int_of_one(side, step) else side for side in (last.left, last.right)]
    return [ast.unparse(side) for side in sides] == names


def _is_int_of_one(node: ast.expr, step: Step) -> TypeGuard[ast.Call]:
    """Whether an expression is ``int(a)``, which is `a` for whole numbers."""
    if not isinstance(node, ast.Call) or len(node.args) != 1 or node.keywords:
        return False
    return ast.unparse(node.func) == "int" and "int" not in step.facts.shadowed


def over_event_time(step: Step, frame: Frame, found: dict[str, ast.expr]) -> Frame:
    """The frame, of which the next aggregate is over windows of event time.

    Raises:
        Blocked: its length is not known there, or is less than its slide.
    """
    options = step.options
    assert options.event_time is not None
    length, slide = found.get("windowDuration"), found.get("slideDuration")
    if length is None:
        raise step.blocked("its length is missing")
    if slide is None or is_none(slide):
        slide = step.basis.interval
        if slide is None or not is_loop_invariant(slide, step.facts):
            raise step.blocked("it slides by the batch interval, which is not known where the window is")
    long, often = seconds(length, step.facts), seconds(slide, step.facts)
    if long is not None and often is not None and often > long:
        raise step.blocked("it slides by more than its length, which a window over event time cannot")
    step.unsafe()
    step.note(UNSAFE.format(column=options.event_time))
    step.note(OUTPUT[options.watermark is not None])
    window = EventWindow(
        options.event_time,
        _spelled(step, length, "window_duration"),
        _spelled(step, slide, "slide_duration"),
        options.watermark,
    )
    return replace(frame, window=window)


def _spelled(step: Step, node: ast.expr, called: str) -> str:
    """Code for a duration where the aggregate stands, which may be lines further down.

    Args:
        step: the operator.
        node: the duration.
        called: the name of a variable for it.

    Raises:
        Blocked: it must be evaluated in another function than that which holds the aggregate.
    """
    line = step.line
    is_here = line is not None and step.basis.state in line.operations
    text = quoted(node) if is_here else step.argument(node, called)
    return duration(node, text)
