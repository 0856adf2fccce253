"""Handlers of errors around what Python 3 and the functions of this step refuse, and Python 2 did not."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.read.python2.white_space import tells_separators
from migrate.syntax.nodes import of_kinds, walk

_CATCHING = frozenset(
    {
        *("Exception", "BaseException", "TypeError", "ValueError", "AttributeError", "UnicodeError"),
        *("UnicodeEncodeError", "UnicodeDecodeError"),
    }
)
_ONE_WAY = frozenset({"UnicodeEncodeError", "UnicodeDecodeError"})
"""A text beyond ASCII raises the one in Python 3, and bytes beyond it the other in Python 2."""
_ASCII = frozenset({"ascii", "us-ascii"})
_LEAVING = (ast.Return, ast.Break, ast.Continue, ast.Yield)


def caught_methods(tree: ast.Module) -> set[ast.AST]:
    """The methods ``x.encode`` and ``x.decode`` whose errors a handler may catch.

    Those of ``x.encode("ascii")`` are left out: both Pythons raise a UnicodeError for what is not ASCII.
    """
    caught = {node for node in caught_in(tree) if getattr(node, "attr", "") in ("encode", "decode")}
    if not caught or tells_separators(tree) or any(node.id in _ONE_WAY for node in of_kinds(tree, ast.Name)):
        return caught
    return caught - {method for call in of_kinds(tree, ast.Call) for method in _in_strict_ascii(call)}


def caught_in(tree: ast.Module) -> Iterator[ast.AST]:
    """The code whose errors a handler may catch, also that of functions that are named where it would.

    The functions of this step fail for values that Python 2 took, and nobody must take that for an answer.
    """
    functions = {node.name: node for node in walk(tree) if isinstance(node, ast.FunctionDef)}
    pending: list[ast.AST] = []
    for node in walk(tree):
        if isinstance(node, ast.Try) and any(map(_catches, node.handlers)):
            pending += node.body
    while pending:
        for inner in walk(pending.pop()):
            yield inner
            name = inner.id if isinstance(inner, ast.Name) else getattr(inner, "attr", "")
            called = functions.pop(name, None)
            if called is not None:
                pending.append(called)


def _catches(handler: ast.ExceptHandler) -> bool:
    if _raises_again(handler):
        return False
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(not isinstance(kind, ast.Name) or kind.id in _CATCHING for kind in kinds)


def _raises_again(handler: ast.ExceptHandler) -> bool:
    """Whether a handler hands each error on: it ends in ``raise``, and nothing leaves it before."""
    last = handler.body[-1]
    leaves = any(isinstance(node, _LEAVING) for statement in handler.body for node in walk(statement))
    return isinstance(last, ast.Raise) and last.exc is None and not leaves


def _in_strict_ascii(call: ast.Call) -> Iterator[ast.Attribute]:
    """The ``x.encode`` of ``x.encode("ascii")``, also of ``decode``."""
    match call:
        case ast.Call(ast.Attribute(attr="encode" | "decode") as method, [ast.Constant(str(codec))], []):
            if codec.lower() in _ASCII:
                yield method
