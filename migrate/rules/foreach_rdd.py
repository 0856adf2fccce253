"""``foreachRDD``: the batch function calls the callback, with a DataFrame or with an RDD."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import replace

from migrate.columns import Refusal, leaves
from migrate.columns.shapes import Int, Str
from migrate.graph.blocked import Blocked
from migrate.graph.cassandra import saved_rdd
from migrate.knowledge import sessions
from migrate.knowledge.rdd import FAILS_EMPTY, FAILS_UNPARTITIONED
from migrate.plan.callback_sessions import in_own_session
from migrate.plan.callback_views import of_today
from migrate.plan.callbacks import times_computed, times_read
from migrate.plan.cassandra import saved
from migrate.plan.caught_errors import check_caught, check_conversion
from migrate.plan.code import Chain, Inner
from migrate.plan.collected_order import OF_RDD, is_cut_as_before, tell_files, tell_order, tell_ties
from migrate.plan.dataframes import convert
from migrate.plan.every_interval import check_callback
from migrate.plan.lambda_bodies import continued, in_place
from migrate.plan.our_names import OURS, check_names
from migrate.plan.outputs import Direct, Printed
from migrate.plan.program_frames import in_program_session
from migrate.plan.rdd_chain import frame_of
from migrate.plan.reduce_order import reduce_in_order, sum_in_partitions
from migrate.plan.rows_by_position import tell_positions
from migrate.plan.rows_callbacks import on_rows
from migrate.plan.shared_callbacks import change_alike, rather_rdds, shared_callback
from migrate.plan.stages import Frame, Rdd, Stage, to_rdd, to_rows, value_shape
from migrate.plan.step import Step
from migrate.plan.stored_frames import keep_rows
from migrate.proofs.call_graph import Reached
from migrate.proofs.called_functions import called_function
from migrate.proofs.computes_all import computes_all, times_acted
from migrate.proofs.facts import Facts
from migrate.proofs.guards import only_with_rows
from migrate.proofs.roles import (
    Callback,
    Given,
    NotTheSame,
    file_of,
    forwarded,
    given,
    is_used_only_by,
    used_elsewhere,
)
from migrate.proofs.rows import Rows
from migrate.rules._register import Example, OutputRule, register
from migrate.syntax.nodes import walk
from migrate.syntax.quoting import quoted
from migrate.syntax.tree import tries_around

NO_VALUE = (
    "an interval without input failed, as the callback reads a variable that only a loop over the elements "
    "gives a value; no batch runs for it now, unless something else wants one"
)
_ELSEWHERE = "the callback is used elsewhere too, or is no function of this file"
_OF_ITS_FILE = "it is changed to take a DataFrame only where no other program uses that file"
_OF_DSTREAMS = re.compile(r"rdd|stream", re.IGNORECASE)
"""Names of streams and RDDs, which none of a DataFrame's parameters gets."""
_FAILING = FAILS_EMPTY | sessions.FAILS_EMPTY
"""Methods of an RDD that fail on one without elements, or that may."""


