"""Calls of a callback with the DataFrame of a batch: its arguments, and the new name of its parameter."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from migrate.columns import Refusal
from migrate.frozen import replace
from migrate.graph.blocked import Blocked
from migrate.knowledge.builtins import READ_BY_NAME
from migrate.plan.callbacks.lambda_bodies import in_place
from migrate.plan.checks.callbacks import times_read
from migrate.plan.draft.outputs import Direct, Printed
from migrate.plan.draft.step import Step
from migrate.plan.frames.frame import Frame
from migrate.plan.frames.rdd import Rdd
from migrate.plan.frames.tokens import tokens_of
from migrate.plan.new_code.code import calling
from migrate.plan.new_code.function_call import LEFT_OUT, Argument
from migrate.plan.new_code.inner import GONE, Inner, Parameters
from migrate.plan.new_code.our_names import OURS, check_names
from migrate.proofs.analysis.aliases import parameter_of
from migrate.proofs.analysis.facts import Facts
from migrate.proofs.callbacks.given_to_outputs import given_to_outputs
from migrate.proofs.callbacks.roles import Callback, Forwarded, given, is_used_only_by
from migrate.syntax.nodes import code_of, of_kinds, walk
from migrate.syntax.quoting import quoted
from migrate.syntax.tree import parameter_names

OF_DSTREAMS = re.compile(r"rdd|stream", re.IGNORECASE)
"""Names of streams and RDDs, which none of a DataFrame's parameters gets."""


