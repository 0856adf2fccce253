"""Functions that make a ``Row``, a namedtuple or a dict of an element: columns of these names."""

from __future__ import annotations

import ast
import copy
from collections.abc import Sequence
from dataclasses import dataclass

from migrate.columns import Record, Refusal, named_items
from migrate.frozen import replace
from migrate.graph.cassandra import saved_rdd
from migrate.graph.operations import Operation
from migrate.graph.session_expressions import named
from migrate.knowledge.cassandra import ROWS as CASSANDRA_ROWS
from migrate.knowledge.cassandra import SAVE
from migrate.plan.draft.step import Step
from migrate.plan.elements.column_functions import mapped
from migrate.plan.frames.frame import Frame
from migrate.plan.rows.given_schema import with_wide_ints
from migrate.plan.typed.typed_functions import typed_map
from migrate.proofs.analysis.called_functions import called_function
from migrate.proofs.values.namedtuples import namedtuple_fields, texts_of
from migrate.proofs.values.record_classes import RecordClass
from migrate.syntax.nodes import walk

_ROWS = frozenset({"pyspark.sql.Row", "pyspark.sql.types.Row", "pyspark.Row"})


@dataclass(frozen=True)
class NamedRow:
    """A function that makes one."""

    names: tuple[str, ...]
    function: ast.Lambda | ast.FunctionDef
    """The same function, with a tuple for its result."""
    of: RecordClass | None = None
    """The class of the program that it is an object of."""


def named_row(node: ast.expr, step: Step, *, saved: bool | None = None) -> NamedRow | None:
    """The names and the values that a function gives them; None if it makes no Row, namedtuple or dict.

    ``lambda w: Row(word=w)``, or ``lambda pair: Count(pair[0], pair[1])`` with
    ``Count = namedtuple("Count", ["word", "n"])`` or ``Row("word", "n")``. A dict, ``lambda w: {"word": w}``,
    has names only for an output that makes columns of its keys: `saved` says so of an RDD of a callback.
    """
    saved = _is_saved_by_name(step) if saved is None else saved
    function = made_by(node, step)
    call = result_of(function) if function is not None else None
    if function is not None and isinstance(call, ast.Dict) and saved:
        keys = texts_of([key for key in call.keys if key is not None])
        return _named(function, call, keys, call.values)
    if function is None or not isinstance(call, ast.Call):
        return None
    if _is_row(call.func, step, saved=saved):
        names = [keyword.arg or "" for keyword in call.keywords]
        values = [keyword.value for keyword in call.keywords]
        found = names if names and "" not in names and not call.args else None
    else:
        found = _fields(call.func, step)
        values = _values(call, found or [])
    return _named(function, call, found, values)


def _named(
    function: ast.Lambda | ast.FunctionDef, maker: ast.expr, names: list[str] | None, values: list[ast.expr]
) -> NamedRow | None:
    """The function with a tuple of the values for its result, if each of them has a name of its own."""
    if not names or len(names) != len(values) or len(set(names)) != len(names):
        return None
    made = ast.copy_location(ast.Tuple(list(values), ast.Load()), maker)
    return NamedRow(tuple(names), with_result(function, made))


def _is_saved_by_name(step: Step) -> bool:
    """Whether only outputs read the elements that take their parts by the names of columns."""
    consumers = step.operation.consumers
    return bool(consumers) and all(map(_saves, consumers))


def _saves(output: Operation) -> bool:
    """Whether an output saves the elements of its stream as they are, itself or in its callback."""
    match saved_rdd(output.use):
        case ast.Call(ast.Attribute(ast.Name())):
            return True
    return output.operator == SAVE


def become_frames(step: Step) -> bool:
    """Whether only callbacks read the elements, which can make nothing but DataFrames of Rows on columns."""
    consumers = step.operation.consumers
    return all(one.operator == "foreachRDD" and not _saves(one) for one in consumers)


def with_names(step: Step, frame: Frame, row: NamedRow, *, has_bytes: bool) -> Frame:
    """The frame of what the function makes, with bytes in it only if it becomes a DataFrame."""
    frame = frame.in_any_order()
    frame, made = mapped(step, frame, row.function, has_bytes=has_bytes)
    assert isinstance(made, Record)
    named = named_items(made, row.names)
    if has_bytes:  # then it becomes one
        named = with_wide_ints(named, step)
    held = frame.holding(named)
    if not held.pending:
        step.need(idle=frozenset({step.operation}))
    return _with_fields(held, named, row)


