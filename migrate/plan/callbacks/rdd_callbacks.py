"""Callbacks with RDD code, on the rows of a DataFrame or on an RDD."""

from __future__ import annotations

import ast

from migrate.columns import Refusal
from migrate.frozen import replace
from migrate.plan.callbacks.callback_calls import (
    check_counted,
    check_there,
    direct_rdd,
    name_of_frame,
    passed,
    read_as,
    taking_frame,
    timed,
    times,
)
from migrate.plan.callbacks.callback_sessions import in_own_session
from migrate.plan.callbacks.callback_views import of_today
from migrate.plan.callbacks.empty_first_batch import skip_first_batch
from migrate.plan.callbacks.empty_rdds import Made, guarded, made_of_empty
from migrate.plan.callbacks.lambda_bodies import in_place
from migrate.plan.callbacks.program_frames import in_program_session
from migrate.plan.callbacks.rows_callbacks import on_rows
from migrate.plan.checks.callbacks import times_computed
from migrate.plan.draft.every_interval import check_callback
from migrate.plan.draft.outputs import Printed
from migrate.plan.draft.step import Step
from migrate.plan.elements.only_rdd import check_lists
from migrate.plan.frames.frame import Frame
from migrate.plan.frames.rdd import Rdd
from migrate.plan.frames.row_elements import value_shape
from migrate.plan.frames.stages import Stage, to_rdd, to_rows
from migrate.plan.new_code.code import calling
from migrate.plan.new_code.function_call import Argument
from migrate.plan.new_code.inner import Inner, reading
from migrate.plan.sources.only_elements import of_only_element
from migrate.plan.sources.reduce_order import reduce_in_order
from migrate.proofs.callbacks.roles import Callback, Given, NotTheSame, forwarded, forwarded_on_condition


def on_frame_rows(step: Step, called: Given, frame: Frame, *, has_rdd: bool = True) -> Printed:
    """The output of a callback with RDD code on the rows of a DataFrame.

    Args:
        step: the output.
        called: what the program gives to it.
        frame: the batch.
        has_rdd: whether RDD code may be left; else it must be one that reads rows on the driver.

    Raises:
        Refusal: the rows are not known to be what the code reads.
    """
    callback = replace(called.callback(), repeated=step.repeats)
    if not called.editable:
        raise Refusal("the callback's code may not change", callback.node)
    frame = frame.elements_only().materialised()
    # typed functions are of no use for an RDD, but for rows that the driver reads
    rows = to_rows(replace(frame, python=frozenset()) if frame.shown is not None else frame)
    variable = read_as(step, callback, frame)
    handed = forwarded(callback, step.facts) or forwarded_on_condition(callback, step.facts)
    changed = handed.callback if handed is not None else callback
    check_counted(handed, frame)
    check_there(changed, step.facts)
    parameter = name_of_frame(step, changed, frame, variable)
    of_rows = replace(rows, value=value_shape(frame.element))
    made = _made_in(step, called, changed)
    check_rdd_code(step, called, callback, of_rows, handed.callback if handed is not None else None, made)
    inner = step.needs.inner
    # the RDD of a `toDF` stays, as an argument of the `createDataFrame` in its place
    gone = {*(node for node, _ in inner.replaced if not _is_to_frame(node)), *inner.dropped}
    found = on_rows(step.within(changed.node), changed, frame, parameter, gone)
    if found.has_rdd and not has_rdd:
        raise Refusal("it keeps RDD code", callback.node)
    if found.has_rdd:
        check_lists(step, frame)
    step.need(inner=found.changes | of_today(changed))
    if isinstance(changed.node, ast.FunctionDef):
        step.need(inner=taking_frame(changed, parameter))
    uses = times_computed(changed, step.operation) - found.saved
    if handed is not None:
        step.need(inner=reading(*((read, variable) for read in (handed.read, *handed.asked))))
        uses += len(handed.asked)
    column = not found.has_rdd
    printed = passed(step, callback, variable, parameter, column=column, uses=uses, changed=changed)
    is_asked = made is not None and made.rdd == changed.rdd
    return guarded(step.within(changed.node), made, parameter, printed) if made and is_asked else printed


