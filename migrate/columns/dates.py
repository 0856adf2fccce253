"""Parts of dates and times: ``day.year``, ``when.hour``, ``when.date()``."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from migrate.columns import code
from migrate.columns.compiler import Compiler, Names
from migrate.columns.element import Scalar, Value
from migrate.columns.messages import refusal
from migrate.columns.registry import Production, covers, method
from migrate.columns.shapes import Date, Int, Maybe, Shape, Timestamp

_OF_DAYS = {"year": ("year", 1, 9999), "month": ("month", 1, 12), "day": ("dayofmonth", 1, 31)}
_OF_TIMES = {**_OF_DAYS, "hour": ("hour", 0, 23), "minute": ("minute", 0, 59), "second": ("second", 0, 59)}
_PARTS: dict[type[Shape], dict[str, tuple[str, int, int]]] = {Date: _OF_DAYS, Timestamp: _OF_TIMES}
"""The functions of Spark for attributes, with the bounds of what they give."""
NAMES = frozenset(_OF_TIMES)


@covers(
    Production(
        "day.year, when.hour",
        "every date, and every datetime without a time zone",
        (
            *("lambda day: (day.year, day.month, day.day)", "lambda when: when.year * 100 + when.month"),
            "lambda when: (when.day, when.hour, when.minute, when.second)",
        ),
    )
)
def part_of_date(compiler: Compiler, node: ast.Attribute, names: Names) -> Scalar | None:
    """A part of a date or a time; None for an attribute of anything else."""
    value = compiler.value(node.value, names)
    if not isinstance(value, Scalar):
        return None
    shape = value.shape.of if isinstance(value.shape, Maybe) else value.shape
    part = _PARTS.get(type(shape), {}).get(node.attr)
    if part is None:
        return None
    function, low, high = part
    given = compiler.present(value)
    return code.build(f"F.{function}({code.argument(given)})", Int(low, high, 32), given, name=node.attr)


@method(Timestamp, "date", Production("when.date()", "every datetime", ("lambda when: when.date()",)))
def _date(compiler: Compiler, node: ast.AST, receiver: Scalar, arguments: Sequence[Value]) -> Scalar:
    _check_none(node, arguments)
    return code.build(f"F.to_date({code.argument(receiver)})", Date(), receiver, name="date")


@method(Date, "weekday", Production("day.weekday()", "every date", ("lambda day: day.weekday()",)))
@method(
    Timestamp, "weekday", Production("when.weekday()", "every datetime", ("lambda when: when.weekday()",))
)
def _weekday(compiler: Compiler, node: ast.AST, receiver: Scalar, arguments: Sequence[Value]) -> Scalar:
    _check_none(node, arguments)
    return code.build(f"F.weekday({code.argument(receiver)})", Int(0, 6, 32), receiver, name="weekday")


def _check_none(node: ast.AST, arguments: Sequence[Value]) -> None:
    if arguments:
        raise refusal(node, "it takes no argument")