def with_typed_names(step: Step, frame: Frame, row: NamedRow) -> Frame:
    """The frame of what the function makes, with parts of it by typed Python functions.

    Raises:
        Refusal: these are not proven to be pure, or to return certain types.
    """
    if not isinstance(row.function, ast.Lambda):
        raise Refusal("it is a function of several statements", row.function)
    made = typed_map(step, frame.materialised(), row.function, named_so=row.names)
    assert isinstance(made.element, Record)
    named = named_items(made.element, row.names)
    return _with_fields(replace(made, pending=made.pending or named != made.element), named, row)


def _with_fields(frame: Frame, made: Record, row: NamedRow) -> Frame:
    return replace(frame, element=replace(made, fields=row.names, only_framed=True))


def check_unnamed(frame: Frame, node: ast.AST) -> None:
    """Refuse elements that are Rows or namedtuples: they may be read by name, and are printed with names."""
    if isinstance(frame.element, Record) and frame.element.fields:
        raise Refusal("its elements are Rows or namedtuples", node)


def made_by(node: ast.expr, step: Step) -> ast.Lambda | ast.FunctionDef | None:
    """A lambda, or a function that was read and returns something at its end alone."""
    if isinstance(node, ast.Lambda):
        return node
    called = called_function(node, step.facts)
    if called is None or called.bound or not isinstance(called.node.body[-1], ast.Return):
        return None
    returns = [one for one in walk(called.node) if isinstance(one, ast.Return)]
    return called.node if len(returns) == 1 else None


def result_of(function: ast.Lambda | ast.FunctionDef) -> ast.expr | None:
    """What a function returns; what it assigned to a name just before, if it returns that."""
    if isinstance(function, ast.Lambda):
        return function.body
    *before, last = function.body
    assert isinstance(last, ast.Return)
    match last.value, before[-1:]:
        case ast.Name(name), [ast.Assign([ast.Name(target)], value)] if name == target:
            return value
    return last.value


def with_result(function: ast.Lambda | ast.FunctionDef, result: ast.expr) -> ast.Lambda | ast.FunctionDef:
    """The function with another result."""
    if isinstance(function, ast.Lambda):
        return ast.copy_location(ast.Lambda(function.args, result), function)
    *before, last = function.body
    assert isinstance(last, ast.Return)
    if last.value is not result_of(function):
        before.pop()
    made = copy.copy(function)
    made.body = [*before, ast.copy_location(ast.Return(result), last)]
    return made


def _is_row(node: ast.expr, step: Step, *, saved: bool = False) -> bool:
    """Whether an expression is Spark's own ``Row``, and nothing else; for its outputs, that of Cassandra."""
    rows = _ROWS | CASSANDRA_ROWS if saved else _ROWS
    bindings = step.facts.bindings.get(node.id, ()) if isinstance(node, ast.Name) else ()
    imported = all(isinstance(binding, ast.alias) for binding in bindings)
    found, names = step.trace.kinds.get(node, frozenset()), named(node, step.trace)
    return imported and len(found) == len(names) > 0 and names <= rows


def _fields(node: ast.expr, step: Step) -> list[str] | None:
    """The fields of a class: ``namedtuple("Count", ["word", "n"])``, or ``Row("word", "n")``."""
    facts = step.facts
    binding = facts.only_binding(node.id) if isinstance(node, ast.Name) else None
    made = facts.value_of(binding)
    if binding is None or not isinstance(made, ast.Call) or made.keywords or not facts.visible(binding):
        return None
    if _is_row(made.func, step):
        return texts_of(made.args)
    return namedtuple_fields(node.id, facts) if isinstance(node, ast.Name) else None


def _values(call: ast.Call, fields: Sequence[str]) -> list[ast.expr]:
    """The arguments of a call, in the order of the fields that they are for."""
    named_ = {keyword.arg: keyword.value for keyword in call.keywords}
    rest = fields[len(call.args) :]
    if any(isinstance(argument, ast.Starred) for argument in call.args) or set(named_) != set(rest):
        return []
    return [*call.args, *(named_[name] for name in rest)]
