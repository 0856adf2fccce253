"""Functions of the elements of a stream, as functions of the rows of its DataFrame.

A function that does the same with a Row as with a tuple stays as it is; any other is given the tuple, or the
value of the only column.
"""

from __future__ import annotations

import ast
import itertools

from migrate.columns import Element, Scalar
from migrate.plan.code import Inner
from migrate.plan.stages import is_flat, tuple_of
from migrate.plan.step import Step
from migrate.proofs.roles import Callback
from migrate.proofs.rows_as_tuples import gives_row, takes_row, takes_rows
from migrate.syntax.nodes import walk
from migrate.syntax.quoting import quoted
from migrate.syntax.tree import parameter_names


def of_row(step: Step, function: ast.expr, element: Element) -> tuple[str, Inner]:
    """Code of a function of a row that does as a function of the element does, and changes inside it.

    Its result must be no part of what it is given.
    """
    if is_flat(element) and takes_row(function, step.facts):
        return quoted(function), Inner()
    parameter = _only_parameter(function)
    if parameter is not None:
        name, reads = parameter
        others = [read for read in reads if not (is_flat(element) and gives_row(read, step.facts))]
        return quoted(function), Inner(tuple((read, _element(element, name)) for read in others))
    row = _free("row", function, step)
    return f"lambda {row}: {_called(function)}({_element(element, row)})", Inner()


def of_rows(step: Step, function: ast.expr, element: Element) -> tuple[str, Inner]:
    """The same of a function of an iterator of elements."""
    if is_flat(element) and takes_rows(function, step.facts):
        return quoted(function), Inner()
    parameter = _only_parameter(function)
    if parameter is not None and len(parameter[1]) == 1:
        name, (read,) = parameter
        call = step.facts.above[read]
        if isinstance(call, ast.Call) and call.args == [read] and not call.keywords:
            return quoted(function), Inner(((call, f"{_called(call.func)}({_elements(element, name)})"),))
        return quoted(function), Inner(((read, f"({_elements(element, name)})"),))
    rows = _free("rows", function, step)
    return f"lambda {rows}: {_called(function)}({_elements(element, rows)})", Inner()


def _element(element: Element, row: str) -> str:
    """The code of an element, from a variable that holds a row."""
    if isinstance(element, Scalar):
        return f'{row}["{element.name}"]'
    return f"tuple({row})" if is_flat(element) else tuple_of(element, itertools.count(), row)


def _elements(element: Element, rows: str) -> str:
    """The code of an iterator of elements, as the only argument of a call, from one of rows."""
    return f"map(tuple, {rows})" if is_flat(element) else f"{_element(element, 'row')} for row in {rows}"


def _only_parameter(function: ast.expr) -> tuple[str, list[ast.Name]] | None:
    """The parameter of a lambda that has no others, and its reads."""
    if not isinstance(function, ast.Lambda):
        return None
    arguments, names = function.args, parameter_names(function)
    others = (*arguments.kwonlyargs, *arguments.defaults, *filter(None, (arguments.vararg, arguments.kwarg)))
    stored = {node.target.id for node in walk(function) if isinstance(node, ast.NamedExpr)}
    if len(names) != 1 or others or names[0] in stored:
        return None
    return names[0], list(Callback(function, names[0], None).reads(names[0]))


def _called(function: ast.expr) -> str:
    """The code of a function that is called."""
    text = quoted(function)
    return f"({text})" if isinstance(function, ast.Lambda) else text


def _free(wanted: str, function: ast.expr, step: Step) -> str:
    """A name for a parameter that a function does not read."""
    names = {node.id for node in walk(function) if isinstance(node, ast.Name)}
    return step.fresh(wanted) if wanted in names else wanted
