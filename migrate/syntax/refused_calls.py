"""Calls in a program's own code that Spark or Python took once, and that raise today."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from migrate.syntax.json_calls import encoding_of
from migrate.syntax.nodes import of_kinds

ENCODING = (
    "{}: `json.{}` takes no `encoding` since Python 3.9, and Python 3 did not use it before: leave it out"
)
INSERTS = (
    "{}: `insertInto` raises after `partitionBy` since Spark 2.0, as the table says how it is partitioned:"
    " leave `partitionBy` out, with those columns at the end of the rows"
)


def refused_calls(tree: ast.Module, where: Callable[[int], str]) -> Iterator[str]:
    """What the report says of such calls.

    Args:
        tree: the module.
        where: gives a line in words.
    """
    for call in of_kinds(tree, ast.Call):
        method = call.func
        if not isinstance(method, ast.Attribute):
            continue
        if encoding_of(call) is not None:
            yield ENCODING.format(where(call.lineno), method.attr)
        elif method.attr == "insertInto" and "partitionBy" in _chain(method.value):
            yield INSERTS.format(where(method.end_lineno or call.lineno))


def _chain(node: ast.expr) -> Iterator[str]:
    """The methods that an expression calls, one on what the other gives."""
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        yield node.func.attr
        node = node.func.value
