"""Reduce functions that put the texts of a group together, in the order in which they came."""

from __future__ import annotations

import ast
import re

from migrate.columns import Record, Refusal, Scalar, separator_of
from migrate.columns.code import build, literal
from migrate.columns.shapes import Maybe, Str
from migrate.plan.draft.step import Step
from migrate.plan.elements.column_functions import need_compiled
from migrate.plan.elements.pairs import check_keys, pair
from migrate.plan.frames.frame import Frame
from migrate.plan.frames.tokens import check_kept, tokens_of
from migrate.plan.sources.reduce_order import reduce_in_order
from migrate.rules._aggregates import aggregate
from migrate.rules._in_order import in_order, placed

ORDERED = "texts are put together in the order in which they came"
_NOT_IN_SQL = frozenset("'\\")
_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
"""Names that SQL takes without quotes."""
_WORDS = frozenset({"ALL", "CASE", "CAST", "DISTINCT", "FALSE", "INTERVAL", "NOT", "NULL", "TRUE"})
"""Those of them that mean something else where a column may stand."""


def joined_texts(step: Step, frame: Frame, function: ast.expr) -> Frame:
    """``groupBy(key).agg(...)`` with the texts of a group put together by the places of their rows.

    Raises:
        Refusal: the function does something else, or the texts do not come in an order that is kept.
        Blocked: the same, for functions that depend on it.
        RatherError: the source must be told to keep them in order.
    """
    before = tokens_of(frame.element)
    _, value = pair(frame.element, step)
    if not isinstance(value, Scalar) or not _is_text(value):
        raise Refusal("only texts are put together", function)
    separator, compiled = separator_of(function, value, step.scope)
    reduce_in_order(step, "the concatenation depends on the order", note=ORDERED)
    frame = frame.elements_only().materialised()
    key, value = pair(frame.element, step)
    assert isinstance(value, Scalar) and value.name is not None
    check_keys(step, key)
    frame, place = placed(frame)
    code = _aggregate(step, value, place, separator, function)
    shape = Maybe(Str()) if isinstance(value.shape, Maybe) else Str()
    made = Record((key, build(code, shape, value, name=value.name)))
    check_kept(before, tokens_of(made), function, "the reduce function")
    need_compiled(step, compiled.demands)
    return aggregate(step, frame, made, before)


def _is_text(value: Scalar) -> bool:
    shape = value.shape.of if isinstance(value.shape, Maybe) else value.shape
    return isinstance(shape, Str) and not value.is_plain


def _aggregate(step: Step, value: Scalar, place: str, separator: str, node: ast.expr) -> str:
    """The texts of a group in the order of their places, with the separator between them."""
    in_sql = separator.isprintable() and not set(separator) & _NOT_IN_SQL
    if step.options.spark.has_listagg and in_sql:
        name = str(value.name)
        text = name if _PLAIN.fullmatch(name) and name.upper() not in _WORDS else f"`{name}`"
        call = f"listagg({text}, '{separator}') WITHIN GROUP (ORDER BY {place})"
        return f"F.expr({literal(call)})"
    if isinstance(value.shape, Maybe):
        raise Refusal("an array of texts leaves out those that are None, of which nothing may be left", node)
    return f"F.array_join({in_order(place, value.name)}, {literal(separator)})"
