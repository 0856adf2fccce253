"""Python functions over Arrow, for functions without a Column form whose result types are proven.

Catalyst moves nothing across such a step, unlike a UDF in a ``select``: a step before it that may raise is
always evaluated, and a condition after it sees its rows only.
"""

from __future__ import annotations

import ast
import itertools
from dataclasses import replace

from migrate.columns import Element, Helper, Record, Scalar, after_select, leaves, name_columns
from migrate.columns.shapes import Bool, Float, Int, List, Maybe, Shape
from migrate.plan.stages import Frame, tuple_of
from migrate.plan.step import Step
from migrate.syntax.nodes import walk
from migrate.syntax.quoting import quoted

PYTHON_ROWS = '''\
def python_rows(frame, function, types):
    """The results that a function lists for the values of each row, as columns of these types."""
    import pyarrow as pa

    arrow = {"string": pa.string(), "bigint": pa.int64(), "double": pa.float64(), "boolean": pa.bool_()}
    arrow.update({"array<%s>" % name: pa.list_(kind) for name, kind in arrow.items()})
    schema = pa.schema([(name, arrow[kind]) for name, kind in types.items()])

    def values(result):
        return [leaf for item in result for leaf in values(item)] if isinstance(result, tuple) else [result]

    def results(batches):
        for batch in batches:
            rows = zip(*[column.to_pylist() for column in batch.columns])
            made = [values(result) for row in rows for result in function(*row)]
            columns = [[row[place] for row in made] for place in range(len(schema))]
            arrays = [pa.array(column, kind) for column, kind in zip(columns, schema.types)]
            yield pa.RecordBatch.from_arrays(arrays, schema=schema)

    return frame.mapInArrow(results, ", ".join("`%s` %s" % column for column in types.items()))'''

NOTE = "`python_rows` runs Python functions over Arrow: the workers need PyArrow"


def over_arrow(step: Step, frame: Frame, listing: str, made: Element) -> Frame:
    """The frame after a function.

    Args:
        step: the operator.
        frame: what the function reads; its element is its columns.
        listing: the function's code: for the columns' values, a list of results.
        made: the types of a result.
    """
    named = name_columns(made, step.hint)
    name = step.helper(Helper("python_rows", PYTHON_ROWS))
    step.note(NOTE)
    types = ", ".join(f'"{leaf.name}": "{type_name(leaf.shape)}"' for leaf in leaves(named))
    after = frame.call(
        f"transform({name}, {listing}, {{{types}}})", element=after_select(named), pending=False
    )
    return replace(after, python=frame.python | {step.operation.call})


def type_name(shape: Shape) -> str:
    """Spark's name of a column's type."""
    match shape:
        case Maybe(of):
            return type_name(of)
        case List(of):
            return f"array<{type_name(of)}>"
        case Int():
            return "bigint"
        case Float():
            return "double"
        case Bool():
            return "boolean"
    return "string"


def mapped(step: Step, function: ast.expr, element: Element) -> str:
    """Code of a function of rows: a list of the one result of `function`."""
    parameters, result = _applied(step, function, element)
    return f"lambda {parameters}: [{result}]"


def flat_mapped(step: Step, function: ast.expr, element: Element) -> str:
    """Code of a function of rows: the list that `function` returns."""
    if isinstance(element, Scalar):
        return step.argument(function)
    parameters, result = _applied(step, function, element)
    return f"lambda {parameters}: {result}"


def filtered(step: Step, function: ast.expr, element: Element) -> str:
    """Code of a function of rows: a list of the row, or an empty one."""
    parameters, condition = _applied(step, function, element)
    if isinstance(function, ast.Lambda) and isinstance(function.body, ast.IfExp | ast.Lambda):
        condition = f"({condition})"
    return f"lambda {parameters}: [{parameters.removeprefix('*')}] if {condition} else []"


def mapped_beside(step: Step, function: ast.expr, key: Element, value: Element, *, flat: bool) -> str:
    """Code of a function of rows: the key with the result of `function`, or with each of its items."""
    parameters, result = _applied(step, function, value)
    names = {node.id for node in walk(function) if isinstance(node, ast.Name)}
    if parameters.startswith("*") or not isinstance(key, Scalar) or "key" in {*names, parameters}:
        columns = itertools.count()
        key_code, value_code = tuple_of(key, columns), tuple_of(value, columns)
        text = step.argument(function)
        whole = f"({text})" if isinstance(function, ast.Lambda) else text
        parameters, key_code, result = "*row", key_code, f"{whole}({value_code})"
    else:
        parameters, key_code = f"key, {parameters}", "key"
    if flat:
        return f"lambda {parameters}: [({key_code}, item) for item in {result}]"
    return f"lambda {parameters}: [({key_code}, {result})]"


def _applied(step: Step, function: ast.expr, element: Element) -> tuple[str, str]:
    """The parameters of a function of rows, and `function` applied to them."""
    text = step.argument(function)
    flat = isinstance(element, Scalar) or all(isinstance(item, Scalar) for item in element.items)
    if isinstance(function, ast.Lambda) and text == quoted(function) and flat:
        arguments = function.args
        own = [*arguments.posonlyargs, *arguments.args]
        if len(own) == 1 and not (arguments.defaults or arguments.kwonlyargs or arguments.vararg):
            star = "*" if isinstance(element, Record) else ""
            return f"{star}{own[0].arg}", quoted(function.body)
    whole = f"({text})" if isinstance(function, ast.Lambda) else text
    if isinstance(element, Scalar):
        return "value", f"{whole}(value)"
    return "*row", f"{whole}({'row' if flat else tuple_of(element, itertools.count())})"
