"""Callbacks with RDD code that take the DataFrame of a batch: their RDD is ``batch.rdd``, of its rows."""

from __future__ import annotations

import ast
from collections.abc import Collection, Sequence
from typing import NamedTuple

from migrate.columns import Element, Refusal, Scalar, has_unread
from migrate.columns.shapes import Maybe
from migrate.frozen import replace
from migrate.plan.callbacks.callback_calls import check_there, name_of_frame, taking_frame
from migrate.plan.callbacks.creating import OF_FRAMES, filled, read_as_json
from migrate.plan.callbacks.driver_lists import DriverLists, driver_lists
from migrate.plan.draft.step import Step
from migrate.plan.elements.row_functions import dict_of_rows, field_of, listed, named_places, of_row
from migrate.plan.frames.frame import Frame
from migrate.plan.frames.row_elements import is_flat
from migrate.plan.frames.tokens import tokens_of
from migrate.plan.new_code.code import Call, Chain
from migrate.plan.new_code.inner import Inner, Put, reading
from migrate.plan.new_code.row_loop import RowLoop
from migrate.proofs.analysis.summary import is_call_of
from migrate.proofs.callbacks.roles import Callback, handed_on, is_there
from migrate.proofs.callbacks.takes_elements import BRINGING, HANDING
from migrate.proofs.elements.callback_places import GIVEN_ELEMENTS
from migrate.proofs.elements.rows_as_tuples import gives_rows
from migrate.syntax.bindings import BINDING, bound_by
from migrate.syntax.nodes import around, code_of, lines_of, position, walk
from migrate.syntax.quoting import quoted
from migrate.syntax.tree import declared_among, parameter_names, tries_around

_BY_RDD = GIVEN_ELEMENTS - {"foreach"}
"""Those that a DataFrame has not."""
_READS = 2
"""Reads of an element in one lambda, up to which each of them names the column."""
_SHORT = 70
"""The letters of a line that may be longer by ``.rdd.map(lambda row: row["value"])``."""


class OnRows(NamedTuple):
    """What becomes of a callback."""

    changes: Inner
    has_rdd: bool
    """Whether it reads the RDD of the DataFrame."""
    saved: int = 0
    """How often it does not compute the DataFrame where the program's code did compute the RDD."""


def on_rows(
    step: Step, callback: Callback, frame: Frame, parameter: str, gone: Collection[ast.AST]
) -> OnRows:
    """A callback with RDD code that is given a DataFrame.

    Args:
        step: the operator.
        callback: the function.
        frame: the DataFrame, each of whose rows stands for an element, or for what the driver makes of it.
        parameter: the new name of its parameter.
        gone: nodes that are replaced already.

    Raises:
        Refusal: it uses the RDD otherwise than for methods of which each is on rows by itself.
    """
    if callback.binds(callback.rdd):
        raise Refusal("the callback gives its RDD's name to another one", callback.node)
    parents, has_rdd = callback.parents, False
    lists = DriverLists(Inner())
    if frame.shown is None:
        lists = driver_lists(step, callback, frame.element, parameter)
    changes, saved = lists
    gone = {*gone, *(node for node, _ in changes.replaced)}
    by_elements = [one for one in callback.reads(callback.rdd) if _is_read_by_elements(one, parents, frame)]
    named = [one for one in by_elements if not _is_gone(one, parents, gone)]
    if _is_worth_a_name(named, callback, parameter, step):
        changes |= _named(step, named, callback, frame.element, parameter)
        gone, has_rdd = {*gone, *named}, True
    for read in callback.reads(callback.rdd):
        if not _is_gone(read, parents, gone):
            if frame.shown is not None:
                changes |= _read_late(read, callback, frame.shown, parameter)
                continue
            above = parents.get(read)
            other = handed_on(above, read, step.facts) if isinstance(above, ast.Call) else None
            if other is not None and isinstance(above, ast.Call) and read in above.args:
                found = _on_rows_there(step, other.callback, frame, parameter, gone)
                changes |= found.changes | reading((read, parameter))
                has_rdd |= found.has_rdd
                saved += found.saved
                continue
            changes |= _read(step, read, parents, frame.element, parameter)
            has_rdd |= isinstance(above, ast.Attribute) and above.attr in _BY_RDD
    return OnRows(changes, has_rdd, saved)


