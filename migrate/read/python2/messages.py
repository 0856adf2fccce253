"""``error.message``, which Python 3 lacks: the error itself where it is only shown, else a function."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from migrate.read.python2.shown import Places
from migrate.syntax.nodes import of_kinds, parents_of, walk
from migrate.syntax.text import Edit, Text

SOURCES = {
    "python2_message": '''\
def python2_message(error):
    """error.message as in Python 2: the only argument of an error that has no such member of its own."""
    if hasattr(error, "message"):
        return error.message
    return error.args[0] if len(error.args) == 1 else ""
''',
}
_MESSAGE = "python2_message"
_OF_NUMBERS = re.compile(r"%(?![s%])")
"""A conversion that takes numbers."""


def messages(tree: ast.Module, text: Text) -> Iterator[tuple[str, Edit]]:
    """The edits of the messages that handlers read, each with the function that it calls."""
    places, parents = Places(tree), parents_of(tree)
    own = any(map(_has_message, of_kinds(tree, ast.ClassDef)))
    for node, name in _read(tree):
        seen = None if own else _as_shown(node, parents, places)
        new = f"{_MESSAGE}({name})" if seen is None else seen.format(name)
        yield _MESSAGE if seen is None else "", Edit(text.start(node), text.end(node), new)


def _has_message(class_: ast.ClassDef) -> bool:
    """Whether a class has a message, which may be another text than `str` gives."""
    names = [getattr(node, "attr", getattr(node, "id", "")) for node in walk(class_)]
    return "message" in names or any(getattr(node, "name", "") == "message" for node in class_.body)


def are_shown(old: str, tree: ast.Module, new: str) -> bool:
    """Whether errors are printed or logged where their messages were in an old text."""
    names = {node.name for node in of_kinds(tree, ast.ExceptHandler) if node.name}
    return any(
        len(re.findall(rf"\b{name}\.message\b", old)) > len(re.findall(rf"\b{_MESSAGE}_*\({name}\)", new))
        for name in names
    )


def _read(tree: ast.Module) -> Iterator[tuple[ast.Attribute, str]]:
    """The messages of errors, where handlers have them, and the names of the errors."""
    done: set[ast.AST] = set()
    for handler in of_kinds(tree, ast.ExceptHandler):
        nodes = [node for statement in handler.body for node in walk(statement)]
        named = [node for node in nodes if isinstance(node, ast.Name) and node.id == handler.name]
        bound = any(isinstance(node, ast.arg) and node.arg == handler.name for node in nodes)
        if bound or not handler.name or not all(isinstance(node.ctx, ast.Load) for node in named):
            continue
        for node in nodes:
            if node in done or not (isinstance(node, ast.Attribute) and node.attr == "message"):
                continue
            if node.value in named and isinstance(node.ctx, ast.Load):
                done.add(node)
                yield node, handler.name


def _as_shown(node: ast.expr, parents: dict[ast.AST, ast.AST], places: Places) -> str | None:
    """The error in place of its message, if somebody only gets to see that; None if not."""
    whole, new = node, "{}"
    parent = parents[node]
    above = parents[parent] if isinstance(parent, ast.Tuple) else parent
    match above:
        case ast.BinOp(ast.Constant(str(template)), ast.Mod(), _) if not _OF_NUMBERS.search(template):
            whole = above
        case ast.Call(ast.Attribute(ast.Constant(str()), "format")):
            whole = above
        case ast.BinOp(_, ast.Add(), _) | ast.Call(ast.Attribute(_, "write")):
            new = "str({})"
    return new if places.are_seen(whole) else None
