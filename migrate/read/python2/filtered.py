"""``filter(f, items)`` where `items` may be a text, of which Python 2 makes a text, and Python 3 no list."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.read.python2.kinds import Kind, kinds_of
from migrate.read.python2.lists import is_list
from migrate.syntax.nodes import of_kinds, parents_of
from migrate.syntax.text import Edit, Text

SOURCES = {
    "python2_filter": '''\
def python2_filter(function, items):
    """filter(function, items) as in Python 2: a text of a text, a tuple of a tuple, else a list."""
    found = filter(function, items)
    if isinstance(items, str):
        return "".join(found)
    return tuple(found) if isinstance(items, tuple) else list(found)
''',
}
_SIMPLE = (
    *(ast.Attribute, ast.BoolOp, ast.Compare, ast.Constant, ast.Name, ast.Subscript, ast.UnaryOp, ast.boolop),
    *(ast.cmpop, ast.expr_context, ast.unaryop),
)
_SIMPLE_CALLS = frozenset({"endswith", "hasattr", "isinstance", "len", "startswith"})
"""What no other step of this package changes."""
_GONE_THROUGH = frozenset(
    {
        "all",
        "any",
        "enumerate",
        "filter",
        "iter",
        "list",
        "map",
        "max",
        "min",
        "set",
        "sorted",
        "sum",
        "tuple",
    }
)
"""Builtins that only go through what they get."""


def filtered(tree: ast.Module, text: Text, *, true_division: bool) -> Iterator[tuple[str, Edit]]:
    """The calls of ``filter`` that are more than gone through; the name of what is called instead."""
    parents = parents_of(tree)
    found = [call for call in of_kinds(tree, ast.Call) if not _is_gone_through(call, parents.get(call))]
    calls = [(call, call.func, call.args[1]) for call in found if _is_filter(call)]
    kinds = kinds_of(tree, true_division=true_division) if calls else None
    for call, name, items in calls:
        assert kinds is not None
        if "filter" in kinds.bound:
            return
        start, end = text.start(name), text.end(call)
        if kinds.of(items) is Kind.STR:
            opening = '"".join('
        elif is_list(items, kinds.values) or _is_counted(call, parents.get(call)):
            if (made := _comprehension(call, text)) is not None:
                yield "", Edit(start, end, made)
                continue
            opening = "list("
        else:
            yield "python2_filter", Edit(start, text.end(name), "python2_filter")
            continue
        yield "", Edit(start, start, opening)
        yield "", Edit(end, end, ")")


def _is_filter(call: ast.Call) -> bool:
    is_builtin = isinstance(call.func, ast.Name) and call.func.id == "filter"
    return is_builtin and len(call.args) == 2 and not call.keywords


def _is_counted(call: ast.Call, above: ast.AST | None) -> bool:
    """Whether a list gives the same as a text or a tuple: ``len(filter(f, x))``, ``filter(f, x)[0]``."""
    match above:
        case ast.Call(ast.Name("len"), [only], []) | ast.Subscript(only, ast.Constant(int())):
            return only is call
    return False


def _comprehension(call: ast.Call, text: Text) -> str | None:
    """The list that a lambda filters, ``[x for x in items if x]``, if no other step changes its parts."""
    match call.args:
        case [ast.Lambda(ast.arguments([], [ast.arg(name)], None, [], [], None, []), test), items]:
            simple = all(map(_is_simple, (*ast.walk(test), *ast.walk(items))))
            if simple and not isinstance(test, ast.IfExp):
                return f"[{name} for {name} in {text.of(items)} if {text.of(test)}]"
    return None


def _is_simple(node: ast.AST) -> bool:
    """Whether no other step of this package changes a node."""
    match node:
        case ast.Call(ast.Name(name) | ast.Attribute(_, name), _, []):
            return name in _SIMPLE_CALLS
    return isinstance(node, _SIMPLE)


def _is_gone_through(call: ast.Call, above: ast.AST | None) -> bool:
    match above:
        case ast.For(iter=items) | ast.comprehension(iter=items):
            return items is call
        case ast.Call(ast.Name(name)):
            return name in _GONE_THROUGH
        case ast.Call(ast.Attribute(attr="join")):
            return True
    return False
