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
    parent = parents.get(call)
    if isinstance(parent, ast.keyword):
        parent = parents.get(parent)
    if not isinstance(parent, ast.Call) or parent.func is call:
        return False
    name = parent.func.attr if isinstance(parent.func, ast.Attribute) else getattr(parent.func, "id", "")
    return name in _MAKING and not _is_printed(parent, parents)


def _is_printed(node: ast.AST, parents: dict[ast.AST, ast.AST]) -> bool:
    """Whether an expression is a part of what is printed: many a program in Python 3 prints bytes."""
    above = parents.get(node)
    while above is not None and not isinstance(above, ast.stmt | ast.Lambda):
        if isinstance(above, ast.Call) and is_print(above.func):
            return True
        above = parents.get(above)
    return False