def _is_read_by_elements(read: ast.Name, parents: dict[ast.AST, ast.AST], frame: Frame) -> bool:
    """Whether a method of the RDD is given a lambda that reads its element often."""
    method = parents.get(read)
    call = parents.get(method) if method is not None else None
    if not (isinstance(method, ast.Attribute) and isinstance(call, ast.Call) and call.func is method):
        return False
    by_rdd = frame.shown is None and isinstance(frame.element, Scalar) and method.attr in _BY_RDD
    return by_rdd and len(call.args) == 1 and not call.keywords and _reads_often(call.args[0])


def _is_worth_a_name(reads: Sequence[ast.Name], callback: Callback, parameter: str, step: Step) -> bool:
    """Whether the RDD of a batch's elements has a variable, the program's own name for it.

    It has where it is read more than once, or in a statement of several lines, which stay as they are, or of
    a line that has no room for the call.
    """
    if not isinstance(callback.node, ast.FunctionDef) or parameter == callback.rdd or not reads:
        return False
    statements = {step.facts.of(callback.node).statement_of(read) for read in reads}
    own = all(statement in callback.node.body for statement in statements)
    return own and (len(reads) > 1 or not all(map(_has_room, statements)))


def _has_room(statement: ast.stmt) -> bool:
    """Whether a statement is one line, and may be longer by ``.rdd.map(lambda row: row["value"])``."""
    return len(lines_of(statement)) == 1 and (statement.end_col_offset or 0) <= _SHORT


def _named(
    step: Step, reads: Sequence[ast.Name], callback: Callback, element: Element, parameter: str
) -> Inner:
    """The assignment of the RDD of a batch's elements above the first statement that reads it."""
    assert isinstance(element, Scalar)
    first = min(reads, key=position)
    function = f"lambda row: {field_of('row', element, first, step)}"
    made = Chain(parameter, (Call("rdd"), Call("map", function)), target=callback.rdd)
    statement = step.facts.of(callback.node).statement_of(first)
    return Inner(before=((statement, Put(made)),))


def _on_rows_there(
    step: Step, callback: Callback, frame: Frame, variable: str, gone: Collection[ast.AST]
) -> OnRows:
    """A function that a callback hands its RDD on to, which gets the DataFrame in a variable."""
    there = step.within(callback.node)
    check_there(callback, step.facts)
    name = name_of_frame(there, callback, frame, variable)
    found = on_rows(there, callback, frame, name, gone)
    return found._replace(changes=found.changes | taking_frame(callback, name))


def _is_gone(node: ast.AST | None, parents: dict[ast.AST, ast.AST], gone: Collection[ast.AST]) -> bool:
    while node is not None:
        if node in gone:
            return True
        node = parents.get(node)
    return False


def _read(
    step: Step, read: ast.Name, parents: dict[ast.AST, ast.AST], element: Element, parameter: str
) -> Inner:
    """The changes at one read of the RDD."""
    above = parents.get(read)
    if is_there(above):
        return reading((read, parameter))
    call = parents.get(above) if above is not None else None
    if isinstance(above, ast.Call) and read_as_json(above) is read and isinstance(element, Scalar):
        if not step.options.spark.reads_json_of_frames:
            raise Refusal("this version of Spark reads JSON of RDDs only", above)
        step.note(OF_FRAMES)
        if not isinstance(element.shape, Maybe):
            return reading((read, parameter))
        return Inner(((read, f"{parameter}.{filled(step, read).code}"),))
    if not (isinstance(above, ast.Attribute) and isinstance(call, ast.Call) and call.func is above):
        raise Refusal("the RDD is used otherwise than for a method", read)
    method = above.attr
    if method in ("isEmpty", "count") and not call.args and not call.keywords:
        if tokens_of(element):
            raise Refusal("counting does not compute a value whose computation may raise", call)
        return reading((read, parameter))
    if method == "collectAsMap" and not call.args and "dict" not in step.facts.shadowed:
        return Inner(((call, dict_of_rows(element, f"{parameter}.collect()", call)),))
    if len(call.args) != (method != "collect") or call.keywords:
        raise Refusal(f"`{method}` of the RDD is given more than one argument", call)
    if method in GIVEN_ELEMENTS:
        if isinstance(element, Scalar) and _reads_often(call.args[0]):
            if method not in _BY_RDD:
                raise Refusal("each read of an element would name its column", call)
            value = field_of("row", element, read, step)
            return Inner(((read, f"{parameter}.rdd.map(lambda row: {value})"),), rdds=(read,))
        function, inner = of_row(step, call.args[0], element)
        by_rdd = method in _BY_RDD
        frame = f"{parameter}.rdd" if by_rdd else parameter
        if function == quoted(call.args[0]):
            return inner | replace(reading((read, frame)), rdds=(read,) if by_rdd else ())
        return inner | Inner(((call, f"{frame}.{method}({function})"),), rdds=(call,) if by_rdd else ())
    if method in ("collect", "take") and has_unread(element):
        return reading((read, parameter)) | Inner((*named_places(call, element, step),))
    same = isinstance(element, Scalar) or (is_flat(element) and gives_rows(call, step.facts))
    if method in ("collect", "take") and same:
        return _collected(step, read, call, element, parameter)
    raise Refusal(f"`{method}` of an RDD has no form on rows", call)