@register
class ForeachRDD(OutputRule):
    """RDD code stays as it is if its result does not depend on the partitions.

    Conversions of the RDD to a DataFrame are removed.
    """

    operator = "foreachRDD"
    summary = "foreachRDD becomes part of the batch function"
    examples = (
        Example(
            "lines.foreachRDD(lambda rdd: print(rdd.takeOrdered(3)))",
            "rdd = batch.rdd.map(lambda row: row[0])\nprint(rdd.takeOrdered(3))",
        ),
        Example(
            "lines.foreachRDD(lambda rdd: print(sorted(rdd.map(ascii).collect())))",
            'ascii_udf = F.udf(lambda value: ascii(value), "string")\n'
            'print(sorted([row["ascii"] for row in '
            'batch.select(ascii_udf("value").alias("ascii")).collect()]))',
        ),
        Example(
            "lines.foreachRDD(lambda rdd: print(sorted(rdd.map(lambda x: {x: 1}).collect(), key=str)))",
            'print(sorted([{x["value"]: 1} for x in batch.collect()], key=str))',
        ),
        Example(
            "lines.foreachRDD(lambda time, rdd: print(time, rdd.count()))",
            "batch_time = datetime.now().replace(microsecond=0)  # end of the interval\n"
            "print(batch_time, batch.count())",
        ),
        Example(
            "def save(records):\n"
            "    for word, count in records:\n"
            "        print(word, count)\n"
            "\n"
            "counts = lines.map(lambda line: (line, 1)).reduceByKey(lambda a, b: a + b)\n"
            "counts.foreachRDD(lambda rdd: rdd.foreachPartition(save))",
            'counts = batch.groupBy(F.col("value").alias("line")).count()\ncounts.foreachPartition(save)',
        ),
        Example(
            "from pyspark.sql import Row\n"
            "\n"
            "def show(rdd):\n"
            "    if not rdd.isEmpty():\n"
            "        print(sorted(rdd.toDF().collect()))\n"
            "\n"
            "counts = lines.map(lambda line: (line, 1)).reduceByKey(lambda a, b: a + b)\n"
            "counts.map(lambda count: Row(line=count[0], n=count[1])).foreachRDD(show)",
            'counts = batch.groupBy(F.col("value").alias("line")).count()\n'
            'rows = counts.select("line", F.col("count").alias("n"))\n'
            "rows.persist()\n"
            "show(rows)\n"
            "rows.unpersist()",
        ),
        Example(
            "lines.foreachRDD(lambda rdd: print(rdd.count()) if not rdd.isEmpty() else None)",
            "if not batch.isEmpty():\n    print(batch.count())",
        ),
        Example(
            "def show(rdd):\n"
            "    if rdd.count() > 0:\n"
            "        print(rdd.max(), rdd.reduce(lambda a, b: a + b))\n"
            "\n"
            "lines.map(lambda line: len(line)).foreachRDD(show)",
            'rows = batch.select(F.length("value").alias("value"))\n'
            "rows.persist()\n"
            "show(rows)\n"
            "rows.unpersist()",
        ),
        Example(
            "lines.foreachRDD(lambda rdd: rdd.foreach(print))",
            "query = (\n"
            '    lines.writeStream.trigger(processingTime="1 second")\n'
            '    .foreach(lambda row: print(row["value"]))\n'
            "    .start()\n"
            ")",
        ),
    )

    def output(self, step: Step, stage: Stage) -> Printed:
        printed = self._output(step, stage)
        if step.basis.state is None or step.operation.parents[0] is not step.basis.state:
            return printed
        return _of_state(step, stage, printed)

    def _output(self, step: Step, stage: Stage) -> Printed:
        called = given(step.function("func"), step.facts)
        if called is None:
            shown = step.shown(step.function("func"))
            raise step.blocked(f"`{shown}` is not a function of files that were read, defined once")
        try:
            callback = called.callback()
        except NotTheSame as why:
            raise step.blocked(str(why)) from None
        check_caught(step, callback)
        tell_files(step, callback)
        if isinstance(stage, Frame) or not (stage.exact or is_cut_as_before(step)):
            tell_ties(step, callback, of_frame=isinstance(stage, Frame))
        saving = saved_rdd(step.operation.use)
        if saving is not None and isinstance(stage, Frame):
            with suppress(Refusal, NotTheSame):
                return step.attempt(lambda tried: self._saved(tried, saving, callback, stage))
        shared = shared_callback(step)
        if shared is not None and not isinstance(stage, Frame):
            raise rather_rdds(shared)
        if isinstance(stage, Frame) and stage.shown[0]:
            tell_order(step, callback)
            tell_positions(step, callback)
            return self._on_rows(step, called, stage)
        if isinstance(stage, Frame):
            tell_order(step, callback)
            try:
                return step.attempt(lambda tried: self._on_columns(tried, called, callback, stage, shared))
            except (Refusal, NotTheSame) as why:
                if shared is not None:
                    raise rather_rdds(shared) from None
                step.refused = str(why)
            return self._otherwise(step, called, callback, stage)
        if not stage.exact and not is_cut_as_before(step):
            tell_order(step, callback, OF_RDD)
            tell_positions(step, callback, of_rdd=True)
        return self._on_rdd(step, called, stage)

    def _otherwise(self, step: Step, called: Given, callback: Callback, frame: Frame) -> Printed:
        """The output on rows that the driver reads, or of functions that call each other, or in RDD code."""
        if not frame.python:  # else RDD code would have to make its columns
            with suppress(Refusal):
                printed = step.attempt(lambda tried: self._on_rows(tried, called, frame, has_rdd=False))
                tell_positions(step, callback)
                return printed
        with suppress(Refusal, NotTheSame):
            return step.attempt(lambda tried: self._on_columns(tried, called, callback, frame, composes=True))
        tell_positions(step, callback)
        with suppress(Refusal):
            return step.attempt(lambda tried: self._on_rows(tried, called, frame))
        return self._on_rdd(step, called, frame)

    @staticmethod
    def _saved(step: Step, call: ast.Call, callback: Callback, frame: Frame) -> Printed:
        """The write of what the callback saves to Cassandra, and does nothing else."""
        assert isinstance(call.func, ast.Attribute)
        of_batch = frame_of(step, call.func.value, {callback.rdd: frame.without_times()})
        return saved(step, call, of_batch)

    # --- on a DataFrame -------------------------------------------------------------------------------------

    def _on_columns(
        self,
        step: Step,
        called: Given,
        callback: Callback,
        frame: Frame,
        shared: ast.FunctionDef | None = None,
        *,
        composes: bool = False,
    ) -> Printed:
        if not called.editable and called.node is not shared:
            raise Refusal(_why_it_stays(called, step.facts), callback.node)
        frame = frame.without_times().materialised()
        variable = frame.base if not frame.calls else self._variable(step)
        handed = forwarded(callback, step.facts, shared)
        changed = handed.callback if handed is not None else callback
        _check_there(changed, step.facts)
        of_all = "df" if _OF_DSTREAMS.search(changed.rdd) else changed.rdd
        here = changed.node is not shared and step.facts.of(changed.node) is step.facts
        parameter = self._parameter(step, changed, variable if here else of_all)
        conversion = convert(step.within(changed.node), changed, frame, parameter, composes=composes)
        keep_rows(conversion, changed.node, step.facts.of(changed.node).tree)
        check_conversion(step, callback)
        own = replace(called.callback(), repeated=step.repeats)
        check_callback(step, own, reduced=conversion.replaced)
        if conversion.floats:
            sum_in_partitions(step, own, conversion.floats[0])
        if conversion.raises:
            step.need(first_guard=True)
        self._guard(step.within(changed.node), changed)
        step.need(inner=conversion.inner, frames=conversion.variables)
        if shared is not None and changed.node is shared:
            change_alike(step, shared, conversion.inner)
        if changed.node is not called.node or isinstance(callback.node, ast.FunctionDef):
            step.need(inner=Inner(((_parameter(changed), parameter),)))
        if isinstance(callback.node, ast.Lambda):
            if conversion.guards and handed is None:
                raise Refusal("createDataFrame raises on a batch without rows", callback.node)
            if handed is not None:
                step.need(inner=Inner(((handed.read, variable),)))
        uses = conversion.uses
        if (
            isinstance(callback.node, ast.Lambda)
            and changed is callback
            and frame.calls
            and not step.target
            and times_read(callback) == 1
        ):
            step.need(inner=_times(step, callback))
            whole = continued(step, callback.node.body, frame, variable)
            if whole is not None:
                return replace(whole, uses=uses)
        return self._passed(step, callback, variable, parameter, uses=uses, changed=changed)

    @staticmethod
    def _passed(
        step: Step,
        callback: Callback,
        variable: str,
        parameter: str,
        *,
        uses: int,
        column: bool = True,
        changed: Callback | None = None,
    ) -> Printed:
        """The call of a callback with a DataFrame, or its body.

        Args:
            step: the operator.
            callback: the function.
            variable: what holds the DataFrame.
            parameter: the name of the parameter that gets it.
            uses: how often it computes it.
            column: whether it has no RDD code.
            changed: the function that the callback hands it on to, if there is one.
        """
        if isinstance(callback.node, ast.Lambda):
            step.need(inner=_times(step, callback))
            printed = in_place(step, callback.node.body)
        else:
            arguments = variable
            if callback.time is not None and _is_read(callback.time, callback):
                arguments = f"{step.time(callback)}, {variable}"
            elif callback.time is not None:
                step.need(inner=Inner(((_named(callback, callback.time), ""),)))
            printed = Printed(Chain(f"{quoted(step.function('func'))}({arguments})"), True)
        direct = _direct(step, callback, changed or callback, variable, parameter)
        own = _takes_frame(step, callback, changed or callback) if column else None
        printed = replace(printed, direct=direct, takes_frame=own)
        return replace(printed, column=column, uses=uses, variable=variable, rows=not column)

    # --- with RDD code on the rows of a DataFrame -----------------------------------------------------------

    def _on_rows(self, step: Step, called: Given, frame: Frame, *, has_rdd: bool = True) -> Printed:
        callback = replace(called.callback(), repeated=step.repeats)
        if not called.editable:
            raise Refusal("the callback's code may not change", callback.node)
        frame = frame.elements_only().materialised()
        # typed functions are of no use for an RDD, but for rows that the driver reads
        rows = to_rows(replace(frame, python=frozenset()) if frame.shown[0] else frame)
        in_place = isinstance(callback.node, ast.Lambda) and times_read(callback) > 1
        is_there = not frame.calls and (frame.base.isidentifier() or not in_place)
        variable = frame.base if is_there else self._variable(step)
        handed = forwarded(callback, step.facts)
        changed = handed.callback if handed is not None else callback
        _check_there(changed, step.facts)
        parameter = self._parameter(step, changed, variable)
        self._check_rdd(step, called, callback, replace(rows, value=value_shape(frame.element)))
        inner = step.needs.inner
        gone = {*(node for node, _ in inner.replaced), *inner.dropped}
        found = on_rows(step.within(changed.node), changed, frame, parameter, gone)
        if found.has_rdd and not has_rdd:
            raise Refusal("it keeps RDD code", callback.node)
        step.need(inner=found.changes | of_today(changed))
        if isinstance(changed.node, ast.FunctionDef):
            step.need(inner=Inner(((_parameter(changed), parameter),)))
        if handed is not None:
            step.need(inner=Inner(((handed.read, variable),)))
        uses = times_computed(changed, step.operation)
        column = not found.has_rdd
        return self._passed(step, callback, variable, parameter, column=column, uses=uses, changed=changed)

    @staticmethod
    def _guard(step: Step, callback: Callback) -> None:
        """Skip an empty first batch, where a DStream has none and an RDD without partitions after it.

        What fails for any RDD without elements, and is caught, does so in both.
        """
        rows, parents = Rows(callback), callback.parents
        own = [node for node in callback.walk() if isinstance(node, (ast.Attribute, ast.Name))]
        telling = [node for node in own if _tells(node) or called_function(node, step.facts) is not None]
        without_rows = [node for node in telling if not only_with_rows(node, rows, parents)]
        named, raised = _attributes(without_rows, parents, step.facts)
        fails = (named & FAILS_UNPARTITIONED) | (raised & _FAILING)
        unbound = any(not only_with_rows(read, rows, parents) for read in rows.reads_behind_loops)
        if unbound:
            step.note(NO_VALUE)
        if unbound or (fails and "isEmpty" not in named):
            step.need(first_guard=True)

    def _variable(self, step: Step) -> str:
        return step.target or step.names.rows

    def _parameter(self, step: Step, callback: Callback, variable: str) -> str:
        if isinstance(callback.node, ast.Lambda):
            return variable
        if not variable.isidentifier():  # a window's batches
            variable = self._variable(step)
        inside = {node.id for node in callback.walk() if isinstance(node, ast.Name)} - {callback.rdd}
        own = variable == step.names.batch or _OF_DSTREAMS.search(variable)
        wanted = "batch" if own else variable
        return wanted if wanted not in inside else step.fresh("frame", anywhere=True)

    # --- on an RDD ------------------------------------------------------------------------------------------

    def _on_rdd(self, step: Step, called: Given, stage: Stage) -> Printed:
        callback = replace(called.callback(), repeated=step.repeats)
        rdd = to_rdd(stage) if isinstance(stage, Frame) else stage
        self._check_rdd(step, called, callback, rdd)
        uses = times_computed(callback, step.operation)
        if called.name is not None:
            argument = rdd.chain.text
            arguments = f"{step.time(callback)}, {argument}" if callback.time else argument
            chain = Chain(f"{quoted(step.function('func'))}({arguments})")
            return Printed(chain, False, uses=uses)
        # a call of the program's own function is made once
        variable = rdd.base if not rdd.calls and rdd.base.isidentifier() else step.names.rdd
        renamed = tuple((node, variable) for node in callback.reads(callback.rdd))
        step.need(inner=Inner(renamed=renamed) | _times(step, callback))
        assert isinstance(callback.node, ast.Lambda)
        return replace(in_place(step, callback.node.body), column=False, uses=uses, variable=variable)

    def _check_rdd(self, step: Step, called: Given, callback: Callback, rdd: Rdd) -> None:
        """Check RDD code, and let it read the program's session."""
        try:
            check_callback(step, callback, rdd)
            own = in_own_session(step, callback) if called.editable else Inner()
            step.need(inner=in_program_session(step, callback, own.dropped))
        except NotTheSame as why:
            raise step.blocked(str(why)) from None
        if callback.unordered:
            reduce_in_order(step, callback.unordered, callback=callback)
        if called.editable:
            step.need(inner=own | of_today(callback))
        self._guard(step.within(callback.node), callback)


