"""Values that differ from batch to batch, so that each batch saves to a directory of its own."""

from __future__ import annotations

import ast
import re
from string import Formatter
from typing import TypeGuard

from migrate.knowledge import methods
from migrate.proofs.analysis.facts import Facts
from migrate.proofs.callbacks.roles import Callback
from migrate.proofs.values.constants import constant

_YEARS = ("%Y", "%y", "%G", "%c", "%x", "%D", "%F", "%s")
_DAYS = ("%d", "%e", "%j", "%c", "%x", "%D", "%F", "%s")
_MONTHS = ("%m", "%b", "%B", "%h", "%j", "%c", "%x", "%D", "%F", "%s")
_HOURS = ("%H", "%I", "%k", "%X", "%T", "%r", "%c", "%s")
_MINUTES = ("%M", "%X", "%T", "%r", "%c", "%s")
_SECONDS = ("%S", "%X", "%T", "%r", "%c", "%s")
_PARTS = (_YEARS, _MONTHS, _DAYS, _HOURS, _MINUTES, _SECONDS)
"""A text with one field of each of these names one second, and no other."""


class UniquePerBatch:
    """Expressions of a callback that differ in each batch: the time to the second, or a random value."""

    def __init__(self, callback: Callback, facts: Facts) -> None:
        assigned = [node for node in callback.walk() if isinstance(node, ast.Assign)]
        stores = [node.id for node in callback.walk() if _is_stored(node)]
        self._time = callback.time
        self._seconds = _has_seconds(facts)
        self._values = {
            node.targets[0].id: node.value
            for node in assigned
            if len(node.targets) == 1
            and isinstance(node.targets[0], ast.Name)
            and stores.count(node.targets[0].id) == 1
        }

    def __call__(self, node: ast.expr | None) -> bool:
        """Whether an expression gives another value in each batch."""
        if isinstance(node, ast.Name):
            # a variable of the module has one value for all batches
            return node.id == self._time or self(self._values.pop(node.id, None))
        if isinstance(node, ast.Call):
            return self._call(node)
        if isinstance(node, ast.BinOp):
            return self._operation(node)
        if isinstance(node, ast.JoinedStr):
            return any(map(self._formatted, node.values))
        return isinstance(node, ast.Attribute) and node.attr == "hex" and self(node.value)

    def _operation(self, node: ast.BinOp) -> bool:
        """A text with the time in it, or the time and something more, or so many times it."""
        left, right = node.left, node.right
        if isinstance(node.op, ast.Mod):
            text = left.value if isinstance(left, ast.Constant) and isinstance(left.value, str) else ""
            whole = set(_FIELD.findall(text)) <= {"%s", "%f", *(("%d", "%i") if self._seconds else ())}
            return (
                bool(text)
                and whole
                and any(map(self, right.elts if isinstance(right, ast.Tuple) else [right]))
            )
        if isinstance(node.op, ast.Mult):
            return any(
                self(one) and isinstance(other, ast.Constant) and other.value in (1000, 1_000_000)
                for one, other in ((left, right), (right, left))
            )
        return isinstance(node.op, ast.Add) and (self(left) or self(right))

    def _call(self, node: ast.Call) -> bool:
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if name in methods.DIFFERS:
            return True
        receiver = node.func.value if isinstance(node.func, ast.Attribute) else None
        if name == "strftime":
            return bool(node.args) and self._to_the_second(node.args[0])
        if name in ("isoformat", "timestamp") and self(receiver):
            return not node.args and not node.keywords
        if name == "replace" and self(receiver):
            old = node.args[0] if len(node.args) == 2 else None
            return isinstance(old, ast.Constant) and not any(map(str.isalnum, str(old.value)))
        text = receiver.value if isinstance(receiver, ast.Constant) else None
        plain = isinstance(text, str) and all(
            not given and (field or "").isalnum() | (field == "") for field, given in _fields(text)
        )
        if (name == "format" and plain) or name == "join":
            return any(map(self, [*node.args, *(keyword.value for keyword in node.keywords)]))
        if name == "int" and not self._seconds:
            return False
        return name in ("str", "int", "repr") and len(node.args) == 1 and self(node.args[0])

    def _formatted(self, part: ast.expr) -> bool:
        if not isinstance(part, ast.FormattedValue) or not self(part.value):
            return False
        given = part.format_spec
        shown = given.values if isinstance(given, ast.JoinedStr) else []
        return given is None or (len(shown) == 1 and self._to_the_second(shown[0]))

    def _to_the_second(self, node: ast.expr) -> bool:
        """Whether a format shows one second of all times, and no batch is shorter than that."""
        text = str(node.value) if isinstance(node, ast.Constant) else ""
        whole = all(any(part in text for part in parts) for parts in _PARTS)
        return whole and (self._seconds or "%f" in text)


_FIELD = re.compile(r"%[^%a-zA-Z]*[a-zA-Z]")


def _fields(text: str) -> list[tuple[str | None, str | None]]:
    """The fields of a format, and how each is to be written."""
    try:
        return [(field, given) for _, field, given, _ in Formatter().parse(text) if field is not None]
    except ValueError:
        return [(None, text)]


def _has_seconds(facts: Facts) -> bool:
    """Whether a batch takes a second at least."""
    call = facts.program.constructor.call
    assert call is not None
    given = [*call.args[1:2], *(keyword.value for keyword in call.keywords if keyword.arg == "batchDuration")]
    if not given:
        return False
    seconds: object = given[0].value if isinstance(given[0], ast.Constant) else None
    if isinstance(given[0], ast.Name):
        seconds = constant(given[0].id, call.lineno, facts)[1]
    is_int = isinstance(given[0], ast.Call) and getattr(given[0].func, "id", "") == "int"
    return is_int or (isinstance(seconds, int | float) and seconds >= 1)


def _is_stored(node: ast.AST) -> TypeGuard[ast.Name]:
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
