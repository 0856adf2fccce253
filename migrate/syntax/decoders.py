"""Functions that make a text of bytes: ``lambda data: data.decode("utf-8")``."""

from __future__ import annotations

import ast
import codecs
from enum import Enum

from migrate.syntax.identity import is_idle
from migrate.syntax.nodes import walk

_UTF_8 = "utf-8"


class Decodes(Enum):
    """The values of which a function makes a text."""

    ALL = "all"
    """Bytes, and None for None."""
    ALL_BUT_NONE = "all but None"
    """Bytes; it fails for None."""


def text_of_utf_8(function: ast.AST | None) -> Decodes | None:
    """What a function of one parameter decodes as UTF-8, if it does that and nothing else."""
    match function:
        case ast.Lambda(ast.arguments(args=[one], defaults=[]), body):
            return _decodes(body, one.arg)
        case ast.FunctionDef(args=ast.arguments(args=[one], defaults=[]), decorator_list=[]):
            *before, last = function.body
            if not isinstance(last, ast.Return) or not all(is_idle(part, one.arg) for part in before):
                return None
            found = _decodes(last.value, one.arg)
            return Decodes.ALL if found and any(isinstance(part, ast.If) for part in before) else found
    return None


def decoded_reads(function: ast.Lambda) -> list[ast.Call]:
    """The calls that decode what a function is given as UTF-8, if it reads that nowhere else; else none.

    ``lambda data: json.loads(data.decode("utf-8"))`` is a function of the text, too.
    """
    match function.args:
        case ast.arguments(args=[one], posonlyargs=[], kwonlyargs=[], vararg=None, kwarg=None):
            name = one.arg
        case _:
            return []
    nodes = [*walk(function.body)]
    calls = [node for node in nodes if isinstance(node, ast.Call) and _decodes(node, name)]
    names = [node for node in nodes if isinstance(node, ast.Name | ast.arg) and _name_of(node) == name]
    return calls if len(calls) == len(names) else []


def _name_of(node: ast.Name | ast.arg) -> str:
    return node.id if isinstance(node, ast.Name) else node.arg


def _decodes(node: ast.expr | None, name: str) -> Decodes | None:
    match node:
        case ast.IfExp(ast.Compare(ast.Name(tested), [ast.Is()], [ast.Constant(None)]), none, text):
            pass
        case ast.IfExp(ast.Compare(ast.Name(tested), [ast.IsNot()], [ast.Constant(None)]), text, none):
            pass
        case ast.Call(ast.Attribute(ast.Name(given), "decode"), arguments, keywords) if given == name:
            is_text = _is_utf_8(arguments, keywords)
            return Decodes.ALL_BUT_NONE if is_text else None
        case ast.Call(ast.Name("str"), [ast.Name(given), *arguments], keywords) if given == name:
            is_text = bool(arguments or keywords) and _is_utf_8(arguments, keywords)
            return Decodes.ALL_BUT_NONE if is_text else None
        case _:
            return None
    is_none = isinstance(none, ast.Constant) and none.value is None
    is_none |= isinstance(none, ast.Name) and none.id == name
    return Decodes.ALL if tested == name and is_none and _decodes(text, name) else None


def _is_utf_8(arguments: list[ast.expr], keywords: list[ast.keyword]) -> bool:
    """Whether the arguments of ``decode`` are UTF-8, and an error is one."""
    given = dict(zip(("encoding", "errors"), arguments, strict=False))
    given |= {word.arg: word.value for word in keywords if word.arg is not None}
    if len(given) != len(arguments) + len(keywords):
        return False
    match given.get("encoding", ast.Constant(_UTF_8)), given.get("errors", ast.Constant("strict")):
        case codec, ast.Constant("strict"):
            return names_utf_8(codec)
    return False


def names_utf_8(node: ast.expr) -> bool:
    """Whether an expression is a name of this encoding: ``"utf8"``."""
    if not (isinstance(node, ast.Constant) and isinstance(node.value, str)):
        return False
    try:
        return codecs.lookup(node.value).name == _UTF_8
    except LookupError:
        return False