def _check_there(callback: Callback, facts: Facts) -> None:
    """Refuse new code in another module that has a name of ours for something else.

    Raises:
        Refusal: the callback is defined in such a one.
    """
    there = facts.of(callback.node)
    try:
        check_names(there, OURS if there is not facts else ())
    except Blocked as blocked:
        raise Refusal(blocked.reason, callback.node) from None


def _of_state(step: Step, stage: Stage, printed: Printed) -> Printed:
    """The same output, of a running state: whether it is certain to compute all of it, and how often."""
    called = given(step.function("func"), step.facts)
    assert called is not None
    callback, inner = called.callback(), step.needs.inner
    handed = forwarded(callback, step.facts) if called.editable else None
    callback = callback if handed is None else handed.callback
    gone = {*(node for node, _ in inner.replaced), *inner.dropped}
    shapes = [leaf.shape for leaf in leaves(stage.element)] if isinstance(stage, Frame) else []
    numbers = [one for one in shapes if not isinstance(one, Str)]
    only_grow = bool(shapes) and all(isinstance(one, Int) and one.amount for one in numbers)
    if not computes_all(callback, step.facts, gone, only_grow=only_grow):
        return printed
    looks = sum("isEmpty()" in text for _, text in inner.before)
    return replace(printed, whole=True, uses=max(printed.uses, looks + times_acted(callback, step.facts)))