def _is_to_frame(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "toDF"


def on_rdd(step: Step, called: Given, stage: Stage) -> Printed:
    """The output of a callback that is given an RDD, and stays as it is."""
    callback = replace(called.callback(), repeated=step.repeats)
    if isinstance(stage, Frame):
        check_lists(step, stage)
        rdd = to_rdd(stage)
    else:
        rdd = stage
    handed = forwarded(callback, step.facts)
    changed = callback if handed is None else handed.callback
    made = _made_in(step, called, changed)
    check_rdd_code(step, called, callback, rdd, made=made)
    uses = times_computed(changed, step.operation)
    if called.name is not None:
        keeps = uses > 1 and step.operation.parents[0].cached
        arguments = [Argument(rdd.chain.text, is_variable=rdd.is_held, makes_rdd=rdd.chain.makes_rdd)]
        if keeps and not rdd.is_held:
            arguments = [Argument(step.names.rdd, is_variable=True)]
        if callback.time and called.editable and isinstance(callback.node, ast.FunctionDef):
            arguments[:0] = timed(step, callback)
        elif callback.time:
            arguments.insert(0, Argument(step.time(callback), is_variable=True))
        chain = calling(step.function("func"), *arguments)
        direct = direct_rdd(step, callback, rdd) if called.editable and not keeps else None
        variable = step.names.rdd if keeps and not rdd.is_held else None
        printed = Printed(chain, column=False, uses=uses, direct=direct, variable=variable)
        return guarded(step.within(changed.node), made, made.rdd, printed) if made else printed
    assert isinstance(callback.node, ast.Lambda)
    if (taken := of_only_element(callback, rdd.only, step.facts.above)) is not None:
        step.need(inner=Inner(taken) | times(step, callback))
        return replace(in_place(step, callback.node.body), column=False, uses=uses)
    # a call of the program's own function is made once
    variable = rdd.base if rdd.is_held else _name_of_output(step) or step.names.rdd
    renamed = tuple((node, variable) for node in callback.reads(callback.rdd))
    step.need(inner=Inner(renamed=renamed) | times(step, callback))
    printed = replace(in_place(step, callback.node.body), column=False, uses=uses, variable=variable)
    if made is None:
        return printed
    asked = variable if changed is callback else made.rdd
    return guarded(step.within(changed.node), made, asked, printed)


def _made_in(step: Step, called: Given, callback: Callback) -> Made | None:
    """The DataFrame that a callback whose code may change makes of an RDD, which may have no elements."""
    is_named = isinstance(callback.node, ast.Lambda) and called.name is not None
    is_chosen = isinstance(callback.node.body, ast.IfExp)
    if is_named or is_chosen or not called.editable:
        return None
    return made_of_empty(step.within(callback.node), callback)


def _name_of_output(step: Step) -> str:
    """The variable, None, that an output is assigned to and nothing reads: it says what is put out."""
    facts, call = step.facts, step.operation.call
    match facts.above.get(call):
        case ast.Assign([ast.Name(name)]) if not facts.loads.get(name) and len(facts.bindings[name]) == 1:
            return "" if facts.is_declared_elsewhere(name) else name
    return ""


def check_rdd_code(
    step: Step,
    called: Given,
    callback: Callback,
    rdd: Rdd,
    handed: Callback | None = None,
    made: Made | None = None,
) -> None:
    """Check RDD code, and let it read the program's session, also where it hands its RDD on to."""
    try:
        check_callback(step, callback, rdd)
        own = in_own_session(step, callback) if called.editable else Inner()
        step.need(inner=in_program_session(step, callback, own.dropped))
        if handed is not None and called.editable:
            there = in_own_session(step, handed)
            step.need(inner=in_program_session(step, handed, there.dropped) | there)
    except NotTheSame as why:
        raise step.blocked(str(why)) from None
    if callback.unordered:
        behind = rdd.shuffled and not callback.shuffled
        reduce_in_order(step, callback.unordered, callback=callback, behind_shuffles=behind)
    if called.editable:
        step.need(inner=own | of_today(callback))
    skip_first_batch(step.within(callback.node), callback, {made.call} if made is not None else ())
