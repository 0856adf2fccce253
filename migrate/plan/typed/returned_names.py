"""Names for the parts of tuples: those of the function that returns them, ``return ip, int(row["size"])``.

Where it has none for a part, that of the code which reads the tuple: ``origin = flight[0]``.
"""

from __future__ import annotations

import ast
import builtins
import keyword
import re
from collections.abc import Iterator, Sequence

from migrate.columns import Element, Record, Scalar, leaves
from migrate.columns.names import is_telling, renamed
from migrate.plan.draft.step import Step
from migrate.proofs.elements.names_assigned import Path, names_assigned
from migrate.syntax.nodes import walk

Names = str | list["Names"] | None
"""The name of a part; the names of its own parts, if it is a tuple; or none."""
OF_STATE = (1,)
"""Where a state stands in the pairs that `updateStateByKey` gives."""
_PAIR = 2
"""The columns of a pair, which are called ``key`` and ``value``."""
_CONVERTING = frozenset({"float", "int", "str"})
_PLAIN = re.compile(r"[a-zA-Z][a-zA-Z0-9]*(_[a-zA-Z0-9]+)*")
"""Keys that are names of columns as they are written."""


def with_returned_names(element: Element, function: ast.expr, step: Step, at: Path = ()) -> Element:
    """The tuple that a function makes, whose parts without names have those of variables.

    These are the function's own, else those of the code that reads the tuple.

    Args:
        element: the tuple.
        function: what makes it.
        step: the operator.
        at: where it stands in the elements that the operator gives: ``(1,)`` for the value of a pair.
    """
    if not isinstance(element, Record) or element.fields:
        return element
    node = _called(function, step)
    names = _returned(node) if node is not None else None
    if names is not None:
        element = _with_names(element, [_free(name, step) for name in _leaf_names(element, names)])
    if len(leaves(element)) > _PAIR and any(leaf.name is None for leaf in leaves(element)):
        read = names_assigned(step.operation, step.facts)
        element = _with_names(element, [_telling(read.get(path)) for path in _paths(element, at)])
    return element


def _with_names(element: Record, found: list[str | None]) -> Record:
    """A tuple, whose parts without names have those of a list, if no other part has the same."""
    own = [leaf.name for leaf in leaves(element)]
    if len(found) != len(own):
        return element
    named = [name or new for name, new in zip(own, found, strict=True)]
    lower = [(name or "").lower() for name in named]
    distinct = [
        name if lower.count((name or "").lower()) == 1 else mine
        for name, mine in zip(named, own, strict=True)
    ]
    made = renamed(element, distinct)
    assert isinstance(made, Record)
    return made


def _telling(name: str | None) -> str | None:
    """A name that says what the value is; None for any other."""
    return name if is_telling(name) else None


def _paths(element: Element, path: Path = ()) -> Iterator[Path]:
    """The place of each column in a tuple and in those inside of it."""
    if isinstance(element, Scalar):
        if not element.unread:
            yield path
        return
    for place, item in enumerate(element.items):
        yield from _paths(item, (*path, place))


class _Key(str):
    """The key of a dict, as a name; others are variables of the function."""


def _free(name: str | None, step: Step) -> str | None:
    """A name, or none for a key that stands for something in the module, which may be read beside it."""
    is_bound = name in step.facts.bindings or name in vars(builtins)
    return None if isinstance(name, _Key) and is_bound else name


def _called(function: ast.expr, step: Step) -> ast.AST | None:
    """The function of the program that makes the tuple: that one, or the one that a lambda only calls.

    A lambda that writes it out is that function itself.
    """
    body = function.body if isinstance(function, ast.Lambda) else function
    if isinstance(body, ast.Tuple):
        return function
    named = body.func if isinstance(body, ast.Call) and isinstance(function, ast.Lambda) else body
    return step.scope.functions.get(named.id) if isinstance(named, ast.Name) else None


def _returned(function: ast.AST) -> list[Names] | None:
    """The names for the parts of what a function returns, the same in all tuples that it writes out."""
    if isinstance(function, ast.Lambda):
        returned: list[ast.expr | None] = [function.body]
    else:
        returned = [node.value for node in walk(function) if isinstance(node, ast.Return)]
    if None in returned:
        return None
    tuples = [names for value in returned if value is not None and isinstance(names := _names(value), list)]
    return tuples[0] if tuples and all(other == tuples[0] for other in tuples[1:]) else None


def _names(value: ast.expr) -> Names:
    match value:
        case ast.Tuple(items):
            return [_names(item) for item in items]
        case ast.Name(name) if is_telling(name):
            return name
        case ast.Call(ast.Name(converting), [inner], []) if converting in _CONVERTING:
            return _names(inner) if not isinstance(inner, ast.Tuple) else None
        case ast.Subscript(slice=ast.Constant(str(key))) | ast.Call(
            ast.Attribute(attr="get"), [ast.Constant(str(key)), *_]
        ) if _PLAIN.fullmatch(key) and not keyword.iskeyword(key):
            return _Key(key)
        case ast.Attribute(attr=name) if is_telling(name):
            return _Key(name)
        case ast.Constant(int(number)) if number == 1 and number is not True:
            return "count"
    return None


def _leaf_names(element: Element, names: Names) -> Iterator[str | None]:
    if isinstance(element, Scalar):
        if not element.unread:
            yield names if isinstance(names, str) else None
        return
    inner: Sequence[Names] = names if isinstance(names, list) else [None] * len(element.items)
    if len(inner) == len(element.items):
        for item, name in zip(element.items, inner, strict=True):
            yield from _leaf_names(item, name)
