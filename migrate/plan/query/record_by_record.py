"""Queries that give each record to their sink by itself, without a batch function.

One of them has a ``pprint`` as its only output, see `console_sink`, or ``foreachRDD(lambda rdd:
rdd.foreach(f))``, see `foreach_sink`; under ``--trigger continuous=1s`` and ``realtime`` all outputs are
such sinks.

Spark runs no batch function under these triggers, so each output becomes the sink of a query: the console for
``pprint``, Kafka for a callback that sends each element there, ``foreach`` for one that does something else.
"""

from __future__ import annotations

import ast
import itertools

from migrate.columns import Helper, Refusal, Scalar, leaves
from migrate.graph.blocked import Blocked
from migrate.graph.program import Line, Operation, upstream
from migrate.knowledge.connectors import KAFKA
from migrate.knowledge.streaming import ITSELF, ROWWISE
from migrate.model import Tier
from migrate.plan.advance import hint_for
from migrate.plan.callbacks.rows_callbacks import handed
from migrate.plan.choices import Choices, RatherError
from migrate.plan.draft.draft import Draft, Sink
from migrate.plan.draft.outputs import Printed, console
from migrate.plan.draft.step import Step
from migrate.plan.elements.row_functions import of_row
from migrate.plan.frames.frame import Frame
from migrate.plan.frames.row_elements import is_flat, tuple_of
from migrate.plan.frames.stages import Stage
from migrate.plan.new_code.code import Call, Function, Value, Written, block, links
from migrate.plan.new_code.row_loop import RowLoop
from migrate.plan.query.console_sink import may_raise, shows_whole_state
from migrate.plan.query.failed_batches import goes_on
from migrate.plan.query.kafka_sink import kafka_sink
from migrate.plan.query.restarts import checkpoint_option
from migrate.plan.sources.only_elements import applied
from migrate.proofs.callbacks.each_record import EachRecord, each_record
from migrate.proofs.callbacks.roles import NotTheSame, given
from migrate.proofs.partitions.foreach_partition import why_not
from migrate.proofs.values.loop_invariant import is_loop_invariant
from migrate.syntax.quoting import quoted

SINK = "the output becomes the sink of a query without a batch function"
NOTE = (
    "{trigger}: records are put out one by one, in no batches; each partition of a topic takes a core of its "
    "own as long as the query runs; what was put out since the last checkpoint comes again after a restart"
)
CONSOLE = "{trigger}: Spark's console shows what came as a table, below a number in place of the time"
AFRESH = (
    "the query begins afresh at each start, as DStream did: a directory that lasts, in place of "
    "`tempfile.mkdtemp()`, makes it go on where it stopped"
)
LATE = (
    "Spark hands records to Python's `foreach` in large groups, at the end of a batch of {every} at the "
    "latest; its sink for Kafka gets each at once"
)
SEVERAL = (
    "{trigger}: each output is a query of its own, which reads the topic by itself, so that one may be ahead "
    "of another"
)
ONLY_KAFKA = "{trigger} reads Kafka alone"
EACH_ALONE = "{trigger} works on each record by itself, and this on a batch"
NOT_ALWAYS = "{trigger}: its query would have to be started in a branch, or in a function of streams"
NO_COLUMNS = "{trigger} needs columns, and its elements are made by Python code"
NO_SINK = (
    "{trigger}: pprint, `rdd.foreach`, `rdd.foreachPartition`, and a loop over `rdd.collect()` that sends to "
    "Kafka become sinks, and nothing else"
)
NO_FOREACH = (
    "{trigger}: only pprint and what sends each element to Kafka become sinks ({why}); Spark's `foreach` "
    "fails for Python functions there (IllegalThreadStateException, CANNOT_GET_BATCH_ID)"
)
NO_EXPLODE = "{trigger}: Spark has no flatMap, `explode`, in continuous processing"
NO_PYTHON = "{trigger}: Spark runs no Python functions in real-time mode, and `{function}` is one"
TOO_OLD = "{trigger}: PySpark has it from 4.3 on; --spark names the version"
PARTITIONS = Helper(
    "EachPartition",
    '''\
class EachPartition:
    """A sink that calls a function with the rows of a partition in each batch, as foreachPartition does."""

    def __init__(self, function):
        self.function = function

    def open(self, partition_id, epoch_id):
        self.rows = []
        return True

    def process(self, row):
        self.rows.append(row)

    def close(self, error):
        if error is None and self.rows:
            self.function(iter(self.rows))''',
)


