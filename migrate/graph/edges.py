"""The edges of a graph: which call reads the stream that another one makes."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from migrate.trace import Graph, Stream
from migrate.trace.values import Values


def edges(graph: Graph, kinds: Mapping[ast.AST, Values]) -> tuple[tuple[int, int], ...]:
    """Pairs of positions in ``graph.uses``: the call that makes a stream, and one that reads it."""
    made = {use.call: position for position, use in enumerate(graph.uses) if use.call is not None}
    found: dict[tuple[int, int], None] = {}
    for position, use in enumerate(graph.uses):
        streams = [owner for owner in use.owners if isinstance(owner, Stream)]
        for argument in _arguments(use.call):
            streams += [value for value in kinds.get(argument, ()) if isinstance(value, Stream)]
        for stream in streams:
            origin = made.get(stream.node)
            if origin is not None and origin != position:
                found[origin, position] = None
    return tuple(sorted(found))


def _arguments(call: ast.Call | None) -> Iterator[ast.expr]:
    """The arguments of a call, also those in a list."""
    if call is None:
        return
    for argument in (*call.args, *(keyword.value for keyword in call.keywords)):
        yield argument
        if isinstance(argument, ast.List | ast.Tuple):
            yield from argument.elts