def _why_it_stays(called: Given, facts: Facts) -> str:
    """The reason why the code of a callback may not change."""
    users, file = used_elsewhere(called, facts), file_of(called, facts)
    if users:
        return f"`{called.name}` is used by {users} too, which gives it an RDD"
    if file:
        return f"`{called.name}` is defined in {file}: {_OF_ITS_FILE}"
    return _ELSEWHERE


def _attributes(
    nodes: Iterable[ast.AST], parents: Mapping[ast.AST, ast.AST], facts: Facts
) -> tuple[set[str], set[str]]:
    """The attributes of nodes and of the functions that they name, and those whose errors nobody catches."""
    named: set[str] = set()
    raised: set[str] = set()
    for node in nodes:
        called = called_function(node, facts) if isinstance(node, ast.expr) else None
        caught = _is_caught(node, parents)
        if isinstance(node, ast.Attribute):
            named.add(node.attr)
            raised |= set() if caught else {node.attr}
        if called is not None:
            for one, summary in Reached([called.node], facts).of(ast.Attribute):
                named.add(one.attr)
                raised |= set() if caught or _is_caught(one, summary.facts.above) else {one.attr}
    return named, raised


def _is_caught(node: ast.AST, above: Mapping[ast.AST, ast.AST]) -> bool:
    """Whether a handler of its function may catch what a node raises."""
    return any(one.handlers for one in tries_around(node, above))


