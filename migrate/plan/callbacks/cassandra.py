"""What an output or a callback saves to Cassandra with a library, as a write of a DataFrame's columns."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from shlex import quote

from migrate.columns import Element, Record, Refusal, Scalar
from migrate.columns.shapes import Bool, Float, Int, Maybe, Str
from migrate.graph.cassandra import CHECK, NEEDED, NEEDED_TOO, UNPUBLISHED, other_members, saved_rdd
from migrate.graph.connectors import reads
from migrate.graph.operations import Operation
from migrate.knowledge.cassandra import (
    FORMAT,
    LIBRARY,
    NEWEST,
    SAVE,
    SETTINGS,
    WRITE_OPTIONS,
    WRITTEN_FOR,
    coordinate,
    named_in,
)
from migrate.knowledge.connectors import KAFKA
from migrate.plan.draft.draft import Draft
from migrate.plan.draft.every_interval import need_every_interval
from migrate.plan.draft.outputs import Printed
from migrate.plan.draft.step import Step
from migrate.plan.frames.frame import Frame
from migrate.plan.new_code.code import Call
from migrate.plan.new_code.inner import Inner
from migrate.proofs.values.constants import literal
from migrate.syntax.copies import changed
from migrate.syntax.nodes import of_kinds
from migrate.syntax.quoting import quoted
from migrate.syntax.tree import is_none

NO_NAMES = "its elements have no names for columns: a dict with literal keys, a `Row`, or `columns=` would"
NO_VALUE = "the part `{}` of its elements is of a type that may be written otherwise from a column"
OTHERS = f"`{{}}` is a member of `{LIBRARY}`, too, which would have to stay"
TWICE = "another output writes to its table: each wrote null into the columns of the other"
SETTING = f"the setting `{{}}` is one that `{LIBRARY}` passed by, and that the connector reads"
NOT_WRITTEN_OUT = "its argument `{}` has no equal that is known"
_NAME = re.compile(r"\w+")
_POSITIONAL = ("keyspace", "table", "columns", "row_format", "keyed", "write_conf")


def saved(step: Step, call: ast.Call, frame: Frame) -> Printed:
    """The statement of the batch function for a call of ``saveToCassandra``.

    Args:
        step: the output, or the operator whose callback makes the call.
        call: the call.
        frame: what it is called on.

    Raises:
        Refusal: it is not proven to write the same.
        RatherError: it is where a batch comes in every interval.
    """
    found = _arguments(call)
    columns = _columns(found.pop("columns", None), call)
    options = list(_options(step, found, call))
    _check_library(step, call)
    check_intervals(step)
    frame = frame.elements_only()
    frame = frame.holding(_named(frame.element, columns, call)).materialised()
    if not columns:
        _check_table(step, call, found, frame)
    tell_connector(step)
    keyspace, table = (_argument(step, call, found[name], name) for name in ("keyspace", "table"))
    source = (Call("format", f'"{FORMAT}"'), Call("options", f"keyspace={keyspace}, table={table}"))
    frame = frame.call(Call("write"), *source, *options, Call("mode", '"append"'), Call("save", ""))
    return Printed(frame.chain, column=True, whole=True)


def _arguments(call: ast.Call) -> dict[str, ast.expr]:
    """The arguments of a call by their names.

    Raises:
        Refusal: one is of no such name, or they are not written out.
    """
    found: dict[str, ast.expr] = dict(zip(_POSITIONAL, call.args, strict=False))
    for keyword in call.keywords:
        if keyword.arg not in (*_POSITIONAL, *WRITE_OPTIONS) or keyword.arg in found:
            raise Refusal("its arguments are not those that are known", call)
        found[keyword.arg] = keyword.value
    if len(found) != len(call.args) + len(call.keywords) or not {"keyspace", "table"} <= found.keys():
        raise Refusal("its keyspace or table is missing", call)
    if any(isinstance(argument, ast.Starred) for argument in call.args):
        raise Refusal("its arguments are not written out", call)
    return found


def _columns(node: ast.expr | None, call: ast.Call) -> tuple[str, ...]:
    """The columns that the call names; none where the library asks the table for them."""
    if is_none(node):
        return ()
    items = node.elts if isinstance(node, ast.List | ast.Tuple) else []
    names = [item.value for item in items if isinstance(item, ast.Constant) and isinstance(item.value, str)]
    if not names or len(names) < len(items) or len(set(names)) < len(names):
        raise Refusal(NOT_WRITTEN_OUT.format("columns"), call)
    return tuple(names)


def _options(step: Step, found: dict[str, ast.expr], call: ast.Call) -> Iterator[Call]:
    """The calls of ``option`` for the arguments on how to write."""
    for name, node in found.items():
        if name in WRITE_OPTIONS and not is_none(node):
            number = literal(node, step.facts)
            if not isinstance(number, int) or isinstance(number, bool) or number <= 0:
                raise Refusal(NOT_WRITTEN_OUT.format(name), call)
            value = _argument(step, call, node, name)
            yield Call("option", f'"{WRITE_OPTIONS[name]}", {value}')
        elif name not in ("keyspace", "table") and not is_none(node):
            raise Refusal(NOT_WRITTEN_OUT.format(name), call)


def _argument(step: Step, call: ast.Call, node: ast.expr, name: str) -> str:
    """An argument as code of the batch function.

    Raises:
        Refusal: a callback evaluates it for each batch, and it may be another one then.
    """
    if call is step.operation.call:
        return step.argument(node, name)
    if literal(node, step.facts) is None:
        raise Refusal(NOT_WRITTEN_OUT.format(name), call)
    return quoted(node)


def _named(element: Element, columns: tuple[str, ...], call: ast.Call) -> Record:
    """The element with the names of columns for its parts, in their order.

    Raises:
        Refusal: it has none, or a value may be written otherwise.
    """
    items = element.items if isinstance(element, Record) else ()
    names = (element.fields if isinstance(element, Record) else ()) or columns
    if not names or len(names) != len(items) or (columns and {*columns} != {*names}):
        raise Refusal(NO_NAMES, call)
    if len({name.lower() for name in names}) < len(names) or not all(map(_NAME.fullmatch, names)):
        raise Refusal(NO_NAMES, call)
    by_name = dict(zip(names, items, strict=True))
    for name, item in by_name.items():
        shape = item.shape if isinstance(item, Scalar) else None
        if not isinstance(shape.of if isinstance(shape, Maybe) else shape, Str | Int | Float | Bool):
            raise Refusal(NO_VALUE.format(name), call)
    return Record(tuple(changed(by_name[name], name=name) for name in columns or names))


def check_intervals(step: Step) -> None:
    """Have a batch in every interval where one without input writes something: a state, a count of 0.

    Raises:
        RatherError: there is none in some yet.
    """
    if step.repeats and step.basis.event_time is None:
        need_every_interval(step)


def _check_library(step: Step, call: ast.Call) -> None:
    """Refuse a program that needs more of the library, or whose settings it passed by.

    Raises:
        Refusal: it does.
    """
    modules = step.program.modules
    other = next(other_members(modules, step.program.graph, reads=False), None)
    if other is not None:
        raise Refusal(OTHERS.format(step.shown(other)), call)
    texts = (node.value for module in modules for node in of_kinds(module.tree, ast.Constant))
    setting = next((text for text in texts if isinstance(text, str) and text.startswith(SETTINGS)), None)
    if setting is not None:
        raise Refusal(SETTING.format(setting), call)
    step.need(libraries=frozenset({LIBRARY}))


def _check_table(step: Step, call: ast.Call, found: dict[str, ast.expr], frame: Frame) -> None:
    """Tell of the columns that the table must have, as the call does not name them.

    Raises:
        Refusal: another output writes to the table.
    """
    others = [one for one in map(saving, step.program.outputs) if one is not None and one is not call]
    if _table_of(call) in map(_table_of, others):
        raise Refusal(TWICE, call)
    shown = ".".join(value_of(step, found[name]) for name in ("keyspace", "table"))
    assert isinstance(frame.element, Record)
    names = ", ".join(f"`{item.name}`" for item in frame.element.items)
    step.must_change(CHECK.format(f"`{shown}`", names, LIBRARY))


def value_of(step: Step, node: ast.expr) -> str:
    """The value of an argument if it is known, or else its code."""
    value = literal(node, step.facts)
    return value if isinstance(value, str) else step.shown(node)


def saving(output: Operation) -> ast.Call | None:
    """The call by which an output saves to Cassandra, if it does."""
    return output.call if output.operator == SAVE else saved_rdd(output.use)


def _table_of(call: ast.Call) -> list[str]:
    """The keyspace and the table of a call, as the program writes them."""
    named = {keyword.arg: keyword.value for keyword in call.keywords}
    given = [*call.args[:2], *(named[name] for name in _POSITIONAL[len(call.args) : 2] if name in named)]
    return list(map(ast.unparse, given))


def tell_connector(to: Step | Draft) -> None:
    """Name the connector in texts that name the library's package, or have the report name it."""
    options, program = to.basis.options, to.basis.program
    spark = options.spark
    texts = [node for module in program.modules for node in of_kinds(module.tree, ast.Constant)]
    named = [(node, named_in(node.value)) for node in texts if isinstance(node.value, str)]
    words = [(node, tuple((old, coordinate(spark)) for old in olds)) for node, olds in named if olds]
    to.need(inner=Inner(reworded=tuple(words)))
    package, job = coordinate(spark), quote(program.graph.files[0])
    if not words:
        too = reads(KAFKA, program.graph)
        to.must_change(NEEDED_TOO.format(package) if too else NEEDED.format(package, job))
    if spark.release != WRITTEN_FOR:
        to.note(UNPUBLISHED.format(".".join(map(str, spark.release)), NEWEST))
