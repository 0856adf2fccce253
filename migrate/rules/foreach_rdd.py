"""``foreachRDD``: the batch function calls the callback, with a DataFrame or with an RDD."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace

from migrate.codemod.edits import Edit, apply_edits
from migrate.codemod.style import Style, joined, one_line
from migrate.columns import Refusal
from migrate.knowledge import sessions
from migrate.knowledge.rdd import FAILS_EMPTY
from migrate.plan.callbacks import (
    Callback,
    Given,
    NotTheSame,
    callback_of,
    given,
)
from migrate.plan.caught_errors import check_caught, check_conversion
from migrate.plan.dataframes import Conversion, convert, edits_of
from migrate.plan.every_interval import check_callback
from migrate.plan.outputs import Printed
from migrate.plan.program_frames import in_program_session
from migrate.plan.stages import Frame, Rdd, Stage, to_rdd
from migrate.plan.step import Step
from migrate.rules._rule import Example, OutputRule, register

_FAILING = FAILS_EMPTY | sessions.FAILS_EMPTY
"""Methods of an RDD that fail on one without elements, or that may."""


@register
class ForeachRDD(OutputRule):
    """RDD code stays as it is where it gives the same in other partitions.

    Conversions to DataFrames fall away.
    """

    operator = "foreachRDD"
    summary = "foreachRDD becomes part of the batch function"
    examples = (
        Example(
            "lines.foreachRDD(lambda rdd: print(rdd.takeOrdered(3)))",
            "rdd = batch.rdd.map(lambda row: row[0])\nprint(rdd.takeOrdered(3))",
        ),
        Example(
            "lines.foreachRDD(lambda time, rdd: print(time, rdd.count()))",
            "print(datetime.now(), batch.count())",
        ),
    )

    def output(self, step: Step, stage: Stage) -> Printed:
        called = given(step.function("func"), step.plan.facts)
        if called is None:
            shown = step.source(step.function("func"))
            raise step.blocked(f"`{shown}` is not a function of files that were read, defined once")
        try:
            callback = called.callback()
        except NotTheSame as why:
            raise step.blocked(str(why)) from None
        check_caught(step, callback)
        if isinstance(stage, Frame) and called.editable:
            before = dict(step.plan.helpers), dict(step.plan.notes)
            try:
                return self._on_columns(step, callback, stage)
            except (Refusal, NotTheSame) as why:
                step.refused = str(why)
                step.plan.helpers, step.plan.notes = before
        return self._on_rdd(step, called, stage)

    # --- on a DataFrame -------------------------------------------------------------------------------------

    def _on_columns(self, step: Step, callback: Callback, frame: Frame) -> Printed:
        function = callback.node
        if isinstance(function, ast.FunctionDef) and len(step.plan.facts.loads.get(function.name, ())) != 1:
            raise Refusal("the callback is also used elsewhere", function)
        frame = frame.materialised()
        variable = frame.base if not frame.calls else self._variable(step)
        parameter = self._parameter(step, callback, variable)
        conversion = convert(step, callback, frame, parameter)
        check_conversion(step, callback)
        check_callback(step, replace(callback_of(function), repeated=step.repeats))
        if any("raise " in guard for guard in conversion.guards.values()):
            step.plan.first_guard = True
        if isinstance(function, ast.Lambda):
            if conversion.guards:
                raise Refusal("createDataFrame raises on a batch without rows", function)
            return Printed(self._inlined(step, conversion), (), True, uses=conversion.uses, variable=variable)
        argument = variable
        name = function.name
        arguments = f"{step.time(callback)}, {argument}" if callback.time else argument
        edits = (
            *edits_of(conversion, Style(step.plan.text).indent),
            *self._rename(step, callback, parameter),
        )
        return Printed(f"{name}({arguments})", (), True, uses=conversion.uses, variable=variable, edits=edits)

    @staticmethod
    def _guard(step: Step, callback: Callback) -> None:
        """Pass over what a query starts with: a DStream with input gives no RDD without elements."""
        named = {node.attr for node in callback.walk() if isinstance(node, ast.Attribute)}
        catches = any(isinstance(node, ast.Try) for node in callback.walk())
        if named & _FAILING and "isEmpty" not in named and not catches:
            step.plan.first_guard = True

    def _variable(self, step: Step) -> str:
        return step.operation.parents[0].target or step.plan.facts.fresh("rows")

    def _parameter(self, step: Step, callback: Callback, variable: str) -> str:
        if isinstance(callback.node, ast.Lambda):
            return variable
        inside = {node.id for node in callback.walk() if isinstance(node, ast.Name)}
        wanted = variable if variable != step.plan.batch else "batch"
        return wanted if wanted not in inside else step.plan.facts.fresh("frame")

    def _inlined(self, step: Step, conversion: Conversion) -> str:
        callback = conversion.callback
        assert isinstance(callback.node, ast.Lambda)
        replaced = dict(conversion.replaced)
        if callback.time is not None:
            replaced |= {node: step.time(callback) for node in callback.reads(callback.time)}
        return _substituted(step, callback.node.body, replaced)

    def _rename(self, step: Step, callback: Callback, parameter: str) -> tuple[Edit, ...]:
        text = step.plan.text
        arguments = callback.node.args
        every = [*arguments.posonlyargs, *arguments.args]
        argument = next(argument for argument in every if argument.arg == callback.rdd)
        return (Edit(text.start(argument), text.end(argument), parameter),)

    # --- on an RDD ------------------------------------------------------------------------------------------

    def _on_rdd(self, step: Step, called: Given, stage: Stage) -> Printed:
        callback = replace(called.callback(), repeated=step.repeats)
        rdd = to_rdd(stage) if isinstance(stage, Frame) else stage
        try:
            check_callback(step, callback, rdd)
            edits = in_program_session(step, callback)
        except NotTheSame as why:
            raise step.blocked(str(why)) from None
        if callback.unordered:
            step.reduced(callback.unordered, callback=callback)
        self._guard(step, callback)
        uses = sum(isinstance(node, ast.Name) and node.id in callback.rdds for node in callback.walk())
        if called.name is not None:
            argument = one_line(rdd.base, rdd.calls)
            arguments = f"{step.time(callback)}, {argument}" if callback.time else argument
            return Printed(f"{called.name}({arguments})", (), False, uses=uses, edits=edits)
        return self._inline_rdd(step, callback, rdd, uses, edits)

    def _inline_rdd(
        self, step: Step, callback: Callback, rdd: Rdd, uses: int, edits: Sequence[Edit]
    ) -> Printed:
        assert isinstance(callback.node, ast.Lambda)
        names = list(callback.reads(callback.rdd))
        # a call of the program's own function is made once
        variable = rdd.base if not rdd.calls and rdd.base.isidentifier() else step.plan.rdd
        replaced: dict[ast.AST, str] = dict.fromkeys(names, variable)
        if callback.time is not None:
            replaced |= {node: step.time(callback) for node in callback.reads(callback.time)}
        start, end = step.plan.text.start(callback.node.body), step.plan.text.end(callback.node.body)
        own = [edit for edit in edits if start <= edit.start and edit.end <= end]
        others = tuple(edit for edit in edits if edit not in own)
        body = _substituted(step, callback.node.body, replaced, own)
        return Printed(body, (), False, uses=uses, variable=variable, edits=others)


def _substituted(
    step: Step, node: ast.expr, replaced: dict[ast.AST, str], others: Sequence[Edit] = ()
) -> str:
    """The text of an expression with parts of it replaced, and with other edits, on one line."""
    text = step.plan.text
    start, end = text.start(node), text.end(node)
    parts = [Edit(text.start(part), text.end(part), new) for part, new in replaced.items()]
    edits = [
        Edit(edit.start - start, edit.end - start, edit.text)
        for edit in (*others, *parts)
        if start <= edit.start and edit.end <= end
    ]
    code = apply_edits(text.source[start:end], edits)
    return joined(code, ast.parse(f"({code})", mode="eval").body)
