"""The list of a batch's values, for a callback that brings all of them to the driver more than once.

values = [row["value"] for row in batch.collect()]
print(values)
print(reduce(add, [clean(line) for line in values]))
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from migrate.columns import Element, Refusal, Scalar, singular
from migrate.columns.shapes import Bool, Float, Int, Str
from migrate.plan.callbacks.conversion import Conversion
from migrate.plan.draft.step import Step
from migrate.plan.elements.row_functions import field_of
from migrate.plan.new_code.code import Chain
from migrate.plan.new_code.inner import Inner, Put, reading
from migrate.proofs.callbacks.roles import Callback
from migrate.syntax.nodes import position

_KEEPING = frozenset({"len", "list", "max", "min", "print", "repr", "set", "sorted", "str", "sum", "tuple"})
"""Functions that do not change a list."""


@dataclass(frozen=True)
class ValueList:
    """The list: its name, the calls in whose places it stands, and the statement that makes it."""

    name: str
    calls: tuple[ast.Call, ...]
    above: ast.stmt
    code: str

    @property
    def changes(self) -> Inner:
        """The list above the first statement that reads it, and in the places of the calls."""
        made = Put(Chain(self.code, (), target=self.name))
        return reading(*((call, self.name) for call in self.calls)) | Inner(before=((self.above, made),))


def value_list(step: Step, callback: Callback, element: Element, parameter: str) -> ValueList:
    """The list of a callback that reads its RDD at least twice, once as it is.

    Raises:
        Refusal: it does not, or it could do something else to one of its lists than to another.
    """
    calls = tuple(sorted(_calls(callback), key=position))
    reads = list(callback.reads(callback.rdd))
    known = isinstance(element, Scalar) and isinstance(element.shape, Str | Int | Float | Bool)
    if not (isinstance(element, Scalar) and known and calls and len(reads) > 1):
        raise Refusal("it is not collected twice", callback.node)
    facts = step.facts.of(callback.node)
    if not all(_keeps(call, callback, facts.shadowed) for call in calls):
        raise Refusal("something may change the list", callback.node)
    first = facts.statement_of(calls[0])
    is_first = position(calls[0]) <= min(map(position, reads))
    if not (isinstance(first, ast.Expr | ast.Assign | ast.For | ast.If) and is_first):
        raise Refusal("it is not collected first", first)
    if (
        _is_elif(first, callback)
        or _is_optional(calls[0], callback)
        or not all(_is_behind(read, first, callback) for read in reads)
    ):
        raise Refusal("it may not be collected by then", first)
    values = f"{element.name}s"
    name = step.fresh(values if singular(values) == element.name else "rows", anywhere=True)
    code = f"[{field_of('row', element, calls[0], step)} for row in {parameter}.collect()]"
    return ValueList(name, calls, first, code)


def collect_once(conversion: Conversion) -> None:
    """Let a callback on columns that does nothing but collect its rows, several times, do so once.

    exists = len(rdd.collect())
    if exists:
        print(rdd.collect()[0])
    """
    callback, frame, name = conversion.callback, conversion.frame, conversion.parameter
    try:
        values = value_list(conversion.step, callback, frame.element, name)
    except Refusal:
        return
    reads = {call.func.value for call in values.calls if isinstance(call.func, ast.Attribute)}
    if frame.calls or not reads.issuperset(callback.reads(callback.rdd)):
        return
    changed = [_changed(call, conversion) for call in values.calls]
    if not all(f"{name}.collect()" in conversion.replaced.get(node, "") for node in changed):
        return
    for call, node in zip(values.calls, changed, strict=True):
        del conversion.replaced[node]
        around = conversion.parents.get(call)
        if isinstance(around, ast.For | ast.comprehension):
            conversion.replaced.pop(around.target, None)  # which unpacked a row
        conversion.replaced[call] = values.name
    conversion.above |= dict(values.changes.before)
    conversion.uses = 1


def _changed(call: ast.Call, conversion: Conversion) -> ast.AST:
    """The node that stands for what a call collects: it, or the item that is read of it."""
    above = conversion.parents.get(call, call)
    return above if isinstance(above, ast.Subscript) and above in conversion.replaced else call


def _calls(callback: Callback) -> Iterator[ast.Call]:
    """The calls ``rdd.collect()`` of the batch's own RDD."""
    for read in callback.reads(callback.rdd):
        method = callback.parents.get(read)
        call = callback.parents.get(method) if isinstance(method, ast.Attribute) else None
        match call:
            case ast.Call(ast.Attribute(attr="collect") as func, [], []) if func is method:
                yield call


def _keeps(call: ast.Call, callback: Callback, shadowed: frozenset[str]) -> bool:
    """Whether nothing can change the list that a call gives: its items alone are read, or their number."""
    match callback.parents.get(call):
        case ast.For(iter=rows) | ast.comprehension(iter=rows):
            return rows is call
        case ast.Call(ast.Name(name), arguments):
            return name in _KEEPING and name not in shadowed and call in arguments
        case ast.Subscript(rows, _, ast.Load()):
            return rows is call
    return False


def _is_elif(statement: ast.stmt, callback: Callback) -> bool:
    """Whether a condition is asked only where another one does not hold, so that nothing stands above it."""
    above = callback.parents.get(statement)
    return isinstance(statement, ast.If) and isinstance(above, ast.If) and above.orelse == [statement]


def _is_optional(call: ast.Call, callback: Callback) -> bool:
    """Whether a call's statement may run without it."""
    node: ast.AST | None = call
    while node is not None and not isinstance(node, ast.stmt):
        if isinstance(node, ast.IfExp | ast.BoolOp | ast.Lambda):
            return True
        node = callback.parents.get(node)
    return False


def _is_behind(read: ast.AST, first: ast.stmt, callback: Callback) -> bool:
    """Whether a statement has run whenever a read of the RDD is reached that is in it or below it."""
    block = callback.parents.get(first, callback.node)
    node: ast.AST | None = read
    while node is not None and node is not first:
        above = callback.parents.get(node, callback.node if node is not callback.node else None)
        if above is block:
            return any(
                first in body and node in body and body.index(first) < body.index(node)
                for body in (getattr(block, name, None) for name in ("body", "orelse", "finalbody"))
                if isinstance(body, list)
            )
        node = above
    return node is first
