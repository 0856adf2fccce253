"""Callbacks that take the DataFrame of a batch, without RDD code."""

from __future__ import annotations

import ast

from migrate.columns import Refusal
from migrate.frozen import replace
from migrate.plan.callbacks.callback_calls import (
    OF_DSTREAMS,
    check_counted,
    check_there,
    name_of_frame,
    passed,
    read_as,
    taking_frame,
    times,
)
from migrate.plan.callbacks.collected_once import collect_once
from migrate.plan.callbacks.collected_order import tell_inside
from migrate.plan.callbacks.dataframes import convert
from migrate.plan.callbacks.empty_first_batch import skip_first_batch
from migrate.plan.callbacks.lambda_bodies import continued
from migrate.plan.callbacks.shared_callbacks import change_alike
from migrate.plan.callbacks.stored_frames import keep_rows
from migrate.plan.callbacks.whole_states import count_rows
from migrate.plan.checks.callbacks import times_read
from migrate.plan.draft.every_interval import check_callback, has_every_interval
from migrate.plan.draft.outputs import Printed
from migrate.plan.draft.step import Step
from migrate.plan.elements.caught_errors import check_conversion
from migrate.plan.frames.frame import Frame
from migrate.plan.new_code.inner import reading
from migrate.plan.sources.reduce_order import sum_by_key, sum_in_partitions
from migrate.proofs.analysis.facts import Facts
from migrate.proofs.callbacks.only_shows import only_shows
from migrate.proofs.callbacks.roles import (
    Callback,
    Given,
    file_of,
    forwarded,
    forwarded_on_condition,
    used_elsewhere,
)

_ELSEWHERE = "the callback is used elsewhere too, or is no function of this file"
_OF_ITS_FILE = "it is changed to take a DataFrame only where no other program uses that file"


def on_columns(
    step: Step,
    called: Given,
    callback: Callback,
    frame: Frame,
    shared: ast.FunctionDef | None = None,
    *,
    composes: bool = False,
) -> Printed:
    """The output of a callback whose RDD code becomes DataFrame code.

    Args:
        step: the output.
        called: what the program gives to it.
        callback: the function.
        frame: the batch.
        shared: the function that several callbacks hand their RDDs to, if there is one.
        composes: whether a typed function may call several functions of the callback.

    Raises:
        Refusal: it uses the RDD in a way that has no proven form on a DataFrame.
        NotTheSame: it does something else with batches of Structured Streaming.
    """
    if not called.editable and called.node is not shared:
        raise Refusal(_why_it_stays(called, step.facts), callback.node)
    frame = frame.without_times().materialised()
    variable = read_as(step, callback, frame)
    handed = forwarded(callback, step.facts, shared) or forwarded_on_condition(callback, step.facts, shared)
    changed = handed.callback if handed is not None else callback
    check_counted(handed, frame)
    check_there(changed, step.facts)
    of_all = "df" if OF_DSTREAMS.search(changed.rdd) else changed.rdd
    here = changed.node is not shared and step.facts.of(changed.node) is step.facts
    parameter = name_of_frame(step, changed, frame, variable if here else of_all)
    conversion = convert(step.within(changed.node), changed, frame, parameter, shared, composes=composes)
    collect_once(conversion)
    tell_inside(step, changed, conversion.replaced)
    keep_rows(conversion, changed.node, step.facts.of(changed.node).tree)
    check_conversion(step, callback)
    own = replace(called.callback(), repeated=step.repeats)
    check_callback(step, own, reduced={*conversion.replaced, *step.needs.float_sums})
    if conversion.floats:
        sum_in_partitions(step, own, conversion.floats[0])
    if step.needs.float_sums:
        sum_by_key(step, own, step.needs.float_sums[0])
    if conversion.raises or (conversion.empty_at_first and not only_shows(changed, step.facts)):
        step.need(first_guard=True)
    if conversion.told_empty and has_every_interval(step.basis, step.known):
        step.need(first_guard=True)
    skip_first_batch(step.within(changed.node), changed, made=conversion.replaced)
    if shared is None:
        count_rows(conversion)
    step.need(inner=conversion.inner, frames=conversion.variables)
    if shared is not None and changed.node is shared:
        change_alike(step, shared, conversion.inner)
    if changed.node is not called.node or isinstance(callback.node, ast.FunctionDef):
        step.need(inner=taking_frame(changed, parameter))
    if isinstance(callback.node, ast.Lambda):
        if conversion.guards and handed is None:
            raise Refusal("createDataFrame raises on a batch without rows", callback.node)
        if handed is not None:
            step.need(inner=reading(*((read, variable) for read in (handed.read, *handed.asked))))
    uses = conversion.uses + (len(handed.asked) if handed is not None else 0)
    if (
        isinstance(callback.node, ast.Lambda)
        and changed is callback
        and frame.calls
        and not step.target
        and times_read(callback) == 1
    ):
        step.need(inner=times(step, callback))
        whole = continued(step, callback.node.body, frame, variable)
        if whole is not None:
            return replace(whole, uses=uses)
    return passed(step, callback, variable, parameter, uses=uses, changed=changed)


def _why_it_stays(called: Given, facts: Facts) -> str:
    """The reason why the code of a callback may not change."""
    users, file = used_elsewhere(called, facts), file_of(called, facts)
    if users:
        return f"`{called.name}` is used by {users} too, which gives it an RDD"
    if file:
        return f"`{called.name}` is defined in {file}: {_OF_ITS_FILE}"
    return _ELSEWHERE
