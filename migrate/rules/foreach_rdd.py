"""``foreachRDD``: the batch function calls the callback, with a DataFrame or with an RDD."""

from __future__ import annotations

import ast
from contextlib import suppress

from migrate.columns import Refusal
from migrate.frozen import replace
from migrate.graph.cassandra import saved_rdd
from migrate.plan.callbacks.cassandra import saved
from migrate.plan.callbacks.cassandra_rows import saved_as_rows
from migrate.plan.callbacks.collected_order import OF_RDD, is_cut_as_before, tell_files, tell_order, tell_ties
from migrate.plan.callbacks.frame_callbacks import on_columns
from migrate.plan.callbacks.rdd_callbacks import on_frame_rows, on_rdd
from migrate.plan.callbacks.rdd_chain import frame_of
from migrate.plan.callbacks.rows_by_position import tell_positions
from migrate.plan.callbacks.shared_callbacks import rather_rdds, shared_callback
from migrate.plan.callbacks.whole_states import of_state
from migrate.plan.draft.outputs import Printed
from migrate.plan.draft.step import Step
from migrate.plan.elements.caught_errors import check_caught, may_raise_here
from migrate.plan.frames.frame import Frame
from migrate.plan.frames.rdd import Rdd
from migrate.plan.frames.stages import Stage, check_not_within
from migrate.plan.new_code.inner import Inner
from migrate.plan.typed.by_schema import check_framed
from migrate.proofs.callbacks.roles import Callback, Given, NotTheSame, forwarded, given
from migrate.proofs.callbacks.takes_elements import may_call
from migrate.rules._register import Example, OutputRule, register


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
            "lines.foreachRDD(lambda rdd: print(rdd.takeOrdered(3, key=lambda line: line)))",
            'print([row["value"] for row in batch.orderBy("value").take(3)])',
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
            'rows = counts.toDF("line", "n").persist()\n'
            "show(rows)\n"
            "rows.unpersist()",
        ),
        Example(
            "lines.foreachRDD(lambda rdd: print(rdd.count()) if not rdd.isEmpty() else None)",
            "if not batch.isEmpty():\n    print(batch.count())",
        ),
        Example(
            "def show(rdd):\n"
            "    count = rdd.count()\n"
            "    if count == 0:\n"
            "        return\n"
            "    total = rdd.map(len).reduce(lambda a, b: a + b)\n"
            "    print(count, total / count)\n"
            "\n"
            "lines.foreachRDD(show)",
            'count, total = batch.agg(F.count("*"), F.sum(F.length("value"))).first()\n'
            "if count == 0:\n"
            "    return\n"
            "print(count, total / count)",
        ),
        Example(
            "def show(rdd):\n"
            "    if rdd.count() > 0:\n"
            "        print(rdd.max(), rdd.reduce(lambda a, b: a + b))\n"
            "\n"
            "lines.map(lambda line: len(line)).foreachRDD(show)",
            'rows = batch.select(F.length("value").alias("value")).persist()\n'
            "if rows.count() > 0:\n"
            '    print(*rows.agg(F.max("value"), F.sum("value")).first())\n'
            "rows.unpersist()",
        ),
        Example(
            "def mean(rdd):\n"
            "    n = rdd.count()\n"
            "    if n == 0:\n"
            "        return\n"
            "    total = rdd.sum()\n"
            "    print(n, total / n)\n"
            "\n"
            "lines.map(lambda line: len(line)).foreachRDD(mean)",
            'rows = batch.select(F.length("value").alias("value"))\n'
            'n, total = rows.agg(F.count("*"), F.sum("value")).first()\n'
            "if n == 0:\n"
            "    return\n"
            "print(n, total / n)",
        ),
        Example(
            "def show(rdd):\n"
            "    for counted in rdd.collect():\n"
            "        print(counted)\n"
            "\n"
            'parsed = lines.map(lambda line: {"text": line, "n": len(line)})\n'
            'parsed.map(lambda d: [d["text"], d["n"]]).foreachRDD(show)',
            "for line in batch.collect():\n"
            '    d = {"text": line["value"], "n": len(line["value"])}\n'
            '    counted = [d["text"], d["n"]]\n'
            "    print(counted)",
        ),
        Example(
            "def show(rdd):\n"
            "    def sized(line):\n"
            "        return line, len(line)\n"
            "\n"
            "    for line, size in sorted(rdd.map(sized).collect()):\n"
            "        print(line, size)\n"
            "\n"
            "lines.foreachRDD(show)",
            "if batch_id == 0 and batch.isEmpty():  # at the start, before any batch is due\n"
            "    return\n"
            "\n"
            "for line, size in sorted("
            'batch.select("value", F.length("value").alias("value2")).collect()):\n'
            "    print(line, size)",
        ),
        Example(
            "def show(words):\n"
            "    words = words.filter(lambda words: len(words) > 1).collect()\n"
            '    print(sorted(words), words.count("7"))\n'
            "\n"
            "lines.foreachRDD(show)",
            'words = [row["value"] for row in batch.where(F.length("value") > 1).collect()]\n'
            'print(sorted(words), words.count("7"))',
        ),
        Example(
            "def show(rdd):\n"
            "    try:\n"
            "        print(sorted(rdd.collect()))\n"
            "    except Exception:\n"
            '        print("no price")\n'
            "\n"
            "lines.map(lambda s: (s, float(s))).foreachRDD(show)",
            'rows = batch.select("value", F.col("value").cast("double").alias("value2"))\n'
            "try:\n"
            "    print(sorted([tuple(row) for row in rows.collect()]))\n"
            "except Exception:\n"
            '    print("no price")',
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
        return of_state(step, stage, self._output(step, stage))

    def _output(self, step: Step, stage: Stage) -> Printed:
        called = given(step.function("func"), step.facts)
        if called is None:
            shown = step.shown(step.function("func"))
            raise step.blocked(f"`{shown}` is not a function of files that were read, defined once")
        if (variable := called.variable) is not None:  # the lambda is written in place
            called = replace(called, name=None)
            step.need(inner=Inner(dropped=(variable,)))
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
        if saving is not None and isinstance(stage, Rdd):
            printed = saved_as_rows(step, stage)
            if printed is not None:
                return printed
        shared = shared_callback(step)
        if shared is not None and not isinstance(stage, Frame):
            raise rather_rdds(shared)
        if isinstance(stage, Frame) and stage.shown is not None:
            tell_order(step, callback)
            tell_positions(step, callback)
            return on_frame_rows(step, called, stage)
        if isinstance(stage, Frame) and stage.within:
            return self._within(step, called, callback, stage, shared)
        if isinstance(stage, Frame):
            tell_order(step, callback)
            try:
                return step.attempt(lambda tried: on_columns(tried, called, callback, stage, shared))
            except (Refusal, NotTheSame) as why:
                if shared is not None:
                    raise rather_rdds(shared) from None
                step.refused = str(why)
            return self._otherwise(step, called, callback, stage)
        if not stage.exact and not is_cut_as_before(step):
            tell_order(step, callback, OF_RDD)
            tell_positions(step, callback, of_rdd=True)
        return on_rdd(step, called, stage)

    def _within(
        self,
        step: Step,
        called: Given,
        callback: Callback,
        frame: Frame,
        shared: ast.FunctionDef | None,
    ) -> Printed:
        """The output of a callback whose functions call those that make its elements, which no columns hold.

        Raises:
            RatherError: it does more with these.
        """
        tell_order(step, callback)
        handed = forwarded(callback, step.facts, shared)
        changed = callback if handed is None else handed.callback
        functions = [part.function for part in frame.within]
        if may_call(changed, functions, step.facts) and may_raise_here(step, changed):
            with suppress(Refusal, NotTheSame):
                return step.attempt(
                    lambda tried: on_columns(tried, called, callback, frame, shared, composes=True)
                )
        check_not_within(frame)
        raise AssertionError("functions are within the frame")

    def _otherwise(self, step: Step, called: Given, callback: Callback, frame: Frame) -> Printed:
        """The output on rows that the driver reads, or of functions that call each other, or in RDD code."""
        check_framed(frame)
        if not frame.python:  # else RDD code would have to make its columns
            with suppress(Refusal):
                printed = step.attempt(lambda tried: on_frame_rows(tried, called, frame, has_rdd=False))
                tell_positions(step, callback)
                return printed
        with suppress(Refusal, NotTheSame):
            return step.attempt(lambda tried: on_columns(tried, called, callback, frame, composes=True))
        tell_positions(step, callback)
        with suppress(Refusal):
            return step.attempt(lambda tried: on_frame_rows(tried, called, frame))
        return on_rdd(step, called, frame)

    @staticmethod
    def _saved(step: Step, call: ast.Call, callback: Callback, frame: Frame) -> Printed:
        """The write of what the callback saves to Cassandra, and does nothing else."""
        assert isinstance(call.func, ast.Attribute)
        of_batch = frame_of(step, call.func.value, {callback.rdd: frame.without_times()})
        return saved(step, call, of_batch)
