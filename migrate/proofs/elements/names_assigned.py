"""Names of variables that the readers of a stream give the parts of its tuples: ``origin = flight[0]``.

They are followed through operators that hand tuples on, through functions that only arrange their parts
anew, ``lambda p: (p[0][0], p[1])``, and into callbacks.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import partial

from migrate.graph.program import Operation
from migrate.knowledge import rdd, streaming
from migrate.proofs.analysis.called_functions import called_function
from migrate.proofs.analysis.facts import Facts
from migrate.proofs.callbacks.roles import Callback, given_callback
from migrate.proofs.elements.places_read import SAME
from migrate.syntax.nodes import walk
from migrate.syntax.tree import parameter_names

Path = tuple[int, ...]
"""The place of a part: ``(0, 1)`` for ``pair[0][1]``."""
_Named = Iterator[tuple[Path, str]]
_KEEPING = SAME | rdd.SAME_ELEMENTS | streaming.REDUCING
"""Operators and methods after which each part is where it was."""
_GIVEN = frozenset({"map", "flatMap", "filter", "foreach"})
"""Those whose function gets the element."""
_COLLECTING = frozenset({"collect", "take"})
_CONVERTING = frozenset({"float", "int", "str"})


def names_assigned(operation: Operation, facts: Facts) -> dict[Path, str]:
    """The names that all readers of a stream agree on, by the parts that they call so."""
    found: defaultdict[Path, set[str]] = defaultdict(set)
    for path, name in _of_stream(operation, facts):
        found[path].add(name)
    return {path: name for path, (name, *others) in found.items() if not others}


def _of_stream(operation: Operation, facts: Facts) -> _Named:
    for reader in operation.consumers:
        if reader.is_chosen:
            yield from _of_stream(reader, facts)
        elif reader.operator == "foreachRDD":
            yield from _of_callback(reader, facts)
        else:
            yield from _of_call(reader.operator, reader.call, partial(_of_stream, reader, facts), facts)


def _of_callback(output: Operation, facts: Facts) -> _Named:
    callback = given_callback(output.call.args[0], facts) if output.call.args else None
    if callback is not None and not (callback.rebound or callback.binds(callback.rdd)):
        for read in callback.reads(callback.rdd):
            yield from _of_rdd(read, callback, facts.of(callback.node))


def _of_rdd(node: ast.expr, callback: Callback, facts: Facts) -> _Named:
    """The names for the parts of the elements of an RDD, or of a list of them, in a callback."""
    above = callback.parents.get(node)
    match above:
        case ast.Attribute(attr=method):
            call = callback.parents.get(above)
            if isinstance(call, ast.Call) and call.func is above:
                yield from _of_call(method, call, lambda: _of_rdd(call, callback, facts), facts)
        case ast.Assign(targets=[ast.Name(name) as target]) if callback.only_binding(name) is target:
            for read in facts.loads.get(name, ()):
                if facts.home(read) is facts.home(target):
                    yield from _of_rdd(read, callback, facts)
        case ast.For(target=target, iter=iterated, body=body) if iterated is node:
            yield from _unpacked(target, ())
            if isinstance(target, ast.Name):
                yield from _assigned(target.id, body)


def _of_call(method: str, call: ast.Call, after: Callable[[], _Named], facts: Facts) -> _Named:
    """The names that one operator or method, and what reads its result, gives the parts of an element.

    Args:
        method: its name.
        call: its call.
        after: gives the names for the parts of its result.
        facts: the names of the module.
    """
    function = _function(call.args[0], facts) if method in _GIVEN and len(call.args) == 1 else None
    if function is not None:
        (parameter,) = parameter_names(function)
        yield from _assigned(parameter, function.body if isinstance(function, ast.FunctionDef) else ())
    if method in _KEEPING or method in _COLLECTING:
        yield from after()
    elif method == "mapValues":
        yield from ((path, name) for path, name in after() if path[:1] == (0,))
    elif method == "map" and isinstance(function, ast.Lambda):
        yield from _arranged(function, after)


def _function(node: ast.expr, facts: Facts) -> ast.Lambda | ast.FunctionDef | None:
    """A function of one argument, with its code."""
    called = called_function(node, facts)
    code = called.node if called is not None and not called.bound else node
    known = isinstance(code, ast.Lambda | ast.FunctionDef) and len(parameter_names(code)) == 1
    return code if known and isinstance(code, ast.Lambda | ast.FunctionDef) else None


def _arranged(function: ast.Lambda, after: Callable[[], _Named]) -> _Named:
    """The names for parts that a lambda puts into another tuple, by those that they have there."""
    (parameter,) = parameter_names(function)
    for path, name in after():
        part: ast.expr | None = function.body
        for place in path:
            inside = isinstance(part, ast.Tuple) and place < len(part.elts)
            part = part.elts[place] if inside and isinstance(part, ast.Tuple) else None
        known = _path(part, parameter) if part is not None else None
        if known:
            yield known, name


def _assigned(parameter: str, body: Iterable[ast.stmt]) -> _Named:
    """The names that statements give the parts of a variable, which has no other value in them."""
    nodes = [node for statement in body for node in walk(statement)]
    names = (node for node in nodes if isinstance(node, ast.Name) and node.id == parameter)
    if not all(isinstance(name.ctx, ast.Load) for name in names):
        return
    for node in nodes:
        match node:
            case ast.Assign(targets=[target], value=value):
                path = _path(value, parameter)
                if path is not None:
                    yield from _unpacked(target, path)


def _path(value: ast.expr, parameter: str) -> Path | None:
    """The path of ``pair[0][1]``, or of ``int(pair[0][1])``; none for other expressions."""
    match value:
        case ast.Name(name) if name == parameter:
            return ()
        case ast.Subscript(inner, ast.Constant(int(place))) if place >= 0:
            before = _path(inner, parameter)
            return None if before is None else (*before, place)
        case ast.Call(ast.Name(converting), [inner], []) if converting in _CONVERTING:
            return _path(inner, parameter)
    return None


def _unpacked(target: ast.expr, path: Path) -> _Named:
    """The names in ``(origin, carrier), total``, each with the path of its part."""
    match target:
        case ast.Name(name) if path:
            yield path, name
        case ast.Tuple(items) | ast.List(items) if not any(isinstance(one, ast.Starred) for one in items):
            for place, item in enumerate(items):
                yield from _unpacked(item, (*path, place))