def passed(
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
        step.need(inner=times(step, callback))
        printed = in_place(step, callback.node.body)
    else:
        arguments = [*timed(step, callback), Argument(variable, is_variable=True)]
        printed = Printed(calling(step.function("func"), *arguments), column=True)
    direct = _direct(step, callback, changed or callback, variable, parameter)
    own = _takes_frame(step, callback, changed or callback)
    printed = replace(printed, direct=direct, takes_frame=own)
    return replace(printed, column=column, uses=uses, variable=variable, rows=not column)


def check_counted(handed: Forwarded | None, frame: Frame) -> None:
    """Refuse to count rows in a condition whose columns may fail, as counting computes none.

    Raises:
        Refusal: they may.
    """
    if handed is not None and handed.asked and tokens_of(frame.element):
        raise Refusal("counting does not compute a value whose computation may raise", handed.asked[0])


def variable_of(step: Step) -> str:
    """The variable that holds the DataFrame of a callback."""
    return step.target or step.names.rows


def read_as(step: Step, callback: Callback, frame: Frame) -> str:
    """What a callback reads a DataFrame as: a variable, or what makes it where only one place reads that."""
    in_place = isinstance(callback.node, ast.Lambda) and times_read(callback) > 1
    is_there = not frame.calls and not (frame.is_made and in_place)
    return frame.base if is_there else variable_of(step)


def name_of_frame(step: Step, callback: Callback, frame: Frame, variable: str) -> str:
    """The name of the parameter that gets a DataFrame; the variable, where a lambda is written in place."""
    if isinstance(callback.node, ast.Lambda):
        return variable
    if frame.is_made and variable == frame.base:  # a window's batches
        variable = variable_of(step)
    inside = {node.id for node in callback.walk() if isinstance(node, ast.Name)} - {callback.rdd}
    own = variable == step.names.batch or OF_DSTREAMS.search(variable)
    wanted = "batch" if own else "df" if _serves_several(callback) else variable
    # other functions may have a parameter of the same name
    free = (name for name in (wanted, "frame", "data_frame") if name not in inside)
    return next(free, "") or step.fresh("frame", anywhere=True)


def _serves_several(callback: Callback) -> bool:
    """Whether a function is told more than the batch and its time, as one that serves several streams."""
    arguments = callback.node.args
    own = arguments.args[1:] if callback.bound else arguments.args
    return not {one.arg for one in (*own, *arguments.kwonlyargs)} <= {callback.rdd, callback.time}


def check_there(callback: Callback, facts: Facts) -> None:
    """Refuse new code in another module that has a name of ours for something else.

    Raises:
        Refusal: the callback is defined in such a one.
    """
    there = facts.of(callback.node)
    try:
        check_names(there, OURS if there is not facts else ())
    except Blocked as blocked:
        raise Refusal(blocked.reason, callback.node) from None


def timed(step: Step, callback: Callback) -> list[Argument]:
    """The argument for the batch time of a function that may change: it has none if it does not read it.

    It keeps it beside another function that outputs are given, and that does read it.
    """
    if callback.time is None:
        return []
    if _is_read(callback.time, callback):
        return [Argument(step.time(callback), is_variable=True)]
    if any(map(_reads_time, _siblings(step, callback))):
        return [Argument(step.batch_time(printed=True), is_variable=True)]
    step.need(inner=Inner(parameters=((_named(callback, callback.time), GONE),)))
    return []


def _siblings(step: Step, callback: Callback) -> Iterator[ast.FunctionDef]:
    """The other functions of a module that outputs are given by their names."""
    names = {code_of(one).rpartition(".")[2] for one in given_to_outputs(step.facts.tree)}
    for function in of_kinds(step.facts.tree, ast.FunctionDef):
        if function.name in names and function is not callback.node:
            yield function


def _reads_time(function: ast.FunctionDef) -> bool:
    """Whether a function with two parameters, beside ``self``, reads the first one."""
    own = [one.arg for one in function.args.args if one.arg != "self"]
    return len(own) == 2 and any(isinstance(one, ast.Name) and one.id == own[0] for one in walk(function))


def times(step: Step, callback: Callback) -> Inner:
    """The batch time, where a lambda that is written in place reads it."""
    if callback.time is None:
        return Inner()
    unread = _without_time(step, callback, callback.time)
    if unread is not None:
        return unread
    return Inner(tuple((node, step.time(callback)) for node in callback.reads(callback.time)))


def _without_time(step: Step, callback: Callback, time: str) -> Inner | None:
    """The batch time as an argument that goes, with the parameter of the function that a lambda calls.

    None where the function reads it, or more than the call does.
    """
    call, reads = callback.node.body, [*callback.reads(time)]
    if not isinstance(call, ast.Call) or len(reads) != 1:
        return None
    called, (read,) = given(call.func, step.facts), reads
    function = called.node if called is not None and called.editable and not called.bound else None
    if not isinstance(function, ast.FunctionDef) or function.args.vararg or function.args.kwarg:
        return None
    name = parameter_of(read, call, parameter_names(function))
    parameter = next((one for one in function.args.args if one.arg == name), None)
    named = {node.id for node in walk(function) if isinstance(node, ast.Name)}
    if parameter is None or not named.isdisjoint({parameter.arg, *READ_BY_NAME}):
        return None
    return Inner(((read, LEFT_OUT),), parameters=((parameter, GONE),))


def rdd_parameter(callback: Callback) -> ast.arg:
    """The parameter that is the RDD."""
    return _named(callback, callback.rdd)


def taking_frame(callback: Callback, name: str) -> Inner:
    """The parameter that was the RDD, as one that is given a DataFrame."""
    return Inner(parameters=((rdd_parameter(callback), Parameters((name,))),))


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
    function = call.func if isinstance(call, ast.Call) else step.function("func")
    if not isinstance(changed.node, ast.FunctionDef):
        return None
    name = _only_read(step, function, changed.node)
    return None if name is None else (changed.node, name)


def _direct(step: Step, callback: Callback, changed: Callback, given: str, name: str) -> Direct | None:
    """The call of a function that takes the DataFrame, and at most the batch time, if there is one.

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
    if isinstance(node, ast.Lambda) or not _takes_batch(step, changed, node):
        return None
    is_timed = changed.time is not None and _is_read(changed.time, changed)
    time = _named(changed, changed.time) if is_timed and changed.time is not None else None
    read = _only_read(step, function, node)
    alone = read is not None
    return Direct(
        function=quoted(function),
        parameter=rdd_parameter(changed),
        given=given,
        name=name,
        node=node,
        time=time,
        read=read,
        alone=alone,
    )


def direct_rdd(step: Step, callback: Callback, rdd: Rdd) -> Direct | None:
    """The call of a function that takes the RDD, and at most the batch time."""
    node = callback.node
    if isinstance(node, ast.Lambda) or not _takes_batch(step, callback, node):
        return None
    time = _named(callback, callback.time) if callback.time is not None else None
    parameter = rdd_parameter(callback)
    function, name = step.function("func"), parameter.arg
    read = _only_read(step, function, node)
    return Direct(
        function=quoted(function),
        parameter=parameter,
        given=name,
        name=name,
        node=node,
        time=time,
        rdd=rdd.chain,
        read=read,
        alone=True,
    )


def _only_read(
    step: Step, function: ast.expr, node: ast.FunctionDef | ast.AsyncFunctionDef
) -> ast.Name | None:
    """Where the name of a function is read, if that is nowhere else."""
    if not isinstance(function, ast.Name) or not isinstance(node, ast.FunctionDef):
        return None
    return function if is_used_only_by([function], node, step.facts) else None


def _takes_batch(step: Step, callback: Callback, node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a callback can have the parameters of a batch function, and has no others."""
    names = {argument.arg for argument in (*node.args.posonlyargs, *node.args.args)}
    inside = {inner.id for inner in walk(node) if isinstance(inner, ast.Name)} | names
    alone = len(names) == 1 + (callback.time is not None) + callback.bound
    plain = not (node.args.vararg or node.args.kwarg or node.args.kwonlyargs or node.args.defaults)
    return alone and plain and step.names.batch_id not in inside and not node.decorator_list
