"""Dates and times: which datetimes have no time zone for certain, as a column holds these alone."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from migrate.typed.asking import Names, Typing
from migrate.typed.patterns import known_value
from migrate.typed.types import NAIVE, Naive, Nothing, Type, kinds_of

_DAY, _TIME = ("year", "month", "day"), ("hour", "minute", "second", "microsecond")
PARAMETERS = {"datetime.date": _DAY, "datetime.time": _TIME, "datetime.datetime": (*_DAY, *_TIME)}
"""The first parameters of classes, which are called by their names as well."""


def in_places(node: ast.Call, parameters: Sequence[str]) -> list[ast.expr] | None:
    """The arguments of a call in order; None where one between them is left out, or it has others."""
    named = {word.arg: word.value for word in node.keywords}
    found = [*node.args, *(named[name] for name in parameters[len(node.args) :] if name in named)]
    names = parameters[len(node.args) : len(found)]
    return found if set(names) == named.keys() and len(found) <= len(parameters) else None


def of_parsed(typing: Typing, node: ast.Call, found: Type, names: Names) -> Type:
    """The type of ``datetime.strptime(text, "%Y-%m-%d")``, whose format may ask for a time zone."""
    written = known_value(typing, node.args[1], names) if len(node.args) > 1 else None
    return NAIVE if found and isinstance(written, str) and "%z" not in written else found


def of_replaced(node: ast.Call, receiver: Type, found: Type | None) -> Type | None:
    """The type of ``moment.replace(hour=0)``, and of ``moment.replace(tzinfo=None)``; else `found`."""
    zones = [word.value for word in node.keywords if word.arg == "tzinfo"]
    kinds = [kind for kind in kinds_of(receiver) if not isinstance(kind, Nothing)]
    if not found or not kinds or any(getattr(kind, "name", "") != "datetime" for kind in kinds):
        return found
    if zones:
        is_none = isinstance(zones[0], ast.Constant) and zones[0].value is None
        return NAIVE if is_none else found
    return NAIVE if all(isinstance(kind, Naive) for kind in kinds) else found
