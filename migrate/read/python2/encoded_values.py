"""Texts that are encoded for a ``Row`` or ``str``: texts in Python 2, bytes in Python 3, without an error.

    rdd.map(lambda w: Row(hashtag=w[0].encode("utf-8"), count=w[1]))

A program with such a value that Python 3 can parse may be either; nothing but its owner says which.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.model import Module
from migrate.read.python2.names import is_print
from migrate.read.python2.recognition import is_for_3
from migrate.read.python2.texts import codec_of
from migrate.syntax.nodes import of_kinds, parents_of

BYTES = "{}: `{}` is bytes in Python 3, which `show` prints as [61 62] and `str` as b'ab'"
IF_2 = "; in Python 2 it was a text: take that itself if the program ran on it"
_MAKING = frozenset({"Row", "str"})
_LISTS = (ast.List, ast.Tuple)


def encoded_values(module: Module) -> Iterator[tuple[str, bool]]:
    """A sentence for each such value, and whether the program may be in Python 2.

    One that asks for the version of Python is written for both.
    """
    if module.python == 2 or ".encode" not in module.source or "sys.version" in module.source:
        return
    tree = module.tree
    found = [call for call in of_kinds(tree, ast.Call) if _is_value(call, tree)]
    sure = bool(found) and is_for_3(module.source, tree)
    for call in found:
        sentence = BYTES.format(module.where(call.lineno), ast.unparse(call))
        if not sure:
            sentence += IF_2
        yield sentence, not sure


def _is_value(call: ast.Call, tree: ast.Module) -> bool:
    """Whether a call of ``encode`` gives a value of a row, or what becomes a text that is not printed."""
    method = call.func
    if not (isinstance(method, ast.Attribute) and method.attr == "encode" and call.args and codec_of(call)):
        return False
    parents = parents_of(tree)
    return any(_is_told(use, parents, tree) for use in _uses(call, parents, tree))


def _uses(call: ast.Call, parents: dict[ast.AST, ast.AST], tree: ast.Module) -> Iterator[ast.AST | None]:
    """The calls that get what is encoded, by itself or in a list, also by way of a variable."""
    inner: ast.AST = call
    above = parents.get(call)
    while isinstance(above, _LISTS) or (isinstance(above, ast.ListComp) and above.elt is inner):
        inner, above = above, parents.get(above)
    if not isinstance(above, ast.Assign):
        yield _given_to(inner, parents)
        return
    for target in above.targets:
        if isinstance(target, ast.Name):
            names = [one for one in of_kinds(tree, ast.Name) if one.id == target.id]
            own = [one for one in names if _scope(one, parents) is _scope(call, parents)]
            if sum(not isinstance(one.ctx, ast.Load) for one in own) == 1:
                yield from (_given_to(one, parents) for one in own)


def _given_to(node: ast.AST, parents: dict[ast.AST, ast.AST]) -> ast.AST | None:
    above = parents.get(node)
    return parents.get(above) if isinstance(above, ast.keyword) else above


def _scope(node: ast.AST, parents: dict[ast.AST, ast.AST]) -> ast.AST | None:
    """The function around code."""
    above = parents.get(node)
    while above is not None and not isinstance(above, ast.FunctionDef):
        above = parents.get(above)
    return above


def _is_told(use: ast.AST | None, parents: dict[ast.AST, ast.AST], tree: ast.Module) -> bool:
    """Whether a call makes a row or a text of what it gets, and somebody may read that."""
    if not isinstance(use, ast.Call):
        return False
    name = use.func.attr if isinstance(use.func, ast.Attribute) else getattr(use.func, "id", "")
    return name in _MAKING and not _is_printed(use, parents) and not _is_unread(use, parents, tree)


def _is_unread(node: ast.AST, parents: dict[ast.AST, ast.AST], tree: ast.Module) -> bool:
    """Whether an expression is the value of a variable that nothing reads."""
    match parents.get(node):
        case ast.Assign([ast.Name(name)]):
            return not any(
                one.id == name and isinstance(one.ctx, ast.Load) for one in of_kinds(tree, ast.Name)
            )
    return False


def _is_printed(node: ast.AST, parents: dict[ast.AST, ast.AST]) -> bool:
    """Whether an expression is a part of what is printed: many a program in Python 3 prints bytes."""
    above = parents.get(node)
    while above is not None and not isinstance(above, ast.stmt | ast.Lambda):
        if isinstance(above, ast.Call) and is_print(above.func):
            return True
        above = parents.get(above)
    return False
