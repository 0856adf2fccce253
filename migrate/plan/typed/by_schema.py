"""Elements whose types only the schema of ``createDataFrame`` says: a typed function makes its columns.

``createDataFrame(rdd.map(json.loads).map(fields), schema)``: Spark converts the results of a function that it
does not call over Arrow exactly as it converts the elements of an RDD, ints in a column of texts among them.
It does not check them first, as ``createDataFrame`` does: a column has NULL where that fails.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from contextlib import suppress

from migrate.columns import Record, Refusal, after_select, column_named
from migrate.columns.shapes import Maybe
from migrate.frozen import replace
from migrate.graph.blocked import Blocked
from migrate.knowledge.data_types import ARRAY
from migrate.plan.choices import Choices, RatherError
from migrate.plan.draft.step import Step
from migrate.plan.elements.caught_errors import catches
from migrate.plan.elements.written_schemas import TYPES, Field, schema_of
from migrate.plan.frames.frame import Frame, is_part
from migrate.plan.new_code.our_names import check_names
from migrate.plan.new_code.spark_types import type_of
from migrate.plan.typed.composed_body import ONE_EACH, Body, method_of
from migrate.plan.typed.typed_calls import call_of
from migrate.plan.typed.typed_functions import spread
from migrate.proofs.callbacks.roles import Callback, NotTheSame, forwarded, given
from migrate.syntax.nodes import position
from migrate.syntax.quoting import quoted
from migrate.typed import Result

OTHERS = "values that are not of the types of the schema of `createDataFrame`"
_EXACT = frozenset({"StringType", "LongType", "DoubleType", "BooleanType"})
"""The types that hold all values of their Python type which `createDataFrame` takes."""
_LOOKING = frozenset({"isEmpty", "count"})


def framed(step: Step, frame: Frame) -> Frame | None:
    """The frame for a callback that only makes DataFrames of its RDD, all with one schema, and counts it.

    None where it does more with the elements, which stay as they are.
    """
    called = given(step.function("func"), step.facts) if step.operation.operator == "foreachRDD" else None
    if called is None or not is_part(frame):
        return None
    try:
        callback = called.callback()
        handed = forwarded(callback, step.facts)
        callback = callback if handed is None else handed.callback
    except NotTheSame:
        return None
    reads = {read: _schema_for(read, callback) for read in callback.reads(callback.rdd)}
    schemas = [schema for schema in reads.values() if schema is not None]
    if not all(schema or _is_counted(read, callback) for read, schema in reads.items()):
        return None
    if callback.rebound or len({ast.dump(schema) for schema in schemas}) != 1:
        return None
    with suppress(Refusal):
        made = step.attempt(lambda tried: by_schema(tried, callback, frame, schemas[0]))
        return replace(made, framed=tuple(part.call for part in frame.within))
    return None


def check_framed(frame: Frame) -> None:
    """Have RDD code make the elements that a schema made columns of, where the callback stays RDD code.

    Raises:
        RatherError: there are such columns.
    """
    if frame.framed:
        raise RatherError(Choices(dict.fromkeys(frame.framed, "")))


def by_schema(step: Step, callback: Callback, frame: Frame, schema: ast.expr) -> Frame:
    """The rows that `createDataFrame` makes of elements, of no known types, for a schema.

    Args:
        step: the output.
        callback: the function that makes the DataFrame.
        frame: the frame of the elements.
        schema: the schema.

    Raises:
        Refusal: the schema leaves types to the values, or an error would be missed.
    """
    last, fields = frame.within[-1], schema_of(schema, step.within(callback.node))
    if fields is None:
        raise Refusal("its elements are of no known type, and the schema is not written out", last.call)
    names = [field.name for field in fields]
    if not all(field.type and field.nullable and field.name.isidentifier() for field in fields):
        raise Refusal("its elements are of no known type, and the schema does not say all of it", last.call)
    if len({name.lower() for name in names}) != len(names):
        raise Refusal("two columns of the schema have one name", last.call)
    if catches(callback, step.facts) or step.basis.guards.fail_as_python_does:
        raise Refusal("an error of `createDataFrame` would be missed", last.call)
    part, before = step.inner(last.call), frame.within[:-1]
    operator = method_of(part)
    if operator not in ("map", "flatMap"):
        raise Refusal("no function makes the elements last", last.call)
    several = not {operator, *(one.operator for one in before)} <= ONE_EACH
    shapes = [Maybe(TYPES[field.type].of()) for field in fields]
    columns = [column_named(name, shape) for name, shape in zip(names, shapes, strict=True)]
    made = Record(tuple(columns))
    type_ = f"array<{type_of(made)}>" if several else type_of(made)
    code = _name_of(schema, fields, step, callback, several=several) or f'"{type_}"'
    found = Result(made, fits=False, exact=operator == "map", schema=code, several=several)
    python = frame.python | {one.call for one in frame.within}
    after = replace(frame, within=(), python=python, late=frame.late or bool(frame.conditions))
    if before:
        body = Body(part, replace(frame, within=before))
        for one in before:
            body.add(one)
        call = body.call(last.function, type_, found)
    else:
        wrap = "list" if several else ""
        call = call_of(part, last.function, after, frame.element, type_, found, wrap)
    step.need(gives=(OTHERS,))
    wanted, code = ("item", f"F.explode({call.code})") if several else ("result", call.code)
    rows = spread(after, code, [], made, wanted)
    return replace(
        rows,
        element=after_select(made),
        pending=False,
        filtered=frame.filtered or several,
        explodes=frame.explodes or several,
    )


def _name_of(
    schema: ast.expr, fields: Sequence[Field], step: Step, callback: Callback, *, several: bool
) -> str:
    """The type by the program's name of the schema, if that has the columns' types and stands above."""
    facts = step.facts.of(callback.node)
    binding = facts.only_binding(schema.id) if isinstance(schema, ast.Name) else None
    if binding is None or not {field.type for field in fields} <= _EXACT:
        return ""
    is_above = all(position(binding) < position(one) for one in (callback.node, step.operation.call))
    here = facts is step.facts.of(step.operation.call) is step.facts.of(step.program.construction)
    if not (here and is_above) or facts.above[facts.statement_of(binding)] is not facts.tree:
        return ""
    if not several:
        return quoted(schema)
    try:
        check_names(step.facts, {ARRAY})
    except Blocked:
        return ""
    step.need(imports=frozenset({ARRAY}))
    return f"{ARRAY}({quoted(schema)})"


def _schema_for(read: ast.Name, callback: Callback) -> ast.expr | None:
    """The schema of the DataFrame that a read of the RDD is for: ``spark.createDataFrame(rdd, schema)``."""
    match callback.parents.get(read):
        case ast.Call(ast.Attribute(attr="createDataFrame"), [first, *more], keywords) if first is read:
            asked = [*more, *(keyword.value for keyword in keywords if keyword.arg == "schema")]
            return asked[0] if len(asked) == len(more) + len(keywords) == 1 else None
        case ast.Attribute(attr="toDF") as method:
            match callback.parents.get(method):
                case ast.Call(args=[schema], keywords=[]):
                    return schema
    return None


def _is_counted(read: ast.Name, callback: Callback) -> bool:
    """Whether a read of the RDD only asks how many elements there are."""
    above = callback.parents.get(read)
    return isinstance(above, ast.Attribute) and above.attr in _LOOKING
