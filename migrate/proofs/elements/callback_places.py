"""What a callback reads of the elements of its RDD: ``{1}`` in ``rdd.map(lambda x: x[1])``, or attributes."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from migrate.proofs.analysis.facts import Facts
from migrate.proofs.callbacks.roles import Callback, is_there
from migrate.proofs.elements.tuple_reads import AllRead, attributes_of, place_of, reads_of

_CONTEXTS = frozenset({"context", "ctx"})
"""Attributes of an RDD that are its context."""
_NUMBERS = frozenset({"isEmpty", "count"})
GIVEN_ELEMENTS = frozenset({"map", "flatMap", "foreach"})
"""Methods whose function gets one element, and whose result holds none unless the function gives it."""
_COLLECT = frozenset({"collect", "take"})
"""Methods whose elements come to the driver."""


class _Method(NamedTuple):
    """A call of a method of an RDD."""

    name: str
    call: ast.Call


def callback_places(callback: Callback, facts: Facts) -> Iterator[tuple[ast.AST, int]]:
    """The places of tuples, each with where it is read.

    Raises:
        AllRead: more may be read of a tuple than certain places.
    """
    for method in _calls(callback):
        if method.name in GIVEN_ELEMENTS and len(method.call.args) == 1:
            yield from reads_of(method.call.args[0], facts)
        elif method.name in _COLLECT:
            yield from collected_places(method.call, facts)
        else:
            raise AllRead


def callback_attributes(callback: Callback, facts: Facts) -> Iterator[tuple[ast.AST, str]]:
    """The attributes of objects, each with where it is read.

    Raises:
        AllRead: more may be read of an object than certain attributes.
    """
    for method in _calls(callback):
        if method.name not in GIVEN_ELEMENTS or len(method.call.args) != 1:
            raise AllRead
        yield from attributes_of(method.call.args[0], facts)


def _calls(callback: Callback) -> Iterator[_Method]:
    """The calls of methods of the RDD that look at its elements.

    Raises:
        AllRead: something else is done with it.
    """
    parents = callback.parents
    if callback.binds(callback.rdd):
        raise AllRead
    for read in _reads(callback):
        above = parents.get(read)
        if is_there(above) or (isinstance(above, ast.Attribute) and above.attr in _CONTEXTS):
            continue
        call = parents.get(above) if isinstance(above, ast.Attribute) else None
        if not (isinstance(above, ast.Attribute) and isinstance(call, ast.Call) and call.func is above):
            raise AllRead
        if above.attr not in _NUMBERS:
            yield _Method(above.attr, call)


def _reads(callback: Callback) -> list[ast.Name]:
    return list(callback.reads(callback.rdd))


def collected_places(rows: ast.expr, facts: Facts) -> Iterator[tuple[ast.Subscript, int]]:
    """The places that are read of the tuples of a list, by a loop over it or over its variable.

    Raises:
        AllRead: something else is done with them.
    """
    above = facts.above[rows]
    match above:
        case ast.Assign(targets=[ast.Name(name) as target]):
            home = facts.home(target)
            _check_bound_once(target, facts)
            for load in facts.loads.get(name, ()):
                if facts.home(load) is home:
                    yield from collected_places(load, facts)
        case ast.For(target=ast.Name() as target, iter=iterated) if iterated is rows:
            yield from _items(target, facts)
        case ast.comprehension(target=ast.Name() as target, iter=iterated) if iterated is rows:
            yield from _items(target, facts)
        case ast.Call(func=ast.Name("len"), args=[_]) | ast.If() | ast.UnaryOp(op=ast.Not()):
            return
        case _:
            raise AllRead


def _items(target: ast.Name, facts: Facts) -> Iterator[tuple[ast.Subscript, int]]:
    """The places that are read of the variable of a loop."""
    home = facts.home(target)
    _check_bound_once(target, facts)
    for load in facts.loads.get(target.id, ()):
        if facts.home(load) is not home:
            continue
        above = facts.above[load]
        if not isinstance(above, ast.Subscript) or above.value is not load:
            raise AllRead
        yield above, place_of(above)


def _check_bound_once(target: ast.Name, facts: Facts) -> None:
    """Refuse a variable that something else gives a value, too.

    Raises:
        AllRead: something does.
    """
    bindings, home = facts.bindings.get(target.id, ()), facts.home(target)
    others = (node for node in bindings if node is not target)
    if any(not isinstance(node, ast.Name) or facts.home(node) is home for node in others):
        raise AllRead
