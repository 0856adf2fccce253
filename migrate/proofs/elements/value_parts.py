"""The parts of a value: what is known of an expression, or of the result of a function of elements."""

from __future__ import annotations

import ast
import enum
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from migrate.knowledge.builtins import BUILTINS, Floats, Gives
from migrate.proofs.analysis.called_functions import called_function
from migrate.proofs.analysis.facts import Facts
from migrate.syntax.nodes import walk
from migrate.syntax.tree import own_nodes, parameter_names, yields_among


class Kind(enum.Enum):
    """What is known of a value."""

    UNKNOWN = "unknown"
    NO_FLOAT = "no float, and none in it"
    WHOLE = "a whole number"
    NUMBER = "a number, which may be a float"


@dataclass(frozen=True)
class Fields:
    """A dict that is written out where it is returned, by its keys; no function changes it in place."""

    items: tuple[tuple[str, Parts], ...]


Parts: TypeAlias = "Kind | tuple[Parts, ...] | Fields"
"""The kind of a value; of a tuple or dict that is written out, that of each item."""
_BINDING_OTHERWISE = frozenset(
    {
        *(ast.FunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom, ast.Global, ast.Nonlocal),
        *(ast.Match, ast.AsyncFunctionDef),
    }
)
"""Nodes that bind a variable without a ``Name`` node, or bind that of another function."""
_WHOLE = ast.Add | ast.Sub | ast.Mult | ast.FloorDiv | ast.Mod


def has_no_floats(parts: Parts) -> bool:
    """Whether there are certainly no floats in a value."""
    if isinstance(parts, tuple):
        return all(map(has_no_floats, parts))
    if isinstance(parts, Fields):
        return all(has_no_floats(part) for _, part in parts.items)
    return parts in {Kind.NO_FLOAT, Kind.WHOLE}


def are_numbers(parts: Parts) -> bool:
    """Whether a value certainly is a number, or a tuple of numbers."""
    return all(map(are_numbers, parts)) if isinstance(parts, tuple) else parts in {Kind.WHOLE, Kind.NUMBER}


def made_by(name: ast.Name, facts: Facts) -> Kind:
    """What a builtin makes; unknown for other functions, and for parameters."""
    known = BUILTINS.get(name.id)
    if known is None or name.id in facts.shadowed or facts.home(name) is not None:
        return Kind.UNKNOWN
    if known.floats is Floats.NEVER:
        return Kind.WHOLE if known.gives in {Gives.INT, Gives.BOOL} else Kind.NO_FLOAT
    return Kind.NUMBER if known.gives is Gives.FLOAT else Kind.UNKNOWN


def result_of(
    function: ast.Lambda | ast.FunctionDef,
    given: Sequence[Parts],
    facts: Facts,
    open_: frozenset[ast.AST] = frozenset(),
    *,
    of_list: bool = False,
) -> Parts:
    """The parts of the result of a function; unknown for the recursive ones in `open_`.

    Args:
        function: the function.
        given: the parts of its arguments.
        facts: the names of a module.
        open_: the functions that call it.
        of_list: whether those of the items of the lists that it returns are asked for.
    """
    if function in open_:
        return Kind.UNKNOWN
    facts, open_ = facts.of(function), open_ | {function}
    names = [node.arg for node in walk(function.args) if isinstance(node, ast.arg)]
    if len(names) != len(given) or parameter_names(function) != names:
        return Kind.UNKNOWN
    body: list[ast.AST] = [function.body] if isinstance(function, ast.Lambda) else [*function.body]
    known = dict(zip(names, map(_in_variable, given), strict=True))
    fields = [name for name, parts in zip(names, given, strict=True) if isinstance(parts, Fields)]
    known |= {name: given[names.index(name)] for name in fields if is_subscripted(name, body)}
    if isinstance(function, ast.FunctionDef):
        returned = _returned(function, known, facts, open_)
    else:
        returned = [function.body]
    if returned is None:
        return Kind.UNKNOWN
    if not of_list:
        found = [Kind.NO_FLOAT if value is None else _parts(value, known, facts, open_) for value in returned]
        return one_of(found)
    if not all(isinstance(value, ast.List) for value in returned):
        return Kind.UNKNOWN
    items = [item for value in returned if isinstance(value, ast.List) for item in value.elts]
    return one_of([_parts(item, known, facts, open_) for item in items])


def _returned(
    function: ast.FunctionDef, known: dict[str, Parts], facts: Facts, open_: frozenset[ast.AST]
) -> list[ast.expr | None] | None:
    """What a function returns; None if that is not known. What it assigns to variables becomes `known`."""
    if any(not _BINDING_OTHERWISE.isdisjoint(map(type, walk(part))) for part in function.body):
        return None
    nodes = [node for statement in function.body for node in own_nodes(statement)]
    names = set(known)
    stores = [node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]
    stores += [node.name for node in nodes if isinstance(node, ast.ExceptHandler) and node.name]
    known.update(dict.fromkeys(stores, Kind.UNKNOWN))
    if yields_among(nodes):
        return None
    for node in nodes:  # a variable with one value has its kind, from there on
        match node:
            case ast.Assign([ast.Name(name)], value) if stores.count(name) == 1 and name not in names:
                known[name] = _in_variable(_parts(value, known, facts, open_))
    return [node.value for node in nodes if isinstance(node, ast.Return)]