def _tells(node: ast.expr) -> bool:
    """Whether an expression is a method that may fail without elements, or that asks for some."""
    return isinstance(node, ast.Attribute) and node.attr in _FAILING | FAILS_UNPARTITIONED | {"isEmpty"}


def _times(step: Step, callback: Callback) -> Inner:
    """The batch time, where a lambda that is written in place reads it."""
    if callback.time is None:
        return Inner()
    return Inner(tuple((node, step.time(callback)) for node in callback.reads(callback.time)))


def _parameter(callback: Callback) -> ast.arg:
    """The parameter that is the RDD."""
    return _named(callback, callback.rdd)


def _named(callback: Callback, name: str) -> ast.arg:
    """A parameter by its name."""
    arguments = callback.node.args
    return next(argument for argument in (*arguments.posonlyargs, *arguments.args) if argument.arg == name)


def _is_read(name: str, callback: Callback) -> bool:
    return next(callback.reads(name), None) is not None


def _takes_frame(
    step: Step, callback: Callback, changed: Callback
) -> tuple[ast.FunctionDef, ast.Name] | None:
    """The function that gets the DataFrame, and the read of its name, if it has no other."""
    call = callback.node.body if changed is not callback else None
    name = call.func if isinstance(call, ast.Call) else step.function("func")
    if not isinstance(changed.node, ast.FunctionDef) or not isinstance(name, ast.Name):
        return None
    return (changed.node, name) if is_used_only_by([name], changed.node, step.facts) else None


def _direct(step: Step, callback: Callback, changed: Callback, given: str, name: str) -> Direct | None:
    """The call of a function that takes the DataFrame alone, if there is one.

    Args:
        step: the operator.
        callback: the function that the program gives to it.
        changed: the function that takes the DataFrame.
        given: the variable of the DataFrame.
        name: the new name of the parameter.
    """
    function = step.function("func")
    if changed is not callback:
        call = callback.node.body
        if not isinstance(call, ast.Call) or len(call.args) != 1 or call.keywords:
            return None
        function = call.func
    node = changed.node
    if isinstance(node, ast.Lambda) or (changed.time is not None and _is_read(changed.time, changed)):
        return None
    names = {argument.arg for argument in (*node.args.posonlyargs, *node.args.args)}
    inside = {inner.id for inner in walk(node) if isinstance(inner, ast.Name)} | names
    alone = len(names) == 1 + (changed.time is not None) + changed.bound
    plain = not (node.args.vararg or node.args.kwarg or node.args.kwonlyargs or node.args.defaults)
    if not (alone and plain) or step.names.batch_id in inside or node.decorator_list:
        return None
    return Direct(quoted(function), _parameter(changed), given, name)