class RecordByRecord:
    """Plans the sink of a draft whose records are put out one by one."""

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self.basis = draft.basis
        self.trigger = draft.basis.options.trigger
        self.is_chosen = self.trigger.is_by_record
        """Whether the user names such a trigger."""

    def _blocked(self, text: str, operation: Operation, **more: str) -> Blocked:
        why = text.format(trigger=self.trigger, **more)
        return Blocked(why, operation.use, operator=operation.operator)

    def check(self) -> None:
        """Refuse a graph that such queries cannot run.

        Raises:
            Blocked: it has another source, or works on whole batches.
        """
        if not self.is_chosen:
            return
        if self.trigger.is_real_time and not self.basis.options.spark.has_real_time:
            raise Blocked(TOO_OLD.format(trigger=self.trigger))
        outputs = self.basis.program.outputs
        for operation in frozenset[Operation]().union(*map(upstream, outputs)) - {*outputs}:
            if operation.is_source:
                if not operation.use.connector.startswith(f"{KAFKA}."):
                    raise self._blocked(ONLY_KAFKA, operation)
            elif operation.operator not in ROWWISE | ITSELF:
                raise self._blocked(EACH_ALONE, operation)

    def plan(self, operation: Operation, step: Step, stage: Stage, line: Line) -> None:
        """Make the output the sink of a query.

        Raises:
            Blocked: it has no form as one.
        """
        if line.when or line.scope in self.basis.place.per_batch:
            raise self._blocked(NOT_ALWAYS, operation)
        if not isinstance(stage, Frame):
            raise self._blocked(NO_COLUMNS, operation)
        frame = stage.elements_only().materialised()
        self._check_stages(operation, frame)
        if operation.operator == "pprint":
            sink = self._console(step)
        else:
            frame, sink = self._of_callback(step, frame)
        draft = self.draft
        draft.accept(step)
        replaces = (*draft.body.pending, line.statement)
        draft.body.pending.clear()
        draft.query.sinks.append(Sink(frame, links(sink), replaces))
        several = [SEVERAL.format(trigger=self.trigger)] if len(self.basis.program.outputs) > 1 else []
        draft.need(unsafe=frozenset({operation.use}), notes=(NOTE.format(trigger=self.trigger), *several))

    def of_output(self, operation: Operation, printed: Printed, stage: Stage, line: Line) -> None:
        """Make the only output the sink of the query: the console, or what calls a function for each element.

        Raises:
            RatherError: batches are needed for something.
        """
        draft, needs = self.draft, self.draft.needs
        more = (needs.batch_time, needs.first, needs.windows, needs.queues, needs.empty_guard)
        shuffled = isinstance(stage, Frame) and stage.shuffles and self.basis.state is None
        if not isinstance(stage, Frame) or any(more) or draft.query.places or shuffled:
            raise RatherError(Choices(in_batches=True))
        frame = stage.elements_only()
        if self.basis.prints:
            frame, sink = self._to_console(printed, frame)
        else:
            frame, sink = self._to_function(operation, printed, frame, line)
        draft.query.sinks.append(Sink(frame, links(sink), (*draft.body.pending, line.statement)))
        draft.body.pending.clear()

    def _to_console(self, printed: Printed, frame: Frame) -> tuple[Frame, tuple[Call, ...]]:
        """The columns that the console shows, and the calls of the writer."""
        needs = self.draft.needs
        more = (needs.first_guard, needs.asks_lists, self.draft.body.statements)
        if not printed.sink or any(more) or may_raise(self.draft, frame) or goes_on(self.draft):
            raise RatherError(Choices(in_batches=True))
        frame = frame.materialised()
        if self.basis.state is None:
            return frame, printed.sink
        if not (printed.first and shows_whole_state(self.draft, frame)):
            raise RatherError(Choices(in_batches=True))
        return frame.call(Call("limit", printed.first)), printed.sink

    def _to_function(
        self, operation: Operation, printed: Printed, frame: Frame, line: Line
    ) -> tuple[Frame, tuple[Call, ...]]:
        """The columns of elements, and the call of the writer that hands each to a function."""
        draft, function = self.draft, self.basis.foreach
        assert function is not None
        frame = frame.materialised(hint_for(operation.parents[0], self.basis.targets, self.basis.facts))
        if not (printed.column or printed.rows) or frame.python or frame.shuffles:
            raise RatherError(Choices(in_batches=True))
        step = draft.step(operation, line)
        if frame.shown is not None and (frame.shown.above or frame.shown.takes_apart):
            code, made = _put(step, frame.shown, function)
            draft.outside.write(draft.place_of(line), [made], tuple(draft.body.pending))
            draft.body.pending.clear()
        elif frame.shown is not None:
            code = handed(frame.shown, function)
        else:
            code, inner = of_row(step, function, frame.element)
            step.need(inner=inner)
        draft.accept(step)
        return frame, (Call("foreach", code),)

    def _check_stages(self, operation: Operation, frame: Frame) -> None:
        """Refuse records that are made by what Spark has not in such a query.

        Raises:
            Blocked: they are.
        """
        if frame.explodes and not self.trigger.is_real_time:
            raise self._blocked(NO_EXPLODE, operation)
        above = upstream(operation)
        in_case = {one.call for one in above if self.draft.tiers.get(one.use) is Tier.PYTHON}
        if (calls := frame.python | in_case) and self.trigger.is_real_time:
            made_by = min(calls, key=lambda call: (call.lineno, call.col_offset))
            function = [*made_by.args, *(keyword.value for keyword in made_by.keywords)][0]
            raise self._blocked(NO_PYTHON, operation, function=self.basis.shown(function))

    def _console(self, step: Step) -> tuple[Call, ...]:
        step.note(CONSOLE.format(trigger=self.trigger))
        number = step.arguments("num").get("num")
        return console(None if number is None else step.argument(number, "number"))

    def _of_callback(self, step: Step, frame: Frame) -> tuple[Frame, tuple[Call, ...]]:
        """The frame of what a callback puts out, and its sink."""
        operation = step.operation
        each = self._each(step)
        if each is None:
            raise self._blocked(NO_SINK, operation)
        try:
            sink = step.attempt(lambda tried: kafka_sink(tried, each, frame))
        except Refusal as refusal:
            if not self.trigger.is_real_time:
                raise self._blocked(NO_FOREACH, operation, why=refusal.reason) from None
            if each.function is None:
                raise self._blocked(NO_SINK, operation) from None
            return frame, (self._foreach(step, each, each.function, frame),)
        if sink.in_python and self.trigger.is_real_time:
            raise self._blocked(NO_PYTHON, operation, function="str")
        self.draft.outside.deleted += sink.gone
        calls = sink.calls
        if not checkpoint_option(step.program):
            step.need(imports=frozenset({"tempfile"}), notes=(AFRESH,))
            calls = (*calls, Call("option", '"checkpointLocation", tempfile.mkdtemp()'))
        return sink.messages, calls

    def _each(self, step: Step) -> EachRecord | None:
        """What the callback does with each element, if that is all."""
        call = step.operation.call
        found = given(call.args[0], step.facts) if call.args else None
        if step.operation.operator != "foreachRDD" or found is None:
            return None
        if step.facts.of(found.node) is not step.facts:
            return None
        try:
            return each_record(found.callback(), step.facts)
        except NotTheSame:
            return None

    def _foreach(self, step: Step, each: EachRecord, function: ast.expr, frame: Frame) -> Call:
        """``foreach`` with the function that the callback hands elements to."""
        if not is_loop_invariant(function, step.facts):
            raise self._blocked(NO_SINK, step.operation)
        step.note(LATE.format(every=self.trigger.every))
        element = _element(frame)
        if each.method == "foreach":
            made = applied(step, function, Value(element)) or Value(f"{_called(function)}({element})")
            return Call("foreach", f"lambda row: {made.code}")
        why = why_not(function, step.facts)
        if why:
            raise step.blocked(why)
        called = f"lambda rows: {_called(function)}({element} for row in rows)"
        return Call("foreach", f"{step.helper(PARTITIONS)}({called})")


def _put(step: Step, loop: RowLoop, function: ast.expr) -> tuple[str, Written]:
    """The name and the definition of a function that hands on what is made of a row in several lines."""
    name = step.fresh("process_row", anywhere=True)
    row = step.names.record if loop.takes_apart else loop.target
    apart = [f"{loop.target} = {row}"] if loop.takes_apart else []
    head, last = Function(f"def {name}({row}):"), f"{_called(function)}({loop.made})"
    return name, block(head, *apart, *loop.body(last))


def _called(function: ast.expr) -> str:
    return quoted(function) if isinstance(function, ast.Name | ast.Attribute) else f"({quoted(function)})"


def _element(frame: Frame) -> str:
    """An element of the stream, as code on a row of it."""
    if isinstance(frame.element, Scalar):
        return f'row["{leaves(frame.element)[0].name}"]'
    return "tuple(row)" if is_flat(frame.element) else tuple_of(frame.element, itertools.count())