def _in_variable(parts: Parts) -> Parts:
    """The parts of the value of a variable: a dict there may be changed in place."""
    if isinstance(parts, tuple):
        return tuple(map(_in_variable, parts))
    return Kind.UNKNOWN if isinstance(parts, Fields) else parts


def one_of(found: Collection[Parts]) -> Parts:
    """The parts of a value that is one of several."""
    first, *others = found or [Kind.NO_FLOAT]
    if all(parts == first for parts in others):
        return first
    tuples = [parts for parts in found if isinstance(parts, tuple)]
    if len(tuples) == len(found) and len(set(map(len, tuples))) == 1:
        return tuple(map(one_of, zip(*tuples, strict=True)))
    if all(map(has_no_floats, found)):
        return Kind.NO_FLOAT
    return Kind.NUMBER if all(parts in {Kind.WHOLE, Kind.NUMBER} for parts in found) else Kind.UNKNOWN


def is_subscripted(name: str, body: Sequence[ast.AST]) -> bool:
    """Whether code only reads items of a variable: ``record["price"]``."""
    nodes = [node for part in body for node in walk(part)]
    items = {
        node.value for node in nodes if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load)
    }
    return all(node in items for node in nodes if isinstance(node, ast.Name) and node.id == name)


def _parts(node: ast.expr, known: Mapping[str, Parts], facts: Facts, open_: frozenset[ast.AST]) -> Parts:
    match node:
        case ast.Constant(value=int()):
            return Kind.WHOLE
        case ast.Constant(value=float()):
            return Kind.NUMBER
        case ast.Constant(value=str() | bytes() | None) | ast.JoinedStr():
            return Kind.NO_FLOAT
        case ast.Name(id=name):
            return known.get(name, Kind.UNKNOWN)
        case ast.Tuple(elts=items) if not any(isinstance(item, ast.Starred) for item in items):
            return tuple(_in_variable(_parts(item, known, facts, open_)) for item in items)
        case ast.Subscript(value=value, slice=ast.Constant(value=int(place))):
            parts = _parts(value, known, facts, open_)
            inside = isinstance(parts, tuple) and 0 <= place < len(parts)
            return parts[place] if isinstance(parts, tuple) and inside else Kind.UNKNOWN
        case ast.Subscript(value=value, slice=ast.Constant(value=str(key))):
            parts = _parts(value, known, facts, open_)
            return dict(parts.items).get(key, Kind.UNKNOWN) if isinstance(parts, Fields) else Kind.UNKNOWN
        case ast.Dict(keys=keys, values=values):
            texts = [key.value for key in keys if isinstance(key, ast.Constant)]
            names = [text for text in texts if isinstance(text, str)]
            made = [_in_variable(_parts(one, known, facts, open_)) for one in values]
            if len(names) < len(keys):
                return Kind.UNKNOWN
            return Fields(tuple(dict(zip(names, made, strict=True)).items()))
        case ast.Call(func=ast.Name(id=name) as builtin) if name in BUILTINS.keys() - facts.shadowed:
            return Kind.UNKNOWN if name in known else made_by(builtin, facts)
        case ast.Call(func=ast.Name() as name, args=[argument], keywords=[]):
            called = called_function(name, facts)
            if called is None or called.bound:
                return Kind.UNKNOWN
            return result_of(called.node, [_parts(argument, known, facts, open_)], facts, open_)
        case ast.IfExp(body=one, orelse=other):
            return one_of([_parts(one, known, facts, open_), _parts(other, known, facts, open_)])
        case ast.UnaryOp(op=ast.USub() | ast.UAdd(), operand=operand):
            parts = _parts(operand, known, facts, open_)
            return parts if isinstance(parts, Kind) else Kind.UNKNOWN
        case ast.BinOp(left=left, op=operator, right=right):
            return _operated(operator, [_parts(side, known, facts, open_) for side in (left, right)])
    return Kind.UNKNOWN


def _operated(operator: ast.operator, sides: Collection[Parts]) -> Kind:
    """The kind of what an operator makes of two values."""
    if isinstance(operator, _WHOLE):
        if all(side is Kind.WHOLE for side in sides):
            return Kind.WHOLE
        if all(isinstance(side, Kind) and has_no_floats(side) for side in sides):
            return Kind.NO_FLOAT
    elif not isinstance(operator, ast.Div):
        return Kind.UNKNOWN
    return Kind.NUMBER if all(side in {Kind.WHOLE, Kind.NUMBER} for side in sides) else Kind.UNKNOWN