def _read_late(read: ast.Name, callback: Callback, loop: RowLoop, parameter: str) -> Inner:
    """The changes at one read of the RDD, whose elements are made of the rows where they are read."""
    parents = callback.parents
    method = parents[read]
    call = parents[method]
    assert isinstance(method, ast.Attribute) and isinstance(call, ast.Call)
    if method.attr in HANDING:
        (function,) = call.args
        return Inner(((call, f"{parameter}.{method.attr}({handed(loop, function, method.attr)})"),))
    if method.attr not in BRINGING:
        return reading((read, parameter))
    if method.attr == "collectAsMap":
        pairs = loop.comprehended(f"{parameter}.collect()")
        return Inner(((call, f"dict({pairs})"),))
    arguments = ", ".join(map(quoted, call.args))
    rows = f"{parameter}.{method.attr}({arguments})"
    turns = parents.get(call)
    if isinstance(turns, ast.For) and turns.iter is call and _takes_rows(turns, callback, loop):
        return _over_rows(turns, loop, rows)
    return Inner(((call, f"[{loop.comprehended(rows)}]"),))


def _takes_rows(loop: ast.For, callback: Callback, made: RowLoop) -> bool:
    """Whether a loop over elements may go through the rows, and make each element in its first line.

    Elements are made one by one then. So nothing may catch an error: none had its turn where one fails.
    """
    parents = callback.parents
    withs = (item for one in around(loop, parents) if isinstance(one, ast.With) for item in one.items)
    if any(one.handlers for one in tries_around(loop, parents)):
        return False
    if not all(is_call_of(item.context_expr, "open") for item in withs):  # as `suppress` is none
        return False
    nodes, own = walk(callback.node), {node.id for node in walk(loop.target) if isinstance(node, ast.Name)}
    taken = {bound_by(node) for node in nodes if isinstance(node, BINDING)} | declared_among(nodes)
    taken |= {node.id for node in nodes if isinstance(node, ast.Name)}
    return (taken - own).isdisjoint(made.names)


def _over_rows(loop: ast.For, made: RowLoop, rows: str) -> Inner:
    """The changes of a loop over elements that goes through the rows that these are made of."""
    target = code_of(loop.target)
    target = target[1:-1] if isinstance(loop.target, ast.Tuple) and len(loop.target.elts) > 1 else target
    lines = [*(f"{name} = {value}" for name, value in made.above), f"{target} = {made.made}"]
    puts = tuple((loop.body[0], Put(line)) for line in lines)
    return Inner(((loop.target, made.target), (loop.iter, rows)), before=puts)


def handed(loop: RowLoop, function: ast.expr, method: str = "foreach") -> str:
    """A function of rows that hands on what is made of them: ``lambda row: put(parse(row["value"]))``."""
    if method == "foreach":
        return f"lambda {loop.target}: {quoted(function)}({loop.made})"
    return f"lambda rows: {quoted(function)}({loop.comprehended('rows')})"


def _reads_often(function: ast.expr) -> bool:
    """Whether a lambda reads its parameter more often than a person wants to name a column."""
    if not isinstance(function, ast.Lambda):
        return False
    names = parameter_names(function)
    reads = [node for node in walk(function.body) if isinstance(node, ast.Name) and node.id in names]
    return len(reads) > _READS


def _collected(step: Step, read: ast.Name, call: ast.Call, element: Element, parameter: str) -> Inner:
    """The list of elements that comes to the driver."""
    if any(isinstance(part, ast.NamedExpr) for part in walk(call)):
        raise Refusal("`:=` cannot stand in the comprehension that reads the rows", call)
    if not isinstance(element, Scalar):
        return reading((read, parameter))
    arguments = ", ".join(map(quoted, call.args))
    assert isinstance(call.func, ast.Attribute)
    rows = f"{parameter}.{call.func.attr}({arguments})"
    return Inner((listed(step, rows, element, call),))
