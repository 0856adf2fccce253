"""What a callback makes of the batch time for each element, ``time.strftime("%H:%M")``: one value for all."""

from __future__ import annotations

import ast

from migrate.columns import Scalar
from migrate.columns.names import is_telling
from migrate.columns.shapes import Float, Int, Shape, Str
from migrate.plan.draft.step import Step
from migrate.proofs.callbacks.roles import Callback
from migrate.syntax.quoting import quoted

_METHODS: dict[str, Shape] = {
    "strftime": Str(),
    "isoformat": Str(),
    "ctime": Str(),
    "timestamp": Float(finite=True),
    "weekday": Int(0, 6),
    "isoweekday": Int(1, 7),
}
_ATTRIBUTES: dict[str, Shape] = {
    "year": Int(1, 9999),
    "month": Int(1, 12),
    "day": Int(1, 31),
    "hour": Int(0, 23),
    "minute": Int(0, 59),
    "second": Int(0, 59),
}


def parts_of_time(step: Step, callback: Callback) -> dict[ast.expr, Scalar]:
    """The expressions of a callback that are a text or a number made of the batch time alone, as columns."""
    found: dict[ast.expr, Scalar] = {}
    if callback.time is None or callback.binds(callback.time):
        return found
    parents = callback.parents
    for read in callback.reads(callback.time):
        above = parents.get(read)
        outer = parents.get(above) if above is not None else None
        for node in (above, outer):
            shape = _shape(node, read, step)
            if shape is not None:
                assert isinstance(node, ast.expr)
                name = node.attr if isinstance(node, ast.Attribute) else callback.time
                name = name if is_telling(name) else "time"
                found[node] = Scalar(f"F.lit({quoted(node)})", shape, name, columns=frozenset())
    return found


def _shape(node: ast.AST | None, time: ast.Name, step: Step) -> Shape | None:
    """The shape of an expression that is made of the time; None for any other."""
    match node:
        case ast.Call(func=ast.Attribute(value=receiver, attr=method), args=given, keywords=[]):
            written_out = receiver is time and all(isinstance(one, ast.Constant) for one in given)
            return _METHODS.get(method) if written_out else None
        case ast.Call(func=ast.Name("str"), args=[given], keywords=[]):
            return Str() if given is time and "str" not in step.facts.shadowed else None
        case ast.Attribute(value=receiver, attr=name):
            return _ATTRIBUTES.get(name) if receiver is time else None
    return None
